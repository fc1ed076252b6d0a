// SPDX-License-Identifier: Apache-2.0
#include "carried.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>

#include "access.hpp"
#include "aliases.hpp"
#include "loops.hpp"
#include "nest.hpp"
#include "partial.hpp"
#include "varying.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

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

bool is_private_by_default(const OMPExecutableDirective& directive) {
  const auto* clause = directive.getSingleClause<OMPDefaultClause>();
  const auto kind = clause == nullptr ? llvm::omp::OMP_DEFAULT_unknown : clause->getDefaultKind();
  return kind == llvm::omp::OMP_DEFAULT_firstprivate || kind == llvm::omp::OMP_DEFAULT_private;
}

template <class Clause>
void add_variables(const OMPExecutableDirective& directive, variables& to) {
  for (const auto* clause : directive.getClausesOfKind<Clause>()) {
    if (clause->isImplicit() && !is_private_by_default(directive)) continue;
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

/// What one loop does with the variables of the region's threads, those aside that it has for itself.
touched touched_by(const OMPLoopDirective& loop, const variables& watched, const variables& summed) {
  variables own;
  add_variables<OMPPrivateClause>(loop, own);
  add_variables<OMPFirstprivateClause>(loop, own);
  add_variables<OMPLastprivateClause>(loop, own);
  add_variables<OMPReductionClause>(loop, own);
  variables shared;
  std::set_difference(watched.begin(), watched.end(), own.begin(), own.end(), std::inserter(shared, shared.end()));
  return access::of(*loop.getRawStmt(), shared, summed);
}

/// The first in the order of the text, so that reasons are the same each time.
std::string name_of_first(const variables& some) {
  const auto first = std::min_element(some.begin(), some.end(), [](const VarDecl* one, const VarDecl* other) {
    return one->getLocation().getRawEncoding() < other->getLocation().getRawEncoding();
  });
  return (*first)->getNameAsString();
}

variables in_both(const variables& some, const variables& others) {
  variables both;
  std::set_intersection(some.begin(), some.end(), others.begin(), others.end(), std::inserter(both, both.end()));
  return both;
}

/// Variables that a loop has for itself, and whose values an iteration may find that another one has left.
variables carried_in(const worksharing_loop& loop) {
  variables own;
  add_variables<OMPFirstprivateClause>(*loop.directive, own);
  // One that is read first has what the thread's last iteration left.
  add_variables<OMPPrivateClause>(*loop.directive, own);
  add_variables<OMPLastprivateClause>(*loop.directive, own);
  const aliases same(*loop.body, own);
  const auto watched = same.with_others(own);
  const auto found = access::of(*loop.body, watched, {});
  return in_both(own, in_both(same.with_others(found.written), same.with_others(found.exposed)));
}

bool is_number(const VarDecl* variable) { return variable->getType().getNonReferenceType()->isArithmeticType(); }

}  // namespace

carrying carried_by_own(const worksharing_loop& loop) {
  variables summed;
  add_variables<OMPReductionClause>(*loop.directive, summed);
  if (loop.region != nullptr) add_variables<OMPReductionClause>(*loop.region, summed);
  if (const auto* shown = shown_partly(*loop.body, summed); shown != nullptr)
    return {"what is summed up in " + shown->getNameAsString() + " so far is used", true};
  const auto found = carried_in(loop);
  if (found.empty()) return {};
  variables numbers;
  std::copy_if(found.begin(), found.end(), std::inserter(numbers, numbers.end()), is_number);
  const auto name = name_of_first(numbers.empty() ? found : numbers);
  return {name + " may carry a value from one iteration to the next", !numbers.empty()};
}

std::string carried_between_loops(const worksharing_loop& loop) {
  const Stmt& region = *loop.region->getRawStmt();
  std::vector<const OMPLoopDirective*> loops;
  variables of_threads;
  collect(&region, loops, of_threads);
  add_variables<OMPPrivateClause>(*loop.region, of_threads);
  add_variables<OMPFirstprivateClause>(*loop.region, of_threads);
  variables summed;
  add_variables<OMPReductionClause>(*loop.region, summed);
  of_threads.insert(summed.begin(), summed.end());
  const aliases same(region, of_threads);
  const auto watched = same.with_others(of_threads);
  auto exposed = read_outside(&region, watched, summed);
  variables written;
  touched mine;
  for (const auto* each : loops) {
    auto found = touched_by(*each, watched, summed);
    exposed.insert(found.exposed.begin(), found.exposed.end());
    written.insert(found.written.begin(), found.written.end());
    if (each == loop.directive) mine = std::move(found);
  }
  const auto written_by_me = same.with_others(mine.written);
  const auto read_by_me = same.with_others(mine.exposed);
  auto carried = in_both(written_by_me, same.with_others(exposed));
  carried.merge(in_both(read_by_me, same.with_others(written)));
  carried = in_both(carried, of_threads);
  if (!carried.empty()) return name_of_first(carried) + " of each thread is written in one loop and read in another";
  const auto different = in_both(mine.exposed, varying(region, of_threads, same.with_others(written)));
  return different.empty() ? "" : name_of_first(different) + " may be another in each thread";
}

}  // namespace steelyard::rewriter
