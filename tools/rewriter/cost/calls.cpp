// SPDX-License-Identifier: Apache-2.0
// What calls write and read.
#include <algorithm>
#include <iterator>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "effects.hpp"
#include "library.hpp"
#include "shape.hpp"

namespace steelyard::rewriter::cost {

using namespace clang;

/// A pointer or reference that unseen code gets and may write through.
void effects::hand_over(const Expr* argument, QualType parameter) {
  const auto type = parameter.isNull() ? argument->getType() : parameter;
  if (!argument->getType()->isArrayType() && only_reads(type)) return;
  const auto pointee = type->getPointeeType();
  const auto* root = root_of(argument);
  const bool any = pointee.isNull() || pointee->isVoidType();
  const auto* taken = dyn_cast<UnaryOperator>(bare(argument));
  if ((taken != nullptr && taken->getOpcode() == UO_AddrOf) || type->isReferenceType()) {
    write(taken != nullptr ? taken->getSubExpr() : argument, argument);
    return;
  }
  writes_.insert({root, nullptr, any ? QualType() : pointee, false});
}

namespace {

/// Whether all that an object holds is what its constructor sets: nothing is made of bases, other objects or default initialisers.
bool is_plain(const CXXRecordDecl& record) {
  if (!record.hasDefinition() || !record.hasTrivialDestructor() || record.getNumBases() != 0) return false;
  return std::all_of(record.field_begin(), record.field_end(), [](const FieldDecl* each) {
    return each->getType()->isScalarType() && !each->hasInClassInitializer();
  });
}

/// Whether the value is an object that a constructor makes in sight, of other than an object that there was.
bool is_made_anew(const Expr* value, int depth = 4);

bool returns_made_anew(const Stmt* body, int depth) {
  const auto run = listed(body);
  const auto* back = run.empty() ? nullptr : dyn_cast_or_null<ReturnStmt>(run.back());
  const bool straight = back != nullptr && std::all_of(run.begin(), std::prev(run.end()),
                                                       [](const Stmt* each) { return isa<DeclStmt, NullStmt>(each); });
  return straight && is_made_anew(back->getRetValue(), depth);
}

bool is_made_anew(const Expr* value, int depth) {
  const auto* at = value == nullptr ? nullptr : bare(value);
  if (const auto* call = dyn_cast_or_null<CallExpr>(at); call != nullptr && depth > 0) {
    const auto* callee = body_of(call->getDirectCallee());
    return callee != nullptr && callee->getReturnType()->isRecordType() &&
           returns_made_anew(callee->getBody(), depth - 1);
  }
  const auto* made = dyn_cast_or_null<CXXConstructExpr>(at);
  if (made == nullptr) return false;
  const auto* constructor = made->getConstructor();
  if (constructor->isCopyOrMoveConstructor()) return made->isElidable() && is_made_anew(made->getArg(0), depth);
  return constructor->isUserProvided() && is_plain(*constructor->getParent());
}

/// Whether the place is all that a reference refers to.
bool is_referred(const VarDecl& reference, const place& there) {
  if (!reference.getType()->isReferenceType() || there.type.isNull()) return false;
  return there.type.getCanonicalType().getUnqualifiedType() ==
         reference.getType().getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

}  // namespace

/// Who sets a pointer in an object may set it from what else is given.
void effects::set_pointer(const Expr* object, const place& member, const std::vector<const Expr*>& arguments) {
  if (object == nullptr || member.type.isNull() || !is_handle(member.type)) return;
  const auto* variable = dyn_cast_or_null<VarDecl>(root_of(object));
  if (variable == nullptr) return;
  for (const auto* argument : arguments) {
    if (argument != object && may_lead(*argument)) definitions_[variable].insert(argument);
  }
  partly_set_.insert(variable);
}

void effects::take_over(const effects& callee, const FunctionDecl& function, const Expr* object,
                        const std::vector<const Expr*>& arguments) {
  const bool made_anew = isa<CXXConstructorDecl, CXXDestructorDecl>(function) || is_made_anew(object);
  const bool of_this = object != nullptr && isa<CXXThisExpr>(object->IgnoreParenImpCasts());
  const auto at_call = [&](place there, bool written) {
    there.called = !written;
    const auto* parameter = dyn_cast_or_null<ParmVarDecl>(there.root);
    const auto* variable = dyn_cast_or_null<VarDecl>(there.root);
    if (isa_and_nonnull<CXXRecordDecl>(there.root)) {
      if (written) set_pointer(object, there, arguments);
      // Of an object that did not exist before, or is gone behind the expression.
      if (there.member && made_anew) return;
      there.member = there.member && of_this;
      there.root = object == nullptr ? nullptr : root_of(object);
    } else if (parameter != nullptr && parameter->getDeclContext() == &function) {
      if (there.within || is_local_object(parameter)) return;
      const auto index = parameter->getFunctionScopeIndex();
      const auto* argument = index < arguments.size() ? arguments[index] : nullptr;
      if (written) set_pointer(argument, there, arguments);
      there.root = argument == nullptr ? nullptr : root_of(argument);
      if (argument != nullptr && there.field == nullptr) there.field = place_of(argument).field;
      if (written && argument != nullptr && is_referred(*variable, there)) return write(argument, argument);
      const auto* taken = argument == nullptr ? nullptr : dyn_cast<UnaryOperator>(bare(argument));
      if (written && taken != nullptr && taken->getOpcode() == UO_AddrOf) return write(taken->getSubExpr(), argument);
    } else if (variable != nullptr && is_of(function, *variable)) {
      if (there.within || is_local_object(variable)) return;
      there.root = nullptr;  // who calls it knows nothing of it
    }
    (written ? writes_ : reads_).insert(there);
  };
  for (auto each : callee.writes()) at_call(each, true);
  for (const auto& each : callee.reads_) {
    for (const auto& there : callee.over_last_roots(each)) at_call(there, false);
  }
  for (const auto& [variable, values] : callee.definitions_)
    definitions_[variable].insert(values.begin(), values.end());
  partly_set_.insert(callee.partly_set_.begin(), callee.partly_set_.end());
  harmless_ = harmless_ && callee.harmless_;
  if (unseen_.empty()) unseen_ = callee.unseen_;
}

/// A function of the library changes its object. What iterators do to themselves changes nothing that they lead to.
void effects::change(const Expr& object, const CXXMethodDecl& by, const Expr& with) {
  auto to = place_of(&object);
  const auto which = by.getOverloadedOperator();
  const bool steps = which == OO_PlusPlus || which == OO_MinusMinus || which == OO_PlusEqual || which == OO_MinusEqual;
  const bool itself = to.within && is_handle(object.getType()) && (steps || which == OO_Equal);
  const auto* variable = dyn_cast_or_null<VarDecl>(to.root);
  if (to.direct && variable != nullptr) definitions_[variable].insert(steps ? &object : &with);
  if (!itself) to = {to.root, to.field, QualType(), false, false};
  writes_.insert(to);
}

/// What a function returns may lead to what it is given.
void effects::expose_to(const FunctionDecl& callee, const std::vector<const Expr*>& arguments) {
  if (only_reads(callee.getReturnType())) return;
  for (const auto* parameter : callee.parameters()) {
    const auto index = parameter->getFunctionScopeIndex();
    const auto type = parameter->getType();
    if (index < arguments.size() && type->isReferenceType() && !only_reads(type)) expose(arguments[index]);
  }
}

void effects::call(const Expr& site, const FunctionDecl* callee, const Expr* object,
                   std::vector<const Expr*> arguments) {
  if (const auto* target = atomic_target(site)) {
    harmless_ = false;
    writes_.insert({root_of(target), nullptr, target->getType()->getPointeeType(), false});
    return;
  }
  if (callee == nullptr) {
    unseen_ = "a function over a pointer";
    return;
  }
  if (is_mathematical(*callee) || callee->isNoReturn()) return;  // what ends the program, ends it for the body, too
  if (is_accessor(*callee)) {
    const auto* of = object != nullptr || arguments.empty() ? object : arguments[0];
    const auto from = of == nullptr ? place() : place_of(of);
    read({from.root, from.field, callee->getReturnType().getNonReferenceType(), false});
    harmless_ = harmless_ && !may_throw(*callee);
    return;
  }
  expose_to(*callee, arguments);
  const bool system = whole_->is_system(callee);
  if (calls_anything(*callee)) unseen_ = "a function object";
  if (const auto* inside = system ? nullptr : whole_->of(callee)) {
    take_over(*inside, *body_of(callee), object, arguments);
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    if (method != nullptr && method->isVirtual()) unseen_ = callee->getNameAsString();  // it may be another one
    return;
  }
  harmless_ = false;
  if (const auto* method = dyn_cast<CXXMethodDecl>(callee);
      object != nullptr && method != nullptr && !method->isConst())
    change(*object, *method, arguments.empty() ? site : *arguments.front());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    hand_over(arguments[i],
              i < callee->getNumParams() ? callee->getParamDecl(static_cast<unsigned>(i))->getType() : QualType());
  }
  const bool calls_itself = whole_->is_innermost(callee);  // then its effects are these
  const bool hides = !system && callee->getBuiltinID() == 0 && !calls_itself;
  if (hides || (system && waits(*callee))) unseen_ = callee->getNameAsString();  // or what others write meanwhile
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

}  // namespace steelyard::rewriter::cost
