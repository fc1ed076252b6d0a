// SPDX-License-Identifier: Apache-2.0
#include "aliases.hpp"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "nest.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

bool leads_to_what_may_change(QualType type) {
  return (type->isReferenceType() || type->isPointerType()) && !type->getPointeeType().isConstQualified();
}

bool is_in_library(const CXXRecordDecl& type) {
  return type.getASTContext().getSourceManager().isInSystemHeader(type.getLocation());
}

const CXXRecordDecl* defined(QualType type) {
  const auto* its = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return its != nullptr && its->hasDefinition() ? its->getDefinition() : nullptr;
}

/// A smart pointer or iterator of the library: one that is const returns what may be changed.
bool is_pointer_of_library(const CXXRecordDecl& type) {
  return std::any_of(type.method_begin(), type.method_end(), [](const CXXMethodDecl* each) {
    const auto kind = each->getOverloadedOperator();
    const auto* name = each->getIdentifier();
    const bool leads = kind == OO_Star || kind == OO_Arrow || kind == OO_Subscript || isa<CXXConversionDecl>(each) ||
                       (name != nullptr && (name->getName() == "get" || name->getName() == "data"));
    return leads && each->isConst() && leads_to_what_may_change(each->getReturnType());
  });
}

bool reaches(QualType type, int depth);

bool any_base_or_field_reaches(const CXXRecordDecl& type, int depth) {
  return std::any_of(type.bases_begin(), type.bases_end(),
                     [&](const auto& each) { return reaches(each.getType(), depth); }) ||
         std::any_of(type.field_begin(), type.field_end(), [&](const FieldDecl* each) {
           return each->isMutable() || leads_to_what_may_change(each->getType()) || reaches(each->getType(), depth);
         });
}

bool reaches(QualType type, int depth) {
  const auto* its = defined(type);
  if (its == nullptr || depth == 0) return false;
  if (!is_in_library(*its)) return any_base_or_field_reaches(*its, depth - 1);
  if (is_pointer_of_library(*its)) return true;
  const auto* made = dyn_cast<ClassTemplateSpecializationDecl>(its);  // as a pair of pointers
  if (made == nullptr) return false;
  const auto& given = made->getTemplateArgs().asArray();
  return std::any_of(given.begin(), given.end(), [&](const TemplateArgument& each) {
    return each.getKind() == TemplateArgument::Type && reaches(each.getAsType(), depth - 1);
  });
}

constexpr int deep_enough = 6;

/// Whether it is no more than a number, or a container of the library, which has its elements for itself.
bool leads_nowhere(const VarDecl& variable) {
  const auto type = variable.getType();
  const auto* its = defined(type);
  if (its != nullptr) return !reaches(type, deep_enough);
  return !type->isReferenceType() && !type->getBaseElementTypeUnsafe()->isPointerType();
}

/// Variables that are named for more than the number they hold.
void add_mentioned(const Stmt* at, variables& to) {
  if (at == nullptr) return;
  const auto* cast = dyn_cast<ImplicitCastExpr>(at);
  if (cast != nullptr && cast->getCastKind() == CK_LValueToRValue && cast->getType()->isArithmeticType()) return;
  if (const auto* reference = dyn_cast<DeclRefExpr>(at)) {
    const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
    if (variable != nullptr && variable->hasLocalStorage()) to.insert(variable);
  }
  if (const auto* lambda = dyn_cast<LambdaExpr>(at)) {
    for (const Expr* each : lambda->capture_inits()) add_mentioned(each, to);
    return;
  }
  for (const Stmt* child : at->children()) add_mentioned(child, to);
}

void add_declared(const Stmt* at, variables& to) {
  if (at == nullptr) return;
  if (const auto* declaration = dyn_cast<DeclStmt>(at)) {
    for (const Decl* each : declaration->decls()) {
      const auto* variable = dyn_cast<VarDecl>(each);
      if (variable != nullptr && variable->hasLocalStorage()) to.insert(variable);
    }
  }
  for (const Stmt* child : at->children()) add_declared(child, to);
}

