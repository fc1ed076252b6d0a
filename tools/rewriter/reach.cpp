// SPDX-License-Identifier: Apache-2.0
#include "reach.hpp"

#include <algorithm>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtOpenMP.h>

#include "access.hpp"
#include "carried.hpp"
#include "clauses.hpp"
#include "loops.hpp"
#include "nest.hpp"
#include "uses.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

/// Whether something in it has no meaning to Clang. What names a variable that was initialised in GCC's way has.
bool contains_error(const Stmt* piece) { return contains_any<RecoveryExpr>(piece); }

bool mentions(const Expr* expression, const VarDecl* variable) {
  if (named(expression) == variable) return true;
  for (const Stmt* child : expression->children()) {
    const auto* inner = dyn_cast_or_null<Expr>(child);
    if (inner != nullptr && mentions(inner, variable)) return true;
  }
  return false;
}

/// Whether an inner loop of the nest counts from or to what an outer one counts.
bool is_rectangular(const worksharing_loop& loop) {
  for (std::size_t outer = 0; outer < loop.nest.size(); ++outer) {
    for (std::size_t inner = outer + 1; inner < loop.nest.size(); ++inner) {
      const auto& below = loop.nest[inner];
      if (below.first == nullptr || below.bound == nullptr) return true;
      if (mentions(below.first, loop.nest[outer].variable) || mentions(below.bound, loop.nest[outer].variable))
        return false;
    }
  }
  return true;
}

/// What `schedule` says: nothing that matters, that the runtime decides, or what may not change. `auto` is static by GCC, and Clang's runtime's.
verdict by_schedule(const worksharing_loop& loop, bool for_clang) {
  const auto* clause = loop.directive->getSingleClause<OMPScheduleClause>();
  if (clause == nullptr || (clause->getScheduleKind() == OMPC_SCHEDULE_auto && !for_clang)) return {};
  if (clause->getScheduleKind() != OMPC_SCHEDULE_static) return {reach::written, "its schedule is the runtime's"};
  if (clause->getChunkSize() != nullptr) return {reach::left, "schedule(static, chunk) promises who runs what"};
  return {};
}

std::string left_because(const worksharing_loop& loop) {
  if (!loop.unfit.empty()) return loop.unfit;
  if (auto why = clauses_refused(loop); !why.empty()) return why;
  for (const auto& each : loop.nest) {
    const bool many = loop.nest.size() > 1 || !loop.others.empty();
    if (each.kind == counter::range && many)
      return "a range-based for that is collapsed, or has several instantiations";
    if (contains_error(each.first) || contains_error(each.bound)) return "Clang does not understand its bounds";
  }
  if (contains_error(loop.body)) return "Clang does not understand its body";
  return is_rectangular(loop) ? "" : "its loops are not rectangular";
}

/// Whether fractions are added to that integer, which loses what is behind the point each time.
bool adds_fractions(const Stmt* piece, const VarDecl* sum) {
  if (piece == nullptr) return false;
  const auto* changed = dyn_cast<BinaryOperator>(piece);
  if (changed != nullptr && changed->isAssignmentOp() && root_of(changed->getLHS()) == sum) {
    const auto* compound = dyn_cast<CompoundAssignOperator>(changed);
    const auto type =
        compound != nullptr ? compound->getComputationLHSType() : changed->getRHS()->IgnoreParenImpCasts()->getType();
    if (type->isFloatingType()) return true;
  }
  return std::any_of(piece->child_begin(), piece->child_end(),
                     [&](const Stmt* child) { return adds_fractions(child, sum); });
}

bool has_float_reduction(const OMPExecutableDirective& directive) {
  for (const auto* clause : directive.getClausesOfKind<OMPReductionClause>()) {
    for (const Expr* each : clause->varlists()) {
      QualType type = each->getType();
      while (const auto* array = type->getAsArrayTypeUnsafe()) type = array->getElementType();
      if (!type->isIntegralOrEnumerationType() || adds_fractions(directive.getRawStmt(), named(each))) return true;
    }
  }
  return false;
}

