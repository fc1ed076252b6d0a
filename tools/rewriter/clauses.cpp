// SPDX-License-Identifier: Apache-2.0
#include "clauses.hpp"

#include <set>

#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtOpenMP.h>

#include "loops.hpp"
#include "nest.hpp"
#include "text.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

class reader {
 public:
  reader(const worksharing_loop& loop, const unit_text& text) : loop_(loop), text_(text) {}

  clause_texts all() {
    for (const OMPClause* clause : loop_.directive->clauses()) {
      if (!clause->isImplicit() && clause->getBeginLoc().isValid()) one(*clause);
    }
    // Variables of the loops that are declared outside of them are private all the same.
    for (const auto& each : loop_.nest) {
      if (!each.declared_here) add_private(each.variable);
    }
    for (const auto* each : found_.last) add_private(each);
    return found_;
  }

 private:
  void one(const OMPClause& clause) {
    if (const auto* own = dyn_cast<OMPPrivateClause>(&clause)) note_private(*own);
    if (const auto* own = dyn_cast<OMPFirstprivateClause>(&clause)) note_private(*own);
    if (const auto* last = dyn_cast<OMPLastprivateClause>(&clause)) {
      for (const Expr* each : last->varlists()) found_.last.push_back(named(each));
    }
    // The end of nowait is where the next clause begins.
    const auto kind = clause.getClauseKind();
    const bool alone = kind == llvm::omp::OMPC_nowait;
    const auto text = alone ? " nowait" : " " + text_.line_of(SourceRange(clause.getBeginLoc(), clause.getEndLoc()));
    switch (kind) {
      case llvm::omp::OMPC_schedule:
      case llvm::omp::OMPC_collapse:
        break;
      case llvm::omp::OMPC_safelen:
      case llvm::omp::OMPC_simdlen:
      case llvm::omp::OMPC_aligned:
      case llvm::omp::OMPC_nontemporal:
      case llvm::omp::OMPC_lastprivate:
        found_.simd += text;
        break;
      case llvm::omp::OMPC_private:
      case llvm::omp::OMPC_reduction:
        found_.simd += text;
        [[fallthrough]];
      default:
        found_.construct += text;
    }
  }

  template <class Clause>
  void note_private(const Clause& clause) {
    for (const Expr* each : clause.varlists()) privates_.insert(named(each));
  }

  void add_private(const VarDecl* variable) {
    if (privates_.insert(variable).second) found_.construct += " private(" + variable->getNameAsString() + ")";
  }

  const worksharing_loop& loop_;
  const unit_text& text_;
  clause_texts found_;
  std::set<const VarDecl*> privates_;
};

std::string refused(const OMPClause& clause) {
  switch (clause.getClauseKind()) {
    case llvm::omp::OMPC_ordered:
      return "ordered";
    case llvm::omp::OMPC_linear:
      return "linear";
    case llvm::omp::OMPC_order:
      return "order";
    case llvm::omp::OMPC_allocate:
      return "allocate";
    default:
      break;
  }
  if (const auto* reduction = dyn_cast<OMPReductionClause>(&clause)) {
    const auto modifier = reduction->getModifier();
    if (modifier != OMPC_REDUCTION_unknown && modifier != OMPC_REDUCTION_default) return "a reduction with a modifier";
  }
  const auto* condition = dyn_cast<OMPIfClause>(&clause);
  if (condition != nullptr && condition->getNameModifier() == llvm::omp::OMPD_simd) return "if of simd";
  return "";
}

/// The value of the last iteration is copied by assignment, so arrays and members stay as they are; so do the variables
/// of collapsed loops and iterators, which have other values behind the last iteration than behind the loop. Compilers have all threads
/// copy what is firstprivate, too, before the last value is.
std::string lastprivate_refused(const worksharing_loop& loop, const OMPLastprivateClause& clause) {
  if (clause.getKind() != OMPC_LASTPRIVATE_unknown) return "lastprivate with a modifier";
  for (const Expr* each : clause.varlists()) {
    const auto* variable = named(each);
    if (variable == nullptr || variable->getType().getNonReferenceType()->isArrayType()) {
      return "lastprivate of more than a variable";
    }
    if (simply_named(each) == nullptr) return "lastprivate of a variable with a qualified name";
    if (variable->getStorageClass() == SC_Register) return "lastprivate of a register variable";
    if (any_firstprivate(loop, [&](const Expr& first) { return named(&first) == variable; }))
      return "a variable that is firstprivate and lastprivate";
    for (const auto& counted : loop.nest) {
      if (counted.variable != variable) continue;
      if (loop.nest.size() > 1) return "lastprivate of a variable of collapsed loops";
      if (counted.kind == counter::iterator) return "lastprivate of an iterator";
    }
  }
  return "";
}

}  // namespace

clause_texts read_clauses(const worksharing_loop& loop, const unit_text& text) { return reader(loop, text).all(); }

bool any_firstprivate(const worksharing_loop& loop, llvm::function_ref<bool(const Expr&)> is) {
  for (const auto* clause : loop.directive->getClausesOfKind<OMPFirstprivateClause>()) {
    if (llvm::any_of(clause->varlists(), [&](const Expr* each) { return is(*each); })) return true;
  }
  return false;
}

std::string clauses_refused(const worksharing_loop& loop) {
  for (const OMPClause* clause : loop.directive->clauses()) {
    if (clause->isImplicit()) continue;
    auto why = refused(*clause);
    const auto* last = dyn_cast<OMPLastprivateClause>(clause);
    if (why.empty() && last != nullptr) why = lastprivate_refused(loop, *last);
    if (!why.empty()) return why;
  }
  if (loop.simd && loop.nest.size() > 1) return "simd of collapsed loops";
  if (loop.simd && !loop.nest.front().declared_here)
    return "simd with a variable that has its last value behind the loop";
  if (loop.simd && loop.nest.front().kind != counter::integer && loop.nest.front().kind != counter::pointer) {
    return "simd over iterators";
  }
  return "";
}

}  // namespace steelyard::rewriter
