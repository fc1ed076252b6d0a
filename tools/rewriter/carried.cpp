// SPDX-License-Identifier: Apache-2.0
#include "carried.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>

#include "loops.hpp"
#include "nest.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

using variables = std::set<const VarDecl*>;

/// The variable of a reduction that is only added to, whatever its value: `sum += x` and `++sum`. Null: it is something else.
const VarDecl* added_to(const Expr& expression, const variables& summed) {
  const VarDecl* variable = nullptr;
  if (const auto* assignment = dyn_cast<BinaryOperator>(&expression)) {
    if (assignment->isCompoundAssignmentOp()) variable = named(assignment->getLHS());
  } else if (const auto* unary = dyn_cast<UnaryOperator>(&expression)) {
    if (unary->isIncrementDecrementOp()) variable = named(unary->getSubExpr());
  }
  return variable != nullptr && summed.count(variable) != 0 ? variable : nullptr;
}

/// What a piece does with some variables: which it may read before it writes them, and which it may write.
class access {
 public:
  access(const variables& watched, const variables& summed) : watched_(watched), summed_(summed) {}

  /// Follows the order in which statements run; `skip` is left out.
  void piece(const Stmt* at, const Stmt* skip = nullptr) {
    if (at == nullptr || at == skip) return;
    if (const auto* loop = dyn_cast<ForStmt>(at))
      return of_loop(loop->getInit(), loop->getCond(), loop->getBody(), loop->getInc(), skip);
    if (const auto* loop = dyn_cast<WhileStmt>(at))
      return of_loop(nullptr, loop->getCond(), loop->getBody(), nullptr, skip);
    if (const auto* branch = dyn_cast<IfStmt>(at)) return of_branch(*branch, skip);
    if (const auto* directive = dyn_cast<OMPExecutableDirective>(at)) {
      if (directive->hasAssociatedStmt()) perhaps(directive->getRawStmt(), skip);
      return;
    }
    if (isa<SwitchStmt>(at) || isa<CXXTryStmt>(at) || isa<LambdaExpr>(at) || isa<ConditionalOperator>(at))
      return of_unordered(at, skip);
    if (const auto* declaration = dyn_cast<DeclStmt>(at)) return of_declaration(*declaration);
    if (const auto* expression = dyn_cast<Expr>(at)) return of_expression(*expression);
    for (const Stmt* child : at->children()) piece(child, skip);
  }

  variables exposed;  ///< perhaps read first
  variables written;

 private:
  /// It may run or not: what it writes is not written for sure.
  void perhaps(const Stmt* at, const Stmt* skip) {
    const auto before = settled_;
    piece(at, skip);
    settled_ = before;
  }
  void of_loop(const Stmt* init, const Stmt* condition, const Stmt* body, const Stmt* step, const Stmt* skip) {
    piece(init, skip);
    piece(condition, skip);
    perhaps(body, skip);
    perhaps(step, skip);
  }
  void of_branch(const IfStmt& branch, const Stmt* skip) {
    piece(branch.getInit(), skip);
    piece(branch.getCond(), skip);
    const auto before = settled_;
    piece(branch.getThen(), skip);
    auto then = settled_;
    settled_ = before;
    piece(branch.getElse(), skip);
    for (const auto* each : settled_) {
      if (then.count(each) == 0) then.erase(each);
    }
    variables both;
    for (const auto* each : then) {
      if (settled_.count(each) != 0) both.insert(each);
    }
    settled_ = both;
  }
  void of_unordered(const Stmt* at, const Stmt* skip) {
    const auto before = settled_;
    for (const Stmt* child : at->children()) {
      perhaps(child, skip);
    }
    if (const auto* lambda = dyn_cast<LambdaExpr>(at)) perhaps(lambda->getCallOperator()->getBody(), skip);
    settled_ = before;
  }
  void of_declaration(const DeclStmt& declaration) {
    for (const Decl* each : declaration.decls()) {
      const auto* variable = dyn_cast<VarDecl>(each);
      if (variable == nullptr) continue;
      if (variable->hasInit()) piece(variable->getInit());
      if (variable->getType()->isReferenceType() && variable->hasInit()) written_through(variable->getInit());
      settled_.insert(variable);
    }
  }

