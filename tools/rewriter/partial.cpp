// SPDX-License-Identifier: Apache-2.0
#include "partial.hpp"

#include <algorithm>
#include <map>

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>

#include "nest.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

/// Goes through statements, and in them through what is evaluated.
class search {
 public:
  explicit search(const variables& summed) : summed_(summed) {}

  void statement(const Stmt* at) {
    if (at == nullptr || found != nullptr) return;
    if (const auto* expression = dyn_cast<Expr>(at)) return whole(plain(expression));
    if (const auto* declaration = dyn_cast<DeclStmt>(at)) {
      for (const Decl* each : declaration->decls()) {
        const auto* variable = dyn_cast<VarDecl>(each);
        if (variable != nullptr && variable->hasInit()) used(variable->getInit());
      }
      return;
    }
    const Expr* condition = condition_of(*at);
    if (condition != nullptr && !only_sums_below(*at, condition)) used(condition);
    for (const Stmt* child : at->children()) {
      if (child != condition) statement(child);
    }
  }

  const VarDecl* found = nullptr;

 private:
  /// Whether what a condition leads to sets nothing but variables of reductions: `if (x > most) most = x;`.
  [[nodiscard]] bool only_sums_below(const Stmt& at, const Expr* condition) const {
    return std::all_of(at.child_begin(), at.child_end(),
                       [&](const Stmt* child) { return child == nullptr || child == condition || only_sums(child); });
  }
  [[nodiscard]] bool only_sums(const Stmt* at) const {
    if (isa<CompoundStmt, IfStmt, NullStmt, ForStmt, WhileStmt, DoStmt>(at))
      return only_sums_below(*at, condition_of(*at));
    const auto* expression = dyn_cast<Expr>(at);
    return changes_sum(expression) && !counts(*plain(expression));
  }
  [[nodiscard]] bool changes_sum(const Expr* at) const {
    return at != nullptr && summed_.count(changed_by(*plain(at))) != 0;
  }

  /// `++n` and `n += 1`: unlike the largest of all, how often it does depends on what was there.
  static bool counts(const Expr& at) {
    const auto* assignment = dyn_cast<BinaryOperator>(&at);
    const auto* unary = dyn_cast<UnaryOperator>(&at);
    return (assignment != nullptr && assignment->isCompoundAssignmentOp()) ||
           (unary != nullptr && unary->isIncrementDecrementOp());
  }

  /// What an assignment, `++` or a method is for; null: none of these.
  static const VarDecl* changed_by(const Expr& at) {
    if (const auto* assignment = dyn_cast<BinaryOperator>(&at))
      return assignment->isAssignmentOp() ? root_of(assignment->getLHS()) : nullptr;
    if (const auto* unary = dyn_cast<UnaryOperator>(&at))
      return unary->isIncrementDecrementOp() ? root_of(unary->getSubExpr()) : nullptr;
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(&at))
      return call->isAssignmentOp() || call->getOperator() == OO_PlusPlus ? root_of(call->getArg(0)) : nullptr;
    const auto* method = dyn_cast<CXXMemberCallExpr>(&at);
    return method != nullptr ? root_of(method->getImplicitObjectArgument()) : nullptr;
  }

  /// Whether it was changed by another operation before: `s += i; s *= 3`. Sums are the same however they are grouped, but not these.
  bool is_by_another(const Expr& at, const VarDecl* variable) {
    const auto* assignment = dyn_cast<BinaryOperator>(&at);
    if (!counts(at)) return false;
    const auto written = assignment != nullptr ? assignment->getOpcode() : BO_AddAssign;
    const auto operation = written == BO_SubAssign ? BO_AddAssign : written;
    return operation_.emplace(variable, operation).first->second != operation;
  }

  /// An expression whose value nobody uses.
  void whole(const Expr* at) {
    if (const auto* to = changed_by(*at); to != nullptr) {
      if (summed_.count(to) != 0 && is_by_another(*at, to)) found = to;
      for (const Stmt* child : at->children()) used(child, to);
      return;
    }
    if (const auto* call = dyn_cast<CallExpr>(at); call != nullptr && !isa<CXXOperatorCallExpr>(call)) {
      const auto leads_out = [&](const Expr* argument) { return !leads_to_sum(argument) && may_write_to(argument); };
      const bool shows = std::any_of(call->arg_begin(), call->arg_end(), leads_out);
      for (const Expr* argument : call->arguments()) {
        if (shows || !leads_to_sum(argument)) used(argument);  // else it may be the reduction's own operation
      }
      return;
    }
    const auto* either = dyn_cast<BinaryOperator>(at);
    const auto* choice = dyn_cast<ConditionalOperator>(at);
    if (choice != nullptr && changes_sum(choice->getTrueExpr()) && changes_sum(choice->getFalseExpr())) {
      if (!only_sums(choice->getTrueExpr()) || !only_sums(choice->getFalseExpr())) used(choice->getCond());
      statement(choice->getTrueExpr());
      return statement(choice->getFalseExpr());
    }
    if (either != nullptr && either->getOpcode() == BO_Comma) {
      statement(either->getLHS());
      return statement(either->getRHS());
    }
    if (either != nullptr && either->isLogicalOp() && changes_sum(either->getRHS())) {
      if (!only_sums(either->getRHS())) used(either->getLHS());
      return statement(either->getRHS());
    }
    used(at);
  }

  /// Whether a function that is handed that may leave a sum there.
  static bool may_write_to(const Expr* argument) {
    const auto type = argument->getType();
    if (type->isPointerType()) return !type->getPointeeType().isConstQualified();
    return argument->isLValue() && !type.isConstQualified();
  }

  /// `&sum`, and what is handed to a reference that may change it.
  [[nodiscard]] bool leads_to_sum(const Expr* argument) const {
    const auto* target = pointed_at(argument);
    const bool may_change = argument->isLValue() && !argument->getType().isConstQualified();
    const auto* root = target != nullptr ? root_of(target) : may_change ? root_of(argument) : nullptr;
    return root != nullptr && summed_.count(root) != 0;
  }

  void used(const Stmt* at, const VarDecl* by = nullptr) {
    if (at == nullptr || found != nullptr) return;
    if (const auto* expression = dyn_cast<Expr>(at)) {
      const auto* variable = named(expression);
      if (variable != nullptr && variable != by && summed_.count(variable) != 0) found = variable;
      const auto* to = changed_by(*expression);
      if (to != nullptr && to != by) by = nullptr;
    }
    if (const auto* lambda = dyn_cast<LambdaExpr>(at)) return statement(lambda->getCallOperator()->getBody());
    for (const Stmt* child : at->children()) used(child, by);
  }

  const variables& summed_;
  std::map<const VarDecl*, BinaryOperatorKind> operation_;  // that changes it
};

}  // namespace

const VarDecl* shown_partly(const Stmt& body, const variables& summed) {
  search all(summed);
  all.statement(&body);
  return all.found;
}

}  // namespace steelyard::rewriter
