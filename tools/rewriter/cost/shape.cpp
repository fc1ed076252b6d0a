// SPDX-License-Identifier: Apache-2.0
#include "shape.hpp"

#include <algorithm>
#include <cmath>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "effects.hpp"

namespace steelyard::rewriter::cost {

using namespace clang;

namespace {

const VarDecl* variable_of(const Expr* at) {
  const auto* named = dyn_cast_or_null<DeclRefExpr>(at == nullptr ? nullptr : bare(at));
  return named == nullptr ? nullptr : dyn_cast<VarDecl>(named->getDecl());
}

bool read_first(const ForStmt& loop, counted& found) {
  if (const auto* declared = dyn_cast_or_null<DeclStmt>(loop.getInit())) {
    for (const Decl* each : declared->decls()) {
      const auto* variable = dyn_cast<VarDecl>(each);
      if (variable == nullptr || !variable->hasInit()) return false;
      found.beside.push_back(variable);
    }
    return true;  // which of them counts, the condition tells
  }
  const auto* init = dyn_cast_or_null<Expr>(loop.getInit());
  const auto* set = init == nullptr ? nullptr : dyn_cast<BinaryOperator>(bare(init));
  if (set == nullptr || set->getOpcode() != BO_Assign) return false;
  found.variable = variable_of(set->getLHS());
  found.first = set->getRHS();
  return found.variable != nullptr;
}

BinaryOperatorKind mirrored(BinaryOperatorKind compare) {
  switch (compare) {
    case BO_LT:
      return BO_GT;
    case BO_GT:
      return BO_LT;
    case BO_LE:
      return BO_GE;
    case BO_GE:
      return BO_LE;
    default:
      return compare;
  }
}

/// Whether the condition compares this variable.
bool compares(const VarDecl* variable, const Expr* left, const Expr* right, BinaryOperatorKind code, counted& found) {
  const bool straight = variable_of(left) == variable;
  if (!straight && variable_of(right) != variable) return false;
  found.bound = straight ? right : left;
  found.compare = straight ? code : mirrored(code);
  found.variable = variable;
  return true;
}

bool read_condition(const Expr* condition, counted& found) {
  if (condition == nullptr) return false;
  const auto* at = bare(condition);
  const Expr* left = nullptr;
  const Expr* right = nullptr;
  auto code = BO_LT;
  if (const auto* binary = dyn_cast<BinaryOperator>(at)) {
    left = binary->getLHS();
    right = binary->getRHS();
    code = binary->getOpcode();
  } else if (const auto* call = dyn_cast<CXXOperatorCallExpr>(at); call != nullptr && call->isInfixBinaryOp()) {
    left = call->getArg(0);
    right = call->getArg(1);
    if (!call->isComparisonOp()) return false;
    code = BinaryOperator::getOverloadedOpcode(call->getOperator());
  }
  if (left == nullptr || (code != BO_LT && code != BO_LE && code != BO_GT && code != BO_GE && code != BO_NE))
    return false;
  if (found.variable != nullptr) return compares(found.variable, left, right, code, found);
  return std::any_of(found.beside.begin(), found.beside.end(), [&](const VarDecl* each) {
    found.first = each->getInit();
    return compares(each, left, right, code, found);
  });
}

bool read_step(const Expr* increment, counted& found) {
  if (increment == nullptr) return false;
  const auto* at = bare(increment);
  if (const auto* unary = dyn_cast<UnaryOperator>(at); unary != nullptr && unary->isIncrementDecrementOp()) {
    found.up = unary->isIncrementOp();
    return variable_of(unary->getSubExpr()) == found.variable;
  }
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(at)) {
    const auto which = call->getOperator();
    found.up = which == OO_PlusPlus;
    return (found.up || which == OO_MinusMinus) && variable_of(call->getArg(0)) == found.variable;
  }
  const auto* change = dyn_cast<BinaryOperator>(at);
  if (change == nullptr || variable_of(change->getLHS()) != found.variable) return false;
  found.step = change->getRHS();
  found.up = change->getOpcode() == BO_AddAssign;
  if (found.up || change->getOpcode() == BO_SubAssign) return true;
  const auto* sum = dyn_cast<BinaryOperator>(bare(change->getRHS()));  // i = i + 2
  if (change->getOpcode() != BO_Assign || sum == nullptr || !sum->isAdditiveOp() ||
      variable_of(sum->getLHS()) != found.variable)
    return false;
  found.step = sum->getRHS();
  found.up = sum->getOpcode() == BO_Add;
  return true;
}

std::optional<double> value_of(const Expr* at, const ASTContext& context) {
  Expr::EvalResult value;
  if (at == nullptr || at->isInstantiationDependent() || !at->getType()->isIntegerType()) return std::nullopt;
  if (!at->EvaluateAsInt(value, context)) return std::nullopt;
  return value.Val.getInt().isSigned() ? static_cast<double>(value.Val.getInt().getSExtValue())
                                       : static_cast<double>(value.Val.getInt().getZExtValue());
}

}  // namespace