  void of_expression(const Expr& given) {
    const Expr* at = plain(&given);
    if (const auto* assignment = dyn_cast<BinaryOperator>(at); assignment != nullptr && assignment->isAssignmentOp())
      return of_assignment(*assignment);
    if (const auto* either = dyn_cast<BinaryOperator>(at); either != nullptr && either->isLogicalOp()) {
      piece(either->getLHS());
      return perhaps(either->getRHS(), nullptr);
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(at)) {
      if (const auto* variable = added_to(*at, summed_); variable != nullptr) return write(variable);
      if (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf) written_through(unary->getSubExpr());
    }
    if (const auto* call = dyn_cast<CallExpr>(at)) of_call(*call);
    if (const auto* variable = named(at)) return read(variable);
    for (const Stmt* child : at->children()) piece(child);
  }
  void of_assignment(const BinaryOperator& assignment) {
    piece(assignment.getRHS());
    const auto* variable = named(assignment.getLHS());
    if (added_to(assignment, summed_) != nullptr) return write(variable);
    if (variable == nullptr || assignment.isCompoundAssignmentOp()) {
      piece(assignment.getLHS());
      written_through(assignment.getLHS());
      return;
    }
    write(variable);
    settled_.insert(variable);
  }
  /// Of a closure, or of an object of the program's own: whether it holds something by reference, that its const methods may change.
  static bool reaches_elsewhere(const Expr* object) {
    const auto type = object->getType();
    const auto* its = (type->isPointerType() ? type->getPointeeType() : type)->getAsCXXRecordDecl();
    if (its == nullptr || !its->hasDefinition()) return false;
    if (its->getASTContext().getSourceManager().isInSystemHeader(its->getLocation())) return false;
    return std::any_of(its->field_begin(), its->field_end(), [](const FieldDecl* each) {
      const auto held = each->getType();
      return (held->isReferenceType() || held->isPointerType()) && !held->getPointeeType().isConstQualified();
    });
  }

  /// What a call may change: an object whose method is not const, and what is handed to a reference.
  void of_call(const CallExpr& call) {
    if (const auto* method = dyn_cast<CXXMemberCallExpr>(&call)) {
      const auto* declaration = method->getMethodDecl();
      const auto* object = method->getImplicitObjectArgument();
      if (declaration == nullptr || !declaration->isConst() || reaches_elsewhere(object)) written_through(object);
    }
    const auto* function = call.getDirectCallee();
    const bool shifted = isa<CXXOperatorCallExpr>(&call) && isa_and_nonnull<CXXMethodDecl>(function);
    for (unsigned i = 0; i < call.getNumArgs(); ++i) {
      const unsigned parameter = shifted ? i - 1 : i;
      const bool object = shifted && i == 0;
      const bool known = function != nullptr && (object || parameter < function->getNumParams());
      const bool constant = known && !reaches_elsewhere(call.getArg(i)) &&
                            (object ? cast<CXXMethodDecl>(function)->isConst()
                                    : !may_change(function->getParamDecl(parameter)->getType()));
      if (!constant) written_through(call.getArg(i));
    }
  }
  static bool may_change(QualType parameter) {
    if (!parameter->isReferenceType() && !parameter->isPointerType()) return false;
    return !parameter->getPointeeType().isConstQualified();
  }

  /// The variable at the root of what is changed: of `a.b[i]` and `*p`, a and p.
  void written_through(const Expr* place) {
    place = plain(place);
    if (const auto* variable = named(place)) {
      write(variable);
      return;
    }
    if (place == nullptr) return;
    for (const Stmt* child : place->children()) {
      if (const auto* inner = dyn_cast_or_null<Expr>(child)) return written_through(inner);  // the first: the object
    }
  }
  void write(const VarDecl* variable) {
    if (watched_.count(variable) != 0) written.insert(variable);
  }
  void read(const VarDecl* variable) {
    if (watched_.count(variable) != 0 && settled_.count(variable) == 0) exposed.insert(variable);
  }

  const variables& watched_;
  const variables& summed_;
  variables settled_;  // written for sure, or declared, on every way that leads here
};

bool is_worksharing_loop(const Stmt& at) {
  const auto* directive = dyn_cast<OMPLoopDirective>(&at);
  return directive != nullptr && isOpenMPWorksharingDirective(directive->getDirectiveKind());
}

/// The worksharing loops of a region, and the variables that are declared outside of them.
void collect(const Stmt* at, std::vector<const OMPLoopDirective*>& loops, variables& declared) {
  if (at == nullptr) return;
  if (is_worksharing_loop(*at)) {
    loops.push_back(cast<OMPLoopDirective>(at));
    return;
  }
  if (const auto* declaration = dyn_cast<DeclStmt>(at)) {
    for (const Decl* each : declaration->decls()) {
      const auto* variable = dyn_cast<VarDecl>(each);
      if (variable != nullptr && variable->hasLocalStorage()) declared.insert(variable);
    }
  }
  if (const auto* directive = dyn_cast<OMPExecutableDirective>(at)) {
    if (directive->hasAssociatedStmt()) collect(directive->getRawStmt(), loops, declared);
    return;
  }
  for (const Stmt* child : at->children()) collect(child, loops, declared);
}

