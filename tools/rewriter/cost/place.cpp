// SPDX-License-Identifier: Apache-2.0
#include "place.hpp"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringSet.h>

#include "library.hpp"

namespace steelyard::rewriter::cost {

using namespace clang;

const Expr* bare(const Expr* expression) {
  const Expr* last = nullptr;
  while (expression != last) {
    last = expression;
    expression = expression->IgnoreParenCasts()->IgnoreImplicit();
    if (const auto* substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(expression))
      expression = substituted->getReplacement();
  }
  return expression;
}

namespace {

const Expr* pointer_side(const BinaryOperator& operation) {
  if (operation.isAssignmentOp()) return operation.getLHS();
  if (operation.getOpcode() == BO_Comma) return operation.getRHS();
  return operation.getLHS()->getType()->isPointerType() || operation.getLHS()->getType()->isArrayType()
             ? operation.getLHS()
             : operation.getRHS();
}

/// The expression over which this one reaches memory; null: it is the last, or unknown.
const Expr* step_of(const Expr* at) {
  if (const auto* member = dyn_cast<MemberExpr>(at)) return member->getBase();
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(at)) return subscript->getBase();
  if (const auto* unary = dyn_cast<UnaryOperator>(at)) return unary->getSubExpr();
  if (const auto* binary = dyn_cast<BinaryOperator>(at)) return pointer_side(*binary);
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(at)) return call->getNumArgs() == 0 ? nullptr : call->getArg(0);
  if (const auto* call = dyn_cast<CXXMemberCallExpr>(at)) return call->getImplicitObjectArgument();
  if (const auto* made = dyn_cast<CXXConstructExpr>(at)) return made->getNumArgs() == 1 ? made->getArg(0) : nullptr;
  const auto* call = dyn_cast<CallExpr>(at);  // std::get<1>(pair)
  const auto* callee = call == nullptr ? nullptr : call->getDirectCallee();
  return callee != nullptr && call->getNumArgs() != 0 && is_accessor(*callee) ? call->getArg(0) : nullptr;
}

/// The last member on the way to an element: `row` of `g->row[i]`.
const FieldDecl* field_of(const Expr* at) {
  while (at != nullptr) {
    at = bare(at);
    if (const auto* member = dyn_cast<MemberExpr>(at)) return dyn_cast<FieldDecl>(member->getMemberDecl());
    at = step_of(at);
  }
  return nullptr;
}

bool same_type(QualType one, QualType other, const ASTContext& context) {
  one = one.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  other = other.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (one == other) return true;
  const bool integers = one->isIntegralOrEnumerationType() && other->isIntegralOrEnumerationType();
  return integers && context.getTypeSize(one) == context.getTypeSize(other);
}

/// Whether a write of `type` can change what is read there.
bool covers(const place& write, const place& read, const ASTContext& context) {
  if (write.type.isNull() || read.type.isNull()) return true;
  if (same_type(write.type, read.type, context)) return true;
  if (write.type.getNonReferenceType()->isCharType() || write.type->isStdByteType()) return true;  // bytes of anything
  const auto* record = write.type.getNonReferenceType()->getAsRecordDecl();
  if (record == nullptr) return false;
  return write.root == read.root || (read.field != nullptr && read.field->getParent() == record);
}

const BindingDecl* binding_of(const Expr* at) {
  const auto* named = dyn_cast<DeclRefExpr>(at);
  return named == nullptr ? nullptr : dyn_cast<BindingDecl>(named->getDecl());
}

/// What a structured binding names; null: a variable of its own, or it is of a template.
const Expr* bound_to(const BindingDecl& binding) {
  return binding.getHoldingVar() != nullptr ? nullptr : binding.getBinding();
}

}  // namespace

const Decl* root_of(const Expr* expression) {
  while (expression != nullptr) {
    expression = bare(expression);
    if (const auto* binding = binding_of(expression)) {
      expression = bound_to(*binding);
      continue;
    }
    if (const auto* named = dyn_cast<DeclRefExpr>(expression)) return named->getDecl();
    if (isa<CXXThisExpr>(expression)) return expression->getType()->getPointeeCXXRecordDecl();
    if (const auto* choice = dyn_cast<ConditionalOperator>(expression)) {
      const auto* one = root_of(choice->getTrueExpr());
      return one == root_of(choice->getFalseExpr()) ? one : nullptr;
    }
    expression = step_of(expression);
  }
  return nullptr;
}

namespace {

/// The variable, or `this`, of which what is named is a part: over `.`, and elements of arrays. Null: it lies behind a pointer.
const Expr* whole_of(const Expr* at) {
  while (true) {
    at = at->IgnoreParens();
    if (const auto* named = dyn_cast<DeclRefExpr>(at))
      return named->getDecl()->getType()->isReferenceType() ? nullptr : named;
    if (const auto* member = dyn_cast<MemberExpr>(at)) {
      const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
      if (field == nullptr || field->getType()->isReferenceType()) return nullptr;
      at = member->getBase();
      if (member->isArrow()) return dyn_cast<CXXThisExpr>(at->IgnoreParenImpCasts());
    } else if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(at)) {
      const auto* cast = dyn_cast<ImplicitCastExpr>(subscript->getBase()->IgnoreParens());
      if (cast == nullptr || cast->getCastKind() != CK_ArrayToPointerDecay) return nullptr;
      at = cast->getSubExpr();
    } else {
      return nullptr;
    }
  }
}

}  // namespace