std::optional<counted> read_counted(const ForStmt& loop) {
  counted found;
  if (!read_first(loop, found) || !read_condition(loop.getCond(), found) || !read_step(loop.getInc(), found))
    return std::nullopt;
  const auto type = found.variable->getType();
  if (!type->isIntegerType() && !is_random_access(type)) return std::nullopt;
  if (found.step != nullptr && !found.step->getType()->isIntegerType()) return std::nullopt;
  found.beside.erase(std::remove(found.beside.begin(), found.beside.end(), found.variable), found.beside.end());
  return found;
}

std::optional<double> magnitude(const Expr* step, const ASTContext& context) {
  if (step == nullptr) return 1;
  const auto value = value_of(step, context);
  return value ? std::optional(std::abs(*value)) : std::nullopt;
}

std::optional<double> constant_trips(const counted& loop, const ASTContext& context) {
  const auto first = value_of(loop.first, context);
  const auto bound = value_of(loop.bound, context);
  const auto step = magnitude(loop.step, context);
  if (!first || !bound || !step || *step == 0) return std::nullopt;
  const bool inclusive = loop.compare == BO_LE || loop.compare == BO_GE;
  const double distance = (loop.up ? *bound - *first : *first - *bound) + (inclusive ? 1 : 0);
  return distance <= 0 ? 0 : std::ceil(distance / *step);
}

namespace {

/// A `throw` is an expression.
bool is_jump(const Stmt* at) {
  if (isa_and_nonnull<ContinueStmt, BreakStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(at)) return true;
  const auto* value = dyn_cast_or_null<Expr>(at);
  return value != nullptr && isa<CXXThrowExpr>(bare(value));
}

}  // namespace

bool may_leave(const Stmt* at, bool by_break, bool by_continue) {
  if (at == nullptr || isa<LambdaExpr>(at)) return false;
  if (isa<BreakStmt>(at)) return by_break;
  if (isa<ContinueStmt>(at)) return by_continue;
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, CXXThrowExpr>(at)) return true;
  const bool loops = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(at);
  by_break = by_break && !loops && !isa<SwitchStmt>(at);
  by_continue = by_continue && !loops;
  const auto children = at->children();
  return std::any_of(children.begin(), children.end(),
                     [=](const Stmt* child) { return may_leave(child, by_break, by_continue); });
}

bool has_loop(const Stmt* at) {
  if (at == nullptr) return false;
  if (isa<ForStmt, WhileStmt, CXXForRangeStmt>(at)) return true;
  if (const auto* again = dyn_cast<DoStmt>(at); again != nullptr && !isa<IntegerLiteral>(bare(again->getCond())))
    return true;
  const auto children = at->children();
  return std::any_of(children.begin(), children.end(), has_loop);
}

bool has_compare_exchange(const Stmt* at, int depth) {
  if (at == nullptr || depth == 0) return false;
  if (const auto* atomic = dyn_cast<AtomicExpr>(at)) {
    if (atomic->isCmpXChg()) return true;
  }
  if (const auto* call = dyn_cast<CallExpr>(at); call != nullptr && call->getDirectCallee() != nullptr) {
    const auto* callee = call->getDirectCallee();
    const auto name = callee->getNameAsString();
    if (name.find("compare_exchange") != std::string::npos || name.find("compare_and_swap") != std::string::npos)
      return true;
    const auto* defined = body_of(callee);
    if (defined != nullptr && has_compare_exchange(defined->getBody(), depth - 1)) return true;
  }
  const auto children = at->children();
  return std::any_of(children.begin(), children.end(),
                     [&](const Stmt* child) { return has_compare_exchange(child, depth); });
}

bool is_random_access(QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType()) return true;
  const auto* record = type->getAsCXXRecordDecl();
  return record != nullptr && record->getIdentifier() != nullptr &&
         (record->getName() == "__normal_iterator" || record->getName() == "_Deque_iterator");
}

const Stmt* jump_at_end(const Stmt* at) {
  if (const auto* block = dyn_cast_or_null<CompoundStmt>(at))
    return block->body_empty() ? nullptr : jump_at_end(block->body_back());
  return is_jump(at) ? at : nullptr;
}

bool may_jump(const Stmt* at) {
  auto all = listed(at);
  if (!all.empty() && is_jump(all.back())) all.pop_back();
  return std::any_of(all.begin(), all.end(), [](const Stmt* each) { return may_leave(each); });
}

std::vector<const Stmt*> listed(const Stmt* at) {
  if (at == nullptr) return {};
  if (const auto* block = dyn_cast<CompoundStmt>(at)) return {block->body_begin(), block->body_end()};
  return {at};
}

}  // namespace steelyard::rewriter::cost
