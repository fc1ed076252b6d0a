// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace steelyard::rewriter {

/// The text of prelude.h.
extern const char* const prelude_text;

}  // namespace steelyard::rewriter