template <class Clause>
void add_variables(const OMPExecutableDirective& directive, variables& to) {
  for (const auto* clause : directive.getClausesOfKind<Clause>()) {
    if (clause->isImplicit()) continue;
    for (const Expr* each : clause->varlists()) {
      if (const auto* variable = named(each)) to.insert(variable);
    }
  }
}

/// Reads, outside of its loops, what the region's threads have.
variables read_outside(const Stmt* at, const variables& watched, const variables& summed) {
  variables found;
  if (at == nullptr || is_worksharing_loop(*at)) return found;
  const auto below = [&](const Stmt* piece) { return read_outside(piece, watched, summed); };
  if (const auto* whole = dyn_cast<Expr>(at); whole != nullptr && added_to(*whole, summed) != nullptr) {
    const auto* assignment = dyn_cast<BinaryOperator>(at);
    return assignment != nullptr ? below(assignment->getRHS()) : found;
  }
  if (const auto* assignment = dyn_cast<BinaryOperator>(at);
      assignment != nullptr && assignment->getOpcode() == BO_Assign) {
    if (named(assignment->getLHS()) != nullptr) return below(assignment->getRHS());
  }
  if (const auto* expression = dyn_cast<Expr>(at)) {
    if (const auto* variable = named(expression); variable != nullptr && watched.count(variable) != 0)
      found.insert(variable);
  }
  const auto* directive = dyn_cast<OMPExecutableDirective>(at);
  if (directive != nullptr) return directive->hasAssociatedStmt() ? below(directive->getRawStmt()) : found;
  if (const auto* declaration = dyn_cast<DeclStmt>(at)) {
    for (const Decl* each : declaration->decls()) {
      const auto* variable = dyn_cast<VarDecl>(each);
      if (variable != nullptr && variable->hasInit()) found.merge(below(variable->getInit()));
    }
    return found;
  }
  for (const Stmt* child : at->children()) found.merge(below(child));
  return found;
}

/// What one loop of the region does with the variables of the region's threads, those aside that it has for itself.
access access_of(const OMPLoopDirective& loop, const variables& watched, const variables& summed, variables& own) {
  own = watched;
  variables privates;
  add_variables<OMPPrivateClause>(loop, privates);
  add_variables<OMPFirstprivateClause>(loop, privates);
  add_variables<OMPReductionClause>(loop, privates);
  for (const auto* each : privates) own.erase(each);
  access found(own, summed);
  found.piece(loop.getRawStmt());
  return found;
}

}  // namespace

std::string carried_by_firstprivate(const worksharing_loop& loop) {
  variables watched;
  add_variables<OMPFirstprivateClause>(*loop.directive, watched);
  variables privates;  // one that is read before it is written has what the thread's last iteration left
  add_variables<OMPPrivateClause>(*loop.directive, privates);
  for (const auto* each : privates) {
    if (each->getType()->isScalarType()) watched.insert(each);
  }
  const variables none;
  access found(watched, none);
  found.piece(loop.body);
  for (const auto* each : found.written) {
    if (found.exposed.count(each) != 0)
      return each->getNameAsString() + " may carry a value from one iteration to the next";
  }
  return "";
}

std::string carried_between_loops(const worksharing_loop& loop) {
  std::vector<const OMPLoopDirective*> loops;
  variables watched;
  collect(loop.region->getRawStmt(), loops, watched);
  add_variables<OMPPrivateClause>(*loop.region, watched);
  add_variables<OMPFirstprivateClause>(*loop.region, watched);
  variables summed;
  add_variables<OMPReductionClause>(*loop.region, summed);
  watched.insert(summed.begin(), summed.end());
  variables own;
  variables exposed = read_outside(loop.region->getRawStmt(), watched, summed);
  variables written;
  for (const auto* each : loops) {
    const auto found = access_of(*each, watched, summed, own);
    exposed.insert(found.exposed.begin(), found.exposed.end());
    written.insert(found.written.begin(), found.written.end());
  }
  const auto mine = access_of(*cast<OMPLoopDirective>(loop.directive), watched, summed, own);
  const auto carried = [&](const VarDecl* each) {
    const bool writes = mine.written.count(each) != 0 && exposed.count(each) != 0;
    return writes || (mine.exposed.count(each) != 0 && written.count(each) != 0);
  };
  for (const auto* each : watched) {
    if (carried(each)) return each->getNameAsString() + " of each thread is written in one loop and read in another";
  }
  return "";
}

bool has_nowait(const Stmt& piece) {
  const auto* directive = dyn_cast<OMPExecutableDirective>(&piece);
  if (directive != nullptr) {
    if (directive->getSingleClause<OMPNowaitClause>() != nullptr) return true;
    return directive->hasAssociatedStmt() && has_nowait(*directive->getRawStmt());
  }
  for (const Stmt* child : piece.children()) {
    if (child != nullptr && has_nowait(*child)) return true;
  }
  return false;
}

}  // namespace steelyard::rewriter
