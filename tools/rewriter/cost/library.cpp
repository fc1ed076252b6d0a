// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

namespace steelyard::rewriter::cost {

using namespace clang;

namespace {

constexpr llvm::StringLiteral mathematical[] = {"abs",
                                                "labs",
                                                "fabs",
                                                "fabsf",
                                                "sqrt",
                                                "sqrtf",
                                                "sin",
                                                "cos",
                                                "tan",
                                                "sinf",
                                                "cosf",
                                                "exp",
                                                "expf",
                                                "exp2",
                                                "log",
                                                "logf",
                                                "log2",
                                                "log10",
                                                "pow",
                                                "powf",
                                                "cbrt",
                                                "atan",
                                                "atan2",
                                                "atanf",
                                                "asin",
                                                "acos",
                                                "sinh",
                                                "cosh",
                                                "tanh",
                                                "floor",
                                                "ceil",
                                                "round",
                                                "fmod",
                                                "fmin",
                                                "fmax",
                                                "fminf",
                                                "fmaxf",
                                                "floorf",
                                                "ceilf",
                                                "min",
                                                "max",
                                                "hypot",
                                                "isnan",
                                                "isinf",
                                                "rint",
                                                "trunc",
                                                "__builtin_expect"};

constexpr llvm::StringLiteral accessors[] = {"size", "begin",  "end",     "cbegin",   "cend",     "empty",
                                             "data", "length", "front",   "back",     "at",       "get",
                                             "base", "move",   "forward", "distance", "addressof"};

constexpr llvm::StringLiteral waiting[] = {"sem_wait",
                                           "sem_timedwait",
                                           "pthread_cond_wait",
                                           "pthread_cond_timedwait",
                                           "pthread_barrier_wait",
                                           "pthread_join",
                                           "cnd_wait",
                                           "thrd_join",
                                           "usleep",
                                           "sched_yield",
                                           "wait",
                                           "wait_for",
                                           "join",
                                           "acquire"};

constexpr OverloadedOperatorKind observing[] = {OO_Subscript,    OO_Star,       OO_Arrow,       OO_Plus,
                                                OO_Minus,        OO_Less,       OO_LessEqual,   OO_Greater,
                                                OO_GreaterEqual, OO_EqualEqual, OO_ExclaimEqual};

template <typename List, typename Value>
bool is_one_of(const List& list, const Value& value) {
  return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

bool is_of_library(const FunctionDecl& function) {
  for (const auto* scope = function.getDeclContext(); scope != nullptr; scope = scope->getParent()) {
    if (scope->isStdNamespace()) return true;
    const auto* owner = dyn_cast<CXXRecordDecl>(scope);
    if (owner != nullptr && owner->getName() == "__normal_iterator") return true;
  }
  return false;
}

bool is_atomic(const FunctionDecl& function) {
  const auto* owner = dyn_cast<CXXRecordDecl>(function.getDeclContext());
  return owner != nullptr && (owner->getName() == "atomic" || owner->getName() == "__atomic_base");
}

/// The subscript of a map, which makes what is not there.
bool makes_what_is_missing(const FunctionDecl& function) {
  const auto* method = dyn_cast<CXXMethodDecl>(&function);
  if (method == nullptr || method->getOverloadedOperator() != OO_Subscript) return false;
  const auto* owner = method->getParent()->getIdentifier();
  return owner != nullptr && is_one_of(std::array<llvm::StringRef, 2>{"map", "unordered_map"}, owner->getName());
}

}  // namespace

bool is_mathematical(const FunctionDecl& function) {
  if (function.getIdentifier() == nullptr || !is_one_of(mathematical, function.getName())) return false;
  // A program may have functions of these names.
  const auto& sources = function.getASTContext().getSourceManager();
  const bool is_known = function.getBuiltinID() != 0 || sources.isInSystemHeader(function.getLocation());
  if (!is_known || isa<CXXMethodDecl>(function)) return false;
  return std::none_of(function.param_begin(), function.param_end(),
                      [](const ParmVarDecl* each) { return each->getType()->isPointerType(); });
}

bool is_accessor(const FunctionDecl& function) {
  if (!is_of_library(function) || makes_what_is_missing(function)) return false;
  if (function.getIdentifier() != nullptr) return is_one_of(accessors, function.getName());
  return is_one_of(observing, function.getOverloadedOperator()) ||
         (isa<CXXConversionDecl>(function) && !is_atomic(function));
}

bool may_throw(const FunctionDecl& accessor) {
  if (accessor.getIdentifier() == nullptr) return false;
  if (accessor.getName() == "at") return true;
  if (accessor.getName() != "get" || accessor.getNumParams() != 1) return false;
  const auto* of = accessor.getParamDecl(0)->getType().getNonReferenceType()->getAsCXXRecordDecl();
  return of != nullptr && of->getIdentifier() != nullptr && of->getName() == "variant";
}

bool waits(const FunctionDecl& function) {
  return function.getIdentifier() != nullptr && is_one_of(waiting, function.getName());
}

bool calls_anything(const FunctionDecl& function) {
  static constexpr llvm::StringLiteral holders[] = {"function",     "move_only_function", "copyable_function",
                                                    "function_ref", "packaged_task",      "_Bind"};
  const auto* owner = dyn_cast<CXXRecordDecl>(function.getDeclContext());
  if (owner == nullptr || owner->getIdentifier() == nullptr || function.getOverloadedOperator() != OO_Call)
    return false;
  const auto& sources = function.getASTContext().getSourceManager();
  return is_one_of(holders, owner->getName()) && sources.isInSystemHeader(function.getLocation());
}

const Expr* atomic_target(const Expr& at) {
  if (const auto* atomic = dyn_cast<AtomicExpr>(&at)) return atomic->getPtr();
  const auto* call = dyn_cast<CallExpr>(&at);
  const auto* callee = call == nullptr ? nullptr : call->getDirectCallee();
  if (callee == nullptr || callee->getIdentifier() == nullptr || call->getNumArgs() == 0) return nullptr;
  const auto name = callee->getName();
  return name.starts_with("__sync_") || name.starts_with("__atomic_") ? call->getArg(0) : nullptr;
}

}  // namespace steelyard::rewriter::cost
