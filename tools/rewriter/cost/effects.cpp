// SPDX-License-Identifier: Apache-2.0
#include "effects.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

#include "shape.hpp"

namespace steelyard::rewriter::cost {

using namespace clang;

const std::set<const Expr*>& effects::definitions(const VarDecl* variable) const {
  static const std::set<const Expr*> none;
  const auto found = definitions_.find(variable);
  return found == definitions_.end() ? none : found->second;
}

namespace {

/// The variables over which a handle leads that is made of the value; null among them: unknown. What is made of numbers alone leads to
/// no memory of others.
void add_origins(const Expr* value, std::set<const Decl*>& all) {
  const auto* at = bare(value);
  const auto each = [&](const Expr* part) {
    if (!part->getType()->isArithmeticType() && !part->getType()->isEnumeralType()) add_origins(part, all);
  };
  if (const auto* made = dyn_cast<CXXConstructExpr>(at)) {
    for (const auto* argument : made->arguments()) each(argument);
  } else if (const auto* list = dyn_cast<InitListExpr>(at)) {
    for (const auto* element : list->inits()) each(element);
  } else if (const auto* lambda = dyn_cast<LambdaExpr>(at)) {
    for (const auto* captured : lambda->capture_inits()) {
      if (captured != nullptr) add_origins(captured, all);
    }
  } else {
    all.insert(root_of(at));
  }
}

}  // namespace

/// Follows pointers, references, iterators and views to what they were set from. What was set before the piece of code counts, too, as
/// far as it is seen; memory that is allocated, or comes from elsewhere, is that of the variable.
const Decl* effects::last_root(const Decl* root) const {
  for (int steps = 0; steps < 8; ++steps) {
    const auto* variable = dyn_cast_or_null<VarDecl>(root);
    if (variable == nullptr || !is_handle(variable->getType())) return root;
    std::set<const Decl*> from;
    for (const auto* value : definitions(variable)) add_origins(value, from);
    if (from.empty() && before_ != nullptr) {
      for (const auto* value : before_->definitions(variable)) add_origins(value, from);
      for (auto at = from.begin(); at != from.end();)
        at = isa_and_nonnull<VarDecl, CXXRecordDecl>(*at) ? std::next(at) : from.erase(at);
    }
    from.erase(variable);
    if (from.empty()) return root;
    if (from.size() > 1) return nullptr;
    root = *from.begin();
  }
  return nullptr;
}

std::vector<place> effects::writes() const {
  std::vector<place> all(writes_.begin(), writes_.end());
  for (auto& each : all) {
    if (!each.within) each.root = last_root(each.root);
  }
  return all;
}

namespace {

/// Whether nobody may write the variable: the elements of an array are const.
bool is_constant_object(QualType type) {
  while (const auto* array = type->getAsArrayTypeUnsafe()) type = array->getElementType();
  return type.isConstQualified() && !type->isReferenceType();
}

}  // namespace

std::string effects::why_written(place read) const {
  if (!read.within) read.root = last_root(read.root);
  const auto* variable = dyn_cast_or_null<VarDecl>(read.root);
  const bool own = variable != nullptr && variable->hasLocalStorage() && (read.within || is_local_object(variable));
  // A pointer to const says nothing of what others do with what it points to.
  const bool constant = variable != nullptr && read.within && is_constant_object(variable->getType());
  if (!unseen_.empty() && !own && !constant) return unseen_ + " may write what the cost reads";
  for (const auto& each : writes()) {
    if (!may_overlap(read, each, whole_->context())) continue;
    const auto* named = dyn_cast_or_null<NamedDecl>(read.root);
    return "the loop may write " + (named == nullptr ? std::string("what the cost reads") : named->getNameAsString());
  }
  return "";
}

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

void effects::read(place from) {
  from.called = of_callee_;
  reads_.insert(from);
}

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

void effects::write(const Expr* lvalue, const Expr* value) {
  const auto to = place_of(lvalue);
  writes_.insert(to);
  if (const auto* variable = dyn_cast_or_null<VarDecl>(to.root)) {
    const bool leads_elsewhere = to.within && is_handle(lvalue->getType());  // a pointer in it is set
    if (to.direct || leads_elsewhere) definitions_[variable].insert(value);
  }
}

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

/// A method that sets a pointer in its object may set it from what it is given.
void effects::set_pointer(const Expr* object, const place& member, const std::vector<const Expr*>& arguments) {
  if (object == nullptr || member.field == nullptr || !is_handle(member.field->getType())) return;
  const auto* variable = dyn_cast_or_null<VarDecl>(root_of(object));
  if (variable == nullptr) return;
  for (const auto* argument : arguments) {
    if (is_handle(argument->getType())) definitions_[variable].insert(argument);
  }
}

void effects::take_over(const effects& callee, const FunctionDecl& function, const Expr* object,
                        const std::vector<const Expr*>& arguments) {
  const bool made_anew = isa<CXXConstructorDecl>(function) || is_made_anew(object);
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
  for (auto each : callee.reads_) {
    if (!each.within) each.root = callee.last_root(each.root);
    at_call(each, false);
  }
  for (const auto& [variable, values] : callee.definitions_)
    definitions_[variable].insert(values.begin(), values.end());
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
    return;
  }
  const bool system = whole_->is_system(callee);
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
  if (!system && callee->getBuiltinID() == 0 && !calls_itself) unseen_ = callee->getNameAsString();
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
    const auto* constructor = made->getConstructor();
    const bool copies = constructor->isCopyOrMoveConstructor() && !made->isElidable();
    if (constructor->isDefaulted() && copies) read_members(*made->getArg(0));
    const bool has_body =
        !constructor->isDefaulted() || (!whole_->is_system(constructor) && whole_->of(constructor) != nullptr);
    if (!constructor->isTrivial() && has_body) call(at, constructor, nullptr, {made->arg_begin(), made->arg_end()});
  } else if (const auto* inherited = dyn_cast<CXXInheritedCtorInitExpr>(&at)) {
    call(at, inherited->getConstructor(), nullptr, {});
  } else if (const auto* cast = dyn_cast<ImplicitCastExpr>(&at);
             cast != nullptr && cast->getCastKind() == CK_LValueToRValue) {
    if (cast->getType()->isRecordType()) read_members(*cast->getSubExpr());
  } else if (isa<CXXNewExpr, CXXDeleteExpr, CXXThrowExpr>(at)) {
    harmless_ = false;
  } else if (isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr>(at)) {
    read(place_of(&at));
  } else if (const auto* star = dyn_cast<UnaryOperator>(&at); star != nullptr && star->getOpcode() == UO_Deref) {
    read(place_of(&at));
  }
}

namespace {

/// The value of an argument, or of a member, that is written at the declaration; null: it is written here.
const Expr* default_of(const Expr& at) {
  if (const auto* argument = dyn_cast<CXXDefaultArgExpr>(&at)) return argument->getExpr();
  const auto* member = dyn_cast<CXXDefaultInitExpr>(&at);
  return member == nullptr ? nullptr : member->getExpr();
}

}  // namespace

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
    if (const auto* written_elsewhere = default_of(*at)) {
      const bool outside = std::exchange(of_callee_, true);
      add(written_elsewhere);
      of_callee_ = outside;
      return;
    }
    expression(*at);
  }
  for (const Stmt* child : piece->children()) add(child);
}

}  // namespace steelyard::rewriter::cost
