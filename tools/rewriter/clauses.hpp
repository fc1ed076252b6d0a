// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <llvm/ADT/STLFunctionalExtras.h>

namespace clang {
class Expr;
class VarDecl;
}  // namespace clang

namespace steelyard::rewriter {

struct worksharing_loop;
class unit_text;

/// The user's clauses, as the rewritten form has them: all but schedule and collapse.
struct clause_texts {
  std::string construct;  ///< of the region or the worksharing construct
  std::string simd;       ///< of the loop over a part, where it is one of simd
  std::vector<const clang::VarDecl*>
      last;  ///< lastprivate: private in both, assigned by whoever ran the last iteration
};

[[nodiscard]] clause_texts read_clauses(const worksharing_loop& loop, const unit_text& text);

/// Whether that holds for one of its firstprivate variables.
[[nodiscard]] bool any_firstprivate(const worksharing_loop& loop, llvm::function_ref<bool(const clang::Expr&)> is);

/// Why its clauses cannot be had in that form; empty: they can.
[[nodiscard]] std::string clauses_refused(const worksharing_loop& loop);

}  // namespace steelyard::rewriter
