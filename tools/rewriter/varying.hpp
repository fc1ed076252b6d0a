// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "access.hpp"

namespace steelyard::rewriter {

/// Of the variables of a region's threads those that may have another value in each thread, by what stands around its loops: what is taken
/// from a counter that threads share, from a clock or from chance, what only one thread runs, `left` behind by the thread's part of a loop, and what
/// follows from such.
[[nodiscard]] variables varying(const clang::Stmt& region, const variables& of_threads, const variables& left);

}  // namespace steelyard::rewriter