/// Whether the source around the loop asks for thread numbers; of an orphaned loop, its function.
bool is_asking(const worksharing_loop& loop, ASTContext& context) {
  if (loop.combined) return uses_of(*loop.body, context).asks || uses_of_clauses(*loop.directive, context).asks;
  if (loop.region != nullptr)
    return uses_of(*loop.region->getRawStmt(), context).asks || uses_of_clauses(*loop.region, context).asks;
  return loop.function != nullptr && loop.function->hasBody() && uses_of(*loop.function->getBody(), context).asks;
}

/// Why variables that the directive makes on each thread may differ.
std::string noticed_in_clauses(const OMPExecutableDirective& directive, ASTContext& context) {
  const auto found = uses_of_clauses(directive, context);
  if (!found.thread.empty()) return "an object of its clauses uses " + found.thread;
  return found.unseen.empty() ? "" : "an object of its clauses calls " + found.unseen;
}

/// Why a loop's iterations may not go to any thread: what it uses itself.
std::string noticed_inside(const worksharing_loop& loop, ASTContext& context, bool& left) {
  const auto inside = uses_of(*loop.body, context);
  left = !inside.ordered.empty();
  if (left) return inside.ordered + " in its body";
  if (!inside.thread.empty()) return "its body uses " + inside.thread;
  return inside.unseen.empty() ? noticed_in_clauses(*loop.directive, context) : "its body calls " + inside.unseen;
}

/// And what its region does around it.
std::string noticed_around(const worksharing_loop& loop, ASTContext& context) {
  if (loop.combined) return {};
  if (loop.region == nullptr) return "orphaned: its region is not in this function";
  if (loop.region->getDirectiveKind() != llvm::omp::OMPD_parallel) return "its region is no plain parallel";
  const auto& region = *loop.region->getRawStmt();
  const auto inside = uses_of(region, context);
  if (!inside.thread.empty()) return "its region uses " + inside.thread;
  if (!inside.unseen.empty()) return "its region calls " + inside.unseen;
  if (inside.nowait) return "nowait in its region";
  if (!inside.casts.empty()) return "its region has " + inside.casts;
  if (!inside.within.empty()) return "its region calls " + inside.within + ", which has a loop of its own";
  if (auto why = noticed_in_clauses(*loop.region, context); !why.empty()) return why;
  return carried_between_loops(loop);
}

verdict judge_one(const worksharing_loop& loop, bool for_clang, ASTContext& context) {
  if (auto why = left_because(loop); !why.empty()) return {reach::left, why};
  auto found = by_schedule(loop, for_clang);
  if (found.by != reach::any) return found;
  bool left = false;
  found.reason = noticed_inside(loop, context, left);
  if (left) return {reach::left, found.reason};
  found.asks = is_asking(loop, context);
  found.float_reduction =
      has_float_reduction(*loop.directive) || (loop.region != nullptr && has_float_reduction(*loop.region));
  auto own = carried_by_own(loop);
  found.keeps = own.shows_where_ends;
  if (found.keeps || found.reason.empty()) found.reason = std::move(own.why);
  if (found.reason.empty()) found.reason = noticed_around(loop, context);
  if (!found.reason.empty()) found.by = reach::shares;
  return found;
}

}  // namespace

verdict judge(const worksharing_loop& loop, bool for_clang, ASTContext& context) {
  auto found = judge_one(loop, for_clang, context);
  for (const auto& each : loop.others) {
    auto other = judge_one(each, for_clang, context);
    const bool asks = found.asks || other.asks;
    const bool keeps = found.keeps || other.keeps;
    const bool float_reduction = found.float_reduction || other.float_reduction;
    if (other.by > found.by) found = std::move(other);
    found.asks = asks;
    found.keeps = keeps;
    found.float_reduction = float_reduction;
  }
  return found;
}

}  // namespace steelyard::rewriter
