// SPDX-License-Identifier: Apache-2.0
#include "effects.hpp"

#include <algorithm>
#include <iterator>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

namespace steelyard::rewriter::cost {

using namespace clang;

const FunctionDecl* body_of(const FunctionDecl* function) {
  const FunctionDecl* defined = nullptr;
  return function != nullptr && function->hasBody(defined) ? defined : nullptr;
}

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

}  // namespace

bool is_mathematical(const FunctionDecl& function) {
  return function.getIdentifier() != nullptr && is_one_of(mathematical, function.getName());
}

bool is_accessor(const FunctionDecl& function) {
  if (!is_of_library(function)) return false;
  if (function.getIdentifier() != nullptr) return is_one_of(accessors, function.getName());
  return is_one_of(observing, function.getOverloadedOperator()) || isa<CXXConversionDecl>(function);
}

const Expr* atomic_target(const Expr& at) {
  if (const auto* atomic = dyn_cast<AtomicExpr>(&at)) return atomic->getPtr();
  const auto* call = dyn_cast<CallExpr>(&at);
  const auto* callee = call == nullptr ? nullptr : call->getDirectCallee();
  if (callee == nullptr || callee->getIdentifier() == nullptr || call->getNumArgs() == 0) return nullptr;
  const auto name = callee->getName();
  return name.starts_with("__sync_") || name.starts_with("__atomic_") ? call->getArg(0) : nullptr;
}

bool program::is_system(const Decl* declaration) const {
  return context_.getSourceManager().isInSystemHeader(declaration->getLocation());
}

const effects* program::of(const FunctionDecl* function) {
  function = body_of(function);
  if (function == nullptr) return nullptr;
  const auto known = known_.find(function);
  if (known != known_.end()) return known->second.get();
  known_[function] = nullptr;
  auto found = std::make_unique<effects>(*this);
  found->add(function->getBody());
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function)) {
    for (const auto* initializer : constructor->inits()) found->add(initializer->getInit());
  }
  return (known_[function] = std::move(found)).get();
}

bool program::is_pure(const FunctionDecl* function) {
  if (is_mathematical(*function) || is_accessor(*function)) return true;
  if (const auto* method = dyn_cast<CXXMethodDecl>(function); method != nullptr && method->isDefaulted()) {
    if (method->isTrivial()) return true;
  }
  if (const auto* method = dyn_cast<CXXMethodDecl>(function); method != nullptr && method->isVirtual()) return false;
  const auto* inside = of(function);
  if (inside == nullptr || !inside->harmless() || !inside->unseen().empty()) return false;
  for (const auto& each : inside->writes()) {
    const auto* variable = dyn_cast_or_null<VarDecl>(each.root);
    const bool own = variable != nullptr && variable->hasLocalStorage() && (each.direct || is_local_object(variable));
    const bool made = isa<CXXConstructorDecl>(function) && isa_and_nonnull<CXXRecordDecl>(each.root);
    if (!own && !made) return false;
  }
  return true;
}

const std::set<const Expr*>& effects::definitions(const VarDecl* variable) const {
  static const std::set<const Expr*> none;
  const auto found = definitions_.find(variable);
  return found == definitions_.end() ? none : found->second;
}

/// Follows local pointers and references to what they were set from.
const Decl* effects::last_root(const Decl* root) const {
  for (int steps = 0; steps < 8; ++steps) {
    const auto* variable = dyn_cast_or_null<VarDecl>(root);
    if (variable == nullptr) return root;
    const auto type = variable->getType();
    if (!type->isPointerType() && !type->isReferenceType()) return root;
    const Decl* from = nullptr;
    bool first = true;
    for (const auto* value : definitions(variable)) {
      const auto* next = root_of(value);
      if (next == variable) continue;
      if (!first && next != from) return nullptr;
      from = next;
      first = false;
    }
    if (first) return root;  // never set here
    root = from;
  }
  return nullptr;
}

std::vector<place> effects::writes() const {
  auto all = writes_;
  for (auto& each : all) {
    if (!each.direct) each.root = last_root(each.root);
  }
  return all;
}

