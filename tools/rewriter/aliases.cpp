// SPDX-License-Identifier: Apache-2.0
#include "aliases.hpp"

#include <algorithm>
#include <iterator>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "nest.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

const CXXRecordDecl* defined(QualType type) {
  const auto* its = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return its != nullptr && its->hasDefinition() ? its->getDefinition() : nullptr;
}

/// A smart pointer or iterator of the library: one that is const returns what may be changed. A stream has a buffer that it may have been handed.
bool is_pointer_of_library(const CXXRecordDecl& type) {
  const auto its = type.getName();
  if (its == "weak_ptr" || its == "basic_ostream" || its == "basic_istream" || its == "basic_iostream") return true;
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
  return made != nullptr && any_type(made->getTemplateArgs().asArray(), [&](QualType each) {
           return leads_to_what_may_change(each) || reaches(each, depth - 1);
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
  const auto all = handed_to(call);
  return std::any_of(all.begin(), all.end(), [&](const handed& each) {
    if (each.is_object) return !calls_const_method(call) && may_lead_anew(each.what);
    if (const auto* target = pointed_at(each.what)) return may_lead_anew(target);
    const auto type = each.parameter == nullptr ? QualType() : each.parameter->getType();
    const bool by_reference = type.isNull() || (type->isReferenceType() && leads_to_what_may_change(type));
    return by_reference && may_lead_anew(each.what);
  });
}

}  // namespace

bool leads_to_what_may_change(QualType type) {
  return (type->isReferenceType() || type->isPointerType()) && !type->getPointeeType().isConstQualified();
}

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
  for (const Stmt* child : at->children()) collect(child);  // of a closure its body, too
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
  for (const auto* each : some) firsts.insert(first_of(each));
  variables all = some;
  std::copy_if(own_.begin(), own_.end(), std::inserter(all, all.end()),
               [&](const VarDecl* each) { return firsts.count(first_of(each)) != 0; });
  return all;
}

}  // namespace steelyard::rewriter
