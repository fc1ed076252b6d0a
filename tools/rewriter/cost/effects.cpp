// SPDX-License-Identifier: Apache-2.0
#include "effects.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>

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
    if (may_lead(*part)) add_origins(part, all);
  };
  if (const auto* choice = dyn_cast<ConditionalOperator>(at)) {
    add_origins(choice->getTrueExpr(), all);
    add_origins(choice->getFalseExpr(), all);
  } else if (const auto* made = dyn_cast<CXXConstructExpr>(at)) {
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

/// What a pointer, a reference, an iterator or a view is set from; nothing: no more is seen. What was set before the piece of code counts,
/// too, as far as it is seen; memory that is allocated, or comes from elsewhere, is that of the variable.
std::set<const Decl*> effects::origins_of(const Decl* root) const {
  std::set<const Decl*> from;
  const auto* variable = dyn_cast_or_null<VarDecl>(root);
  if (variable == nullptr || !is_handle(variable->getType())) return from;
  for (const auto* value : definitions(variable)) add_origins(value, from);
  from.erase(variable);
  if (!from.empty() && partly_set_.count(variable) == 0) return from;
  std::set<const Decl*> earlier;
  if (before_ != nullptr) {
    for (const auto* value : before_->definitions(variable)) add_origins(value, earlier);
  }
  for (const auto* value : whole_->values_of_global(*variable)) add_origins(value, earlier);
  std::copy_if(earlier.begin(), earlier.end(), std::inserter(from, from.end()),
               [](const Decl* each) { return isa_and_nonnull<VarDecl, CXXRecordDecl>(each); });
  from.erase(variable);
  return from;
}

namespace {

bool points(const Decl* root) {
  const auto* variable = dyn_cast_or_null<VarDecl>(root);
  return variable != nullptr && (variable->getType()->isPointerType() || variable->getType()->isReferenceType());
}

}  // namespace

/// Follows them to the end. A pointer that is set from an object leads to it, or to what it holds. Where there are several, it may be anything, too.
std::set<const Decl*> effects::last_roots(const Decl* root) const {
  std::set<const Decl*> last;
  std::set<const Decl*> seen;
  std::vector<const Decl*> open = {root};
  while (!open.empty()) {
    const auto* at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) {
      last.insert(nullptr);
      continue;
    }
    const auto from = origins_of(at);
    if (from.size() > 1) last.insert(nullptr);
    if (from.empty()) last.insert(at);
    if (points(at)) std::copy_if(from.begin(), from.end(), std::inserter(last, last.end()), std::not_fn(points));
    if (seen.size() < 64) {
      open.insert(open.end(), from.begin(), from.end());
    } else {
      last.insert(nullptr);
    }
  }
  return last;
}

std::vector<place> effects::over_last_roots(place there) const {
  if (there.within) return {there};
  std::vector<place> all;
  for (const auto* root : last_roots(there.root)) {
    there.root = root;
    all.push_back(there);
  }
  return all;
}

std::vector<place> effects::writes() const {
  std::vector<place> all;
  for (const auto& each : writes_) {
    for (const auto& there : over_last_roots(each)) all.push_back(there);
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

/// Whether a local variable may be reached otherwise than by its name.
bool effects::is_exposed(const VarDecl* variable) const {
  return exposed_.count(variable) != 0 || (before_ != nullptr && before_->exposed_.count(variable) != 0);
}

std::string effects::why_written(const place& read) const {
  std::string why;
  for (const auto& each : over_last_roots(read)) {
    if (why.empty()) why = why_written_there(each);
  }
  return why;
}

std::string effects::why_written_there(const place& read) const {
  const auto* variable = dyn_cast_or_null<VarDecl>(read.root);
  const bool own = variable != nullptr && variable->hasLocalStorage() && (read.within || is_local_object(variable));
  // A pointer to const says nothing of what others do with what it points to.
  const bool constant = variable != nullptr && read.within && is_constant_object(variable->getType());
  if (!unseen_.empty() && (!own || is_exposed(variable)) && !constant)
    return unseen_ + " may write what the cost reads";
  auto over_others = read;  // as one sees it that comes over a pointer
  over_others.root = nullptr;
  over_others.within = over_others.direct = false;
  for (const auto& each : writes()) {
    const bool by_address = each.root == nullptr && is_exposed(variable);
    if (!may_overlap(by_address ? over_others : read, each, whole_->context())) continue;
    const auto* named = dyn_cast_or_null<NamedDecl>(read.root);
    return "the loop may write " + (named == nullptr ? std::string("what the cost reads") : named->getNameAsString());
  }
  return "";
}

void effects::read(place from) {
  from.called = of_callee_;
  reads_.insert(from);
}

void effects::write(const Expr* lvalue, const Expr* value) {
  if (const auto* choice = dyn_cast<ConditionalOperator>(lvalue->IgnoreParens())) {
    write(choice->getTrueExpr(), value);
    return write(choice->getFalseExpr(), value);
  }
  const auto to = place_of(lvalue);
  writes_.insert(to);
  if (const auto* variable = dyn_cast_or_null<VarDecl>(to.root)) {
    const bool leads_elsewhere = to.within && is_handle(lvalue->getType());  // a pointer in it is set
    if (to.direct || leads_elsewhere) definitions_[variable].insert(value);
    if (!to.direct && leads_elsewhere) partly_set_.insert(variable);
  }
}

void effects::expression(const Expr& at) {
  if (const auto* binary = dyn_cast<BinaryOperator>(&at); binary != nullptr && binary->isAssignmentOp()) {
    write(binary->getLHS(), binary->isCompoundAssignmentOp() ? binary : binary->getRHS());
  } else if (const auto* unary = dyn_cast<UnaryOperator>(&at); unary != nullptr && unary->isIncrementDecrementOp()) {
    write(unary->getSubExpr(), unary);
  } else if (unary != nullptr && unary->getOpcode() == UO_AddrOf) {
    expose(unary->getSubExpr());
  } else if (const auto* lambda = dyn_cast<LambdaExpr>(&at)) {
    capture(*lambda);
  } else if (const auto* atomic = dyn_cast<AtomicExpr>(&at)) {
    call(at, nullptr, nullptr, {atomic->getPtr()});
  } else if (const auto* site = dyn_cast<CallExpr>(&at)) {
    call(*site);
  } else if (const auto* made = dyn_cast<CXXConstructExpr>(&at)) {
    make(*made);
  } else if (const auto* inherited = dyn_cast<CXXInheritedCtorInitExpr>(&at)) {
    call(at, inherited->getConstructor(), nullptr, {});
  } else if (const auto* cast = dyn_cast<ImplicitCastExpr>(&at);
             cast != nullptr && cast->getCastKind() == CK_LValueToRValue) {
    if (cast->getType()->isRecordType()) read_members(*cast->getSubExpr());
  } else if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(&at)) {
    destroy(bound->getType());
  } else if (const auto* fresh = dyn_cast<CXXNewExpr>(&at)) {
    allocate(*fresh);
  } else if (const auto* gone = dyn_cast<CXXDeleteExpr>(&at)) {
    harmless_ = false;
    destroy(gone->getDestroyedType());
  } else if (isa<CXXThrowExpr>(at)) {
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
      if (variable->getType()->isReferenceType()) {
        expose(variable->getInit());
      } else if (variable->hasLocalStorage()) {
        destroy(variable->getType());
      }
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
    if (const auto* list = dyn_cast<InitListExpr>(at)) add(list->getArrayFiller());
  }
  for (const Stmt* child : piece->children()) add(child);
}

}  // namespace steelyard::rewriter::cost