std::string effects::why_written(place read) const {
  if (!read.direct) read.root = last_root(read.root);
  const auto* variable = dyn_cast_or_null<VarDecl>(read.root);
  const bool own = variable != nullptr && variable->hasLocalStorage() && (read.direct || is_local_object(variable));
  const bool constant = !read.type.isNull() && read.type.getNonReferenceType().isConstQualified();
  if (!unseen_.empty() && !own && !constant) return unseen_ + " may write what the cost reads";
  for (const auto& each : writes()) {
    if (!may_overlap(read, each, whole_->context())) continue;
    const auto* named = dyn_cast_or_null<NamedDecl>(read.root);
    return "the loop may write " + (named == nullptr ? std::string("what the cost reads") : named->getNameAsString());
  }
  return "";
}

void effects::write(const Expr* lvalue, const Expr* value) {
  const auto to = place_of(lvalue);
  writes_.push_back(to);
  if (const auto* variable = dyn_cast_or_null<VarDecl>(to.root)) {
    if (to.direct) definitions_[variable].insert(value);
  }
}

/// A pointer or reference that unseen code gets and may write through.
void effects::hand_over(const Expr* argument, QualType parameter) {
  const auto type = parameter.isNull() ? argument->getType() : parameter;
  if (!type->isPointerType() && !type->isReferenceType() && !argument->getType()->isArrayType()) return;
  const auto pointee = type->getPointeeType();
  if (!pointee.isNull() && pointee.isConstQualified()) return;
  const auto* root = root_of(argument);
  const bool any = pointee.isNull() || pointee->isVoidType();
  const auto* taken = dyn_cast<UnaryOperator>(bare(argument));
  if ((taken != nullptr && taken->getOpcode() == UO_AddrOf) || type->isReferenceType()) {
    write(taken != nullptr ? taken->getSubExpr() : argument, argument);
    return;
  }
  writes_.push_back({root, nullptr, any ? QualType() : pointee, false});
}

namespace {

/// Whether the place is all that a reference refers to.
bool is_referred(const VarDecl& reference, const place& there) {
  if (!reference.getType()->isReferenceType() || there.type.isNull()) return false;
  return there.type.getCanonicalType().getUnqualifiedType() ==
         reference.getType().getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

}  // namespace

void effects::take_over(const effects& callee, const FunctionDecl& function, const Expr* object,
                        const std::vector<const Expr*>& arguments) {
  const auto at_call = [&](place there, bool written) {
    const auto* parameter = dyn_cast_or_null<ParmVarDecl>(there.root);
    const auto* variable = dyn_cast_or_null<VarDecl>(there.root);
    if (isa_and_nonnull<CXXRecordDecl>(there.root)) {
      if (isa<CXXConstructorDecl>(function)) return;  // of an object that did not exist before
      there.root = object == nullptr ? nullptr : root_of(object);
    } else if (parameter != nullptr && parameter->getDeclContext() == &function) {
      if (there.direct || is_local_object(parameter)) return;
      const auto index = parameter->getFunctionScopeIndex();
      const auto* argument = index < arguments.size() ? arguments[index] : nullptr;
      there.root = argument == nullptr ? nullptr : root_of(argument);
      if (argument != nullptr && there.field == nullptr) there.field = place_of(argument).field;
      if (written && argument != nullptr && is_referred(*variable, there)) return write(argument, argument);
      const auto* taken = argument == nullptr ? nullptr : dyn_cast<UnaryOperator>(bare(argument));
      if (written && taken != nullptr && taken->getOpcode() == UO_AddrOf) return write(taken->getSubExpr(), argument);
    } else if (variable != nullptr && variable->hasLocalStorage()) {
      if (there.direct || is_local_object(variable)) return;
    }
    (written ? writes_ : reads_).push_back(there);
  };
  for (auto each : callee.writes()) at_call(each, true);
  for (auto each : callee.reads_) {
    if (!each.direct) each.root = callee.last_root(each.root);
    at_call(each, false);
  }
  for (const auto& [variable, values] : callee.definitions_)
    definitions_[variable].insert(values.begin(), values.end());
  harmless_ = harmless_ && callee.harmless_;
  if (unseen_.empty()) unseen_ = callee.unseen_;
}

void effects::call(const Expr& site, const FunctionDecl* callee, const Expr* object,
                   std::vector<const Expr*> arguments) {
  if (const auto* target = atomic_target(site)) {
    harmless_ = false;
    writes_.push_back({root_of(target), nullptr, target->getType()->getPointeeType(), false});
    return;
  }
  if (callee == nullptr) {
    unseen_ = "a function over a pointer";
    return;
  }
  if (is_mathematical(*callee)) return;
  if (is_accessor(*callee)) {
    reads_.push_back({object != nullptr ? root_of(object) : (arguments.empty() ? nullptr : root_of(arguments[0])),
                      nullptr, callee->getReturnType().getNonReferenceType(), false});
    return;
  }
  const bool system = whole_->is_system(callee);
  if (const auto* inside = whole_->of(callee); inside != nullptr && !system) {
    take_over(*inside, *callee, object, arguments);
    return;
  }
  harmless_ = false;
  if (const auto* method = dyn_cast<CXXMethodDecl>(callee);
      object != nullptr && method != nullptr && !method->isConst())
    writes_.push_back({root_of(object), nullptr, QualType(), false});
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    hand_over(arguments[i],
              i < callee->getNumParams() ? callee->getParamDecl(static_cast<unsigned>(i))->getType() : QualType());
  }
  if (!system && callee->getBuiltinID() == 0 && body_of(callee) == nullptr) unseen_ = callee->getNameAsString();
}