bool may_lead_anew(const Expr* at) {
  const auto* root = root_of(at);
  return root != nullptr && root->hasLocalStorage() && !leads_nowhere(*root);
}

/// Whether a call may change where one of its arguments leads: an object whose method is not const, what is handed by reference, `&p`.
bool may_lead_anew(const CallExpr& call) {
  const auto* function = call.getDirectCallee();
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(function);
  const auto* of_member = dyn_cast<CXXMemberCallExpr>(&call);
  const bool constant = method != nullptr && method->isConst();
  if (of_member != nullptr && !constant && may_lead_anew(of_member->getImplicitObjectArgument())) return true;
  const unsigned objects = isa<CXXOperatorCallExpr>(&call) && method != nullptr ? 1 : 0;
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const Expr* argument = plain(call.getArg(i));
    const bool is_object = i < objects;
    const auto* parameter = function != nullptr && !is_object && i - objects < function->getNumParams()
                                ? function->getParamDecl(i - objects)
                                : nullptr;
    const auto* unary = dyn_cast<UnaryOperator>(argument);
    const bool by_address = unary != nullptr && unary->getOpcode() == UO_AddrOf;
    const bool by_reference = is_object ? !constant
                                        : parameter == nullptr || (parameter->getType()->isReferenceType() &&
                                                                   leads_to_what_may_change(parameter->getType()));
    if ((by_address || by_reference) && may_lead_anew(by_address ? unary->getSubExpr() : argument)) return true;
  }
  return false;
}

}  // namespace

bool reaches_elsewhere(QualType type, bool object) {
  if (type->isReferenceType() || type->isPointerType()) type = type->getPointeeType();
  const auto* its = defined(type);
  if (its == nullptr || (object && is_in_library(*its))) return false;
  return reaches(type, deep_enough);
}

aliases::aliases(const Stmt& piece, const variables& own) : own_(own) {
  add_declared(&piece, own_);
  collect(&piece);
}

void aliases::collect(const Stmt* at) {
  if (at == nullptr) return;
  if (const auto* declaration = dyn_cast<DeclStmt>(at)) {
    for (const Decl* each : declaration->decls()) {
      const auto* variable = dyn_cast<VarDecl>(each);
      if (variable == nullptr || !variable->hasInit() || leads_nowhere(*variable)) continue;
      unite_all_in(variable->getInit(), {variable});
    }
  }
  const auto* assignment = dyn_cast<BinaryOperator>(at);
  const bool assigns = assignment != nullptr && assignment->isAssignmentOp();
  const auto* call = dyn_cast<CallExpr>(at);
  if ((assigns && !assignment->getType()->isArithmeticType()) || (call != nullptr && may_lead_anew(*call))) {
    unite_all_in(at, {});
  }
  for (const Stmt* child : at->children()) collect(child);
  if (const auto* lambda = dyn_cast<LambdaExpr>(at)) collect(lambda->getCallOperator()->getBody());
}

void aliases::unite_all_in(const Stmt* at, variables together) {
  add_mentioned(at, together);
  const VarDecl* first = nullptr;
  for (const auto* each : together) {
    if (own_.count(each) == 0) continue;  // who leads to shared memory leads to nothing of the thread's
    const auto* its = first_of(each);
    if (first == nullptr) first = its;
    if (its != first) next_[its] = first;
  }
}

const VarDecl* aliases::first_of(const VarDecl* variable) const {
  for (auto found = next_.find(variable); found != next_.end(); found = next_.find(variable)) variable = found->second;
  return variable;
}

variables aliases::with_others(const variables& some) const {
  variables firsts;
  variables all = some;
  for (const auto* each : some) firsts.insert(first_of(each));
  for (const auto& [variable, next] : next_) {
    if (firsts.count(first_of(variable)) != 0) all.insert(variable);
    if (firsts.count(first_of(next)) != 0) all.insert(next);
  }
  return all;
}

}  // namespace steelyard::rewriter
