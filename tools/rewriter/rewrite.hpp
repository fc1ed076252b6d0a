// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clang {
class ASTContext;
}

namespace steelyard::rewriter {

struct told_costs;
struct worksharing_loop;
struct verdict;
class edits;
class unit_text;

/// Puts a loop into the form in which each thread states its costs, if it is asked for them, and asks for its parts. Returns why that cannot be done; empty: it is done.
[[nodiscard]] std::string rewrite(const worksharing_loop& loop, const verdict& by, const told_costs& costs,
                                  unsigned number, const unit_text& text, clang::ASTContext& context, edits& changes);

}  // namespace steelyard::rewriter