void effects::call(const CallExpr& site) {
  std::vector<const Expr*> arguments(site.arg_begin(), site.arg_end());
  const auto* callee = site.getDirectCallee();
  const Expr* object = nullptr;
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(&site)) object = member->getImplicitObjectArgument();
  if (isa<CXXOperatorCallExpr>(site) && isa_and_nonnull<CXXMethodDecl>(callee)) {
    object = arguments[0];
    arguments.erase(arguments.begin());
  }
  call(site, callee, object, std::move(arguments));
}

void effects::expression(const Expr& at) {
  if (const auto* binary = dyn_cast<BinaryOperator>(&at); binary != nullptr && binary->isAssignmentOp()) {
    write(binary->getLHS(), binary->isCompoundAssignmentOp() ? binary : binary->getRHS());
  } else if (const auto* unary = dyn_cast<UnaryOperator>(&at); unary != nullptr && unary->isIncrementDecrementOp()) {
    write(unary->getSubExpr(), unary);
  } else if (const auto* atomic = dyn_cast<AtomicExpr>(&at)) {
    call(at, nullptr, nullptr, {atomic->getPtr()});
  } else if (const auto* site = dyn_cast<CallExpr>(&at)) {
    call(*site);
  } else if (const auto* made = dyn_cast<CXXConstructExpr>(&at)) {
    if (!made->getConstructor()->isTrivial() && !made->getConstructor()->isDefaulted())
      call(at, made->getConstructor(), nullptr, {made->arg_begin(), made->arg_end()});
  } else if (isa<CXXNewExpr, CXXDeleteExpr, CXXThrowExpr>(at)) {
    harmless_ = false;
  } else if (isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr>(at)) {
    reads_.push_back(place_of(&at));
  } else if (const auto* star = dyn_cast<UnaryOperator>(&at); star != nullptr && star->getOpcode() == UO_Deref) {
    reads_.push_back(place_of(&at));
  }
}

void effects::add(const Stmt* piece) {
  if (piece == nullptr) return;
  if (const auto* directive = dyn_cast<OMPExecutableDirective>(piece)) {
    if (directive->hasAssociatedStmt()) add(directive->getRawStmt());
    return;
  }
  if (const auto* captured = dyn_cast<CapturedStmt>(piece)) return add(captured->getCapturedStmt());
  if (isa<AsmStmt>(piece)) {
    harmless_ = false;
    unseen_ = "asm";
  }
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(piece)) harmless_ = false;
  if (const auto* declared = dyn_cast<DeclStmt>(piece)) {
    for (const Decl* each : declared->decls()) {
      const auto* variable = dyn_cast<VarDecl>(each);
      if (variable == nullptr) continue;
      if (variable->isStaticLocal()) harmless_ = false;
      if (variable->hasInit()) definitions_[variable].insert(variable->getInit());
    }
  }
  if (const auto* at = dyn_cast<Expr>(piece)) {
    if (isa<UnaryExprOrTypeTraitExpr>(at)) return;
    expression(*at);
  }
  for (const Stmt* child : piece->children()) add(child);
}

}  // namespace steelyard::rewriter::cost
