// SPDX-License-Identifier: Apache-2.0
#include "weights.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringMap.h>

#include "effects.hpp"

namespace steelyard::rewriter::cost {

using namespace clang;

namespace {

constexpr double simple = 1;
constexpr double memory = 2;
constexpr double division = 10;
constexpr double branch = 1;
constexpr double unseen_call = 20;
constexpr double short_call = 2;
constexpr double allocation = 50;
constexpr double atomic = 20;

double of_library(const FunctionDecl& callee) {
  static const llvm::StringMap<double> weights = {
      {"abs", 1},     {"fabs", 1},  {"min", 2},   {"max", 2},   {"sqrt", 15}, {"floor", 3}, {"ceil", 3},
      {"exp", 20},    {"log", 20},  {"pow", 50},  {"sin", 25},  {"cos", 25},  {"tan", 30},  {"printf", 300},
      {"malloc", 50}, {"free", 30}, {"rand", 20}, {"fmod", 20}, {"hypot", 20}};
  if (callee.getIdentifier() == nullptr) return short_call;
  auto name = callee.getName();
  auto found = weights.find(name);
  if (found == weights.end() && name.ends_with("f")) found = weights.find(name.drop_back());
  if (found != weights.end()) return found->second;
  return is_accessor(callee) ? short_call : unseen_call;
}

double of_binary(const BinaryOperator& operation) {
  const auto code = operation.getOpcode();
  const bool divides = code == BO_Div || code == BO_Rem || code == BO_DivAssign || code == BO_RemAssign;
  if (divides) return division;
  if (code == BO_Assign || code == BO_Comma) return 0;
  return operation.isLogicalOp() ? branch : simple;
}

double of_expression(const Expr& at) {
  if (const auto* operation = dyn_cast<BinaryOperator>(&at)) return of_binary(*operation);
  if (const auto* operation = dyn_cast<UnaryOperator>(&at)) {
    return operation->getOpcode() == UO_Deref ? memory : (operation->getOpcode() == UO_AddrOf ? 0 : simple);
  }
  if (isa<ArraySubscriptExpr>(at)) return memory;
  if (const auto* member = dyn_cast<MemberExpr>(&at))
    return member->isArrow() && !member->isImplicitAccess() ? memory : 0;
  if (isa<ConditionalOperator>(at)) return branch;
  if (isa<CXXNewExpr, CXXDeleteExpr, CXXThrowExpr>(at)) return allocation;
  if (const auto* cast = dyn_cast<CastExpr>(&at)) {
    const auto kind = cast->getCastKind();
    return kind == CK_IntegralToFloating || kind == CK_FloatingToIntegral ? simple : 0;
  }
  return 0;
}

}  // namespace

double weight_of_call(const CallExpr& call, const std::string& only_calls_of) {
  const auto* callee = call.getDirectCallee();
  if (!only_calls_of.empty())
    return callee != nullptr && callee->getIdentifier() != nullptr && callee->getName() == only_calls_of ? 1 : 0;
  if (atomic_target(call) != nullptr) return atomic;
  return callee == nullptr ? unseen_call : of_library(*callee);
}

double weight_of(const Stmt* at, const std::string& only_calls_of) {
  const auto* expression = dyn_cast_or_null<Expr>(at);
  if (expression == nullptr || !only_calls_of.empty()) return 0;
  return isa<AtomicExpr>(expression) ? atomic : of_expression(*expression);
}

}  // namespace steelyard::rewriter::cost
