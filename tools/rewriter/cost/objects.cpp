// SPDX-License-Identifier: Apache-2.0
// What making, copying and destroying objects writes and reads, and over what else they may be reached.
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include "effects.hpp"

namespace steelyard::rewriter::cost {

using namespace clang;

namespace {

/// What an object is made of in the end: the numbers and pointers in it, and in its bases. A union, or what is not known, is a type of null.
template <typename Found>
void each_member(QualType type, const Found& found, const FieldDecl* field = nullptr) {
  while (const auto* array = type->getAsArrayTypeUnsafe()) type = array->getElementType();
  const auto* record = type->getAsRecordDecl();
  if (record == nullptr) return found(field, type);
  record = record->getDefinition();
  if (record == nullptr || record->isUnion()) return found(nullptr, QualType());
  if (const auto* derived = dyn_cast<CXXRecordDecl>(record)) {
    for (const auto& base : derived->bases()) each_member(base.getType(), found);
  }
  for (const auto* each : record->fields()) each_member(each->getType(), found, each);
}

}  // namespace

/// An object is copied, member by member.
void effects::read_members(const Expr& object) {
  auto from = place_of(&object);
  from.direct = false;
  each_member(object.getType(), [&](const FieldDecl* field, QualType type) {
    from.field = field;
    from.type = type;
    read(from);
  });
}

/// Made by a constructor; one that the compiler has written copies or moves each member.
void effects::make(const CXXConstructExpr& made) {
  const auto* constructor = made.getConstructor();
  if (constructor->isDefaulted() && constructor->isCopyOrMoveConstructor() && !made.isElidable()) {
    read_members(*made.getArg(0));
    const auto from = place_of(made.getArg(0));
    if (constructor->isMoveConstructor() && !constructor->isTrivial())
      writes_.insert({from.root, from.field, QualType(), false, from.within});
  }
  const bool has_body =
      !constructor->isDefaulted() || (!whole_->is_system(constructor) && whole_->of(constructor) != nullptr);
  if (!constructor->isTrivial() && has_body) call(made, constructor, nullptr, {made.arg_begin(), made.arg_end()});
}

void effects::allocate(const CXXNewExpr& fresh) {
  harmless_ = false;
  const auto* by = fresh.getOperatorNew();
  if (by != nullptr && !whole_->is_system(by) && !by->isReplaceableGlobalAllocationFunction())
    unseen_ = by->getNameAsString();
  for (const auto* place : fresh.placement_arguments()) writes_.insert({root_of(place), nullptr, QualType(), false});
}

/// What the destructors of an object and of all that it holds do.
void effects::destroy(QualType type) {
  while (const auto* array = type->getAsArrayTypeUnsafe()) type = array->getElementType();
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || record->hasTrivialDestructor()) return;
  const auto* destructor = record->getDestructor();
  if (destructor == nullptr || whole_->is_system(record)) {
    harmless_ = false;
    return;
  }
  if (destructor->isUserProvided()) {
    const auto* inside = whole_->of(destructor);
    if (inside == nullptr) {
      unseen_ = destructor->getNameAsString();
    } else {
      take_over(*inside, *body_of(destructor), nullptr, {});
    }
  }
  for (const auto& base : record->bases()) destroy(base.getType());
  for (const auto* field : record->fields()) destroy(field->getType());
}

/// A lambda's own variables get their values where it is made. What it captures by reference may be reached over it.
void effects::capture(const LambdaExpr& lambda) {
  for (const auto& each : lambda.captures()) {
    if (!each.capturesVariable()) continue;
    const auto* variable = dyn_cast<VarDecl>(each.getCapturedVar());
    if (variable == nullptr) continue;
    if (variable->isInitCapture()) {
      definitions_[variable].insert(variable->getInit());
    } else if (each.getCaptureKind() == LCK_ByRef) {
      exposed_.insert(variable);
    }
  }
}

void effects::expose(const Expr* object) {
  if (object != nullptr) exposed_.insert(root_of(object));
}

}  // namespace steelyard::rewriter::cost
