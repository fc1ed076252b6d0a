// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <clang/AST/Expr.h>

namespace clang {
class CXXForRangeStmt;
class ForStmt;
class Stmt;
}  // namespace clang

/// What loops of a body look like.
namespace steelyard::rewriter::cost {

/// A `for` that counts from one value to another.
struct counted {
  const clang::VarDecl* variable = nullptr;
  std::vector<const clang::VarDecl*> beside;  ///< that the header declares, too
  const clang::Expr* first = nullptr;
  const clang::Expr* bound = nullptr;
  clang::BinaryOperatorKind compare = clang::BO_LT;  ///< with the variable on the left
  const clang::Expr* step = nullptr;                 ///< null: 1
  bool up = true;
};

[[nodiscard]] std::optional<counted> read_counted(const clang::ForStmt& loop);
/// The constant number of its trips.
[[nodiscard]] std::optional<double> constant_trips(const counted& loop, const clang::ASTContext& context);
/// A constant, without its sign.
[[nodiscard]] std::optional<double> magnitude(const clang::Expr* step, const clang::ASTContext& context);

/// Whether a jump may lead out of a statement, or past what stands behind it: `return`, `goto`, `throw`, and `break` and `continue` where
/// their loop is not within it.
[[nodiscard]] bool may_leave(const clang::Stmt* at, bool by_break = true, bool by_continue = true);
[[nodiscard]] bool has_loop(const clang::Stmt* at);
/// An attempt at an atomic change that is repeated until nobody was in between.
[[nodiscard]] bool has_compare_exchange(const clang::Stmt* at, int depth = 3);
/// Iterators whose difference is their distance.
[[nodiscard]] bool is_random_access(clang::QualType type);
/// A jump with which a statement ends; null: it does not.
[[nodiscard]] const clang::Stmt* jump_at_end(const clang::Stmt* at);
/// Whether one stands in it elsewhere than at its end.
[[nodiscard]] bool may_jump(const clang::Stmt* at);
/// The statements of a block, or the one statement.
[[nodiscard]] std::vector<const clang::Stmt*> listed(const clang::Stmt* at);

}  // namespace steelyard::rewriter::cost