place place_of(const Expr* lvalue) {
  const Expr* at = lvalue->IgnoreParens();
  if (const auto* cast = dyn_cast<ImplicitCastExpr>(at)) return place_of(cast->getSubExpr());
  if (const auto* binding = binding_of(at)) {
    const auto* bound = bound_to(*binding);
    return bound != nullptr ? place_of(bound) : place{nullptr, nullptr, at->getType()};
  }
  const auto* named = dyn_cast<DeclRefExpr>(at);
  const bool variable = named != nullptr && !named->getDecl()->getType()->isReferenceType();
  const auto* whole = whole_of(at);
  return {root_of(at),
          field_of(at),
          at->getType(),
          variable,
          isa_and_nonnull<DeclRefExpr>(whole),
          isa_and_nonnull<CXXThisExpr>(whole)};
}

namespace {

/// Classes of the standard library whose pointers lead to memory of their own.
bool owns_memory(const CXXRecordDecl& record) {
  static const llvm::StringSet<> owners = {"vector", "basic_string", "deque",         "list",          "forward_list",
                                           "map",    "set",          "unordered_map", "unordered_set", "unique_ptr"};
  return record.isInStdNamespace() && record.getIdentifier() != nullptr && owners.contains(record.getName());
}

/// Calls `found` with each pointer or reference that the type is or holds, until it says true.
template <typename Found>
bool any_pointer(QualType type, const Found& found, int depth = 0) {
  if (type.isNull() || type->isDependentType() || depth > 8) return found(QualType());
  if (type->isPointerType() || type->isReferenceType()) return found(type->getPointeeType());
  if (type->isMemberPointerType() || type->isBlockPointerType()) return found(QualType());
  if (const auto* array = type->getAsArrayTypeUnsafe()) return any_pointer(array->getElementType(), found, depth + 1);
  const auto* plain = type->getAsRecordDecl();
  const auto* definition = plain == nullptr ? nullptr : plain->getDefinition();
  if (definition == nullptr) return plain != nullptr && found(QualType());
  if (const auto* record = dyn_cast<CXXRecordDecl>(definition)) {
    if (owns_memory(*record)) return false;
    if (std::any_of(record->bases_begin(), record->bases_end(),
                    [&](const CXXBaseSpecifier& each) { return any_pointer(each.getType(), found, depth + 1); }))
      return true;
  }
  return std::any_of(definition->field_begin(), definition->field_end(),
                     [&](const FieldDecl* each) { return any_pointer(each->getType(), found, depth + 1); });
}

}  // namespace

bool is_handle(QualType type) {
  return any_pointer(type, [](QualType) { return true; });
}

bool may_lead(const Expr& value) {
  const bool is_number = value.getType()->isArithmeticType() || value.getType()->isEnumeralType();
  return !is_number || (value.isGLValue() && !isa<MaterializeTemporaryExpr>(value.IgnoreParens()));
}

bool only_reads(QualType type) {
  return !any_pointer(type, [](QualType pointee) { return pointee.isNull() || !pointee.isConstQualified(); });
}

bool is_local_object(const Decl* root) {
  const auto* variable = dyn_cast_or_null<VarDecl>(root);
  return variable != nullptr && variable->hasLocalStorage() && !is_handle(variable->getType());
}

bool is_of(const FunctionDecl& function, const VarDecl& variable) {
  return variable.hasLocalStorage() && !variable.isInitCapture() && function.Encloses(variable.getDeclContext());
}

bool may_overlap(const place& read, const place& write, const ASTContext& context) {
  if (read.direct && write.direct) return read.root == write.root;
  const bool unknown = read.root == nullptr || write.root == nullptr;
  if (!unknown && read.root != write.root) return false;
  if (unknown) {
    const auto& known = read.root == nullptr ? write : read;
    const auto* variable = dyn_cast_or_null<VarDecl>(known.root);
    // A local variable is reached under another name only by its address, which counts as a write of it.
    if (variable != nullptr && variable->hasLocalStorage() && (known.within || is_local_object(variable))) return false;
  }
  if (read.direct != write.direct && !unknown && read.root == write.root) {
    const auto* variable = dyn_cast<VarDecl>(read.root);
    if (variable != nullptr && variable->getType()->isPointerType())
      return false;  // the pointer, and where it points to
  }
  if (read.field != nullptr && write.field != nullptr && read.field != write.field) {
    if (!read.field->getParent()->isUnion()) return false;
    if (read.field->getParent() == write.field->getParent()) return true;  // they share bytes
  }
  return covers(write, read, context);
}

}  // namespace steelyard::rewriter::cost
