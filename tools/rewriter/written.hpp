// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clang {
class ASTContext;
}

namespace steelyard::rewriter {

struct told_costs;
struct worksharing_loop;
class edits;
class unit_text;

/// Why the costs of a loop whose schedule is the runtime's are not told; empty: they can be.
[[nodiscard]] std::string why_not_written(const worksharing_loop& loop, const unit_text& text,
                                          clang::ASTContext& context);

/// Has the members of the region state the costs of such a loop before it. The loop stays as it is; a region of its own, as `parallel for`
/// has one, is told apart from it.
/// Where there is nothing to state but flags, these are told.
void state_before(const worksharing_loop& loop, const told_costs& costs, unsigned number, const unit_text& text,
                  clang::ASTContext& context, edits& changes);

}  // namespace steelyard::rewriter
