// SPDX-License-Identifier: Apache-2.0
#include "partial.hpp"

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
    for (const Stmt* child : at->children()) {
      if (child != condition) statement(child);
    }
  }

  const VarDecl* found = nullptr;

 private:
  /// An expression whose value nobody uses.
  void whole(const Expr* at) {
    if (const auto* assignment = dyn_cast<BinaryOperator>(at); assignment != nullptr && assignment->isAssignmentOp()) {
      const auto* to = root_of(assignment->getLHS());
      used(assignment->getRHS(), to);
      return used(assignment->getLHS(), to);
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(at); unary != nullptr && unary->isIncrementDecrementOp())
      return used(unary->getSubExpr(), root_of(unary->getSubExpr()));
    if (isa<CallExpr>(at)) return;  // of the reduction's own operation, as far as can be seen
    if (const auto* either = dyn_cast<BinaryOperator>(at); either != nullptr && either->isLogicalOp())
      return statement(either->getRHS());
    if (const auto* either = dyn_cast<ConditionalOperator>(at)) {
      statement(either->getTrueExpr());
      return statement(either->getFalseExpr());
    }
    used(at);
  }

  void used(const Stmt* at, const VarDecl* by = nullptr) {
    if (at == nullptr || found != nullptr) return;
    if (const auto* expression = dyn_cast<Expr>(at)) {
      const auto* variable = named(expression);
      if (variable != nullptr && variable != by && summed_.count(variable) != 0) found = variable;
    }
    if (const auto* lambda = dyn_cast<LambdaExpr>(at)) return statement(lambda->getCallOperator()->getBody());
    for (const Stmt* child : at->children()) used(child, by);
  }

  const variables& summed_;
};

}  // namespace

const VarDecl* shown_partly(const Stmt& body, const variables& summed) {
  search all(summed);
  all.statement(&body);
  return all.found;
}

}  // namespace steelyard::rewriter
