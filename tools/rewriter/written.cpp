// SPDX-License-Identifier: Apache-2.0
#include "written.hpp"

#include <algorithm>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>

#include "clauses.hpp"
#include "cost/effects.hpp"
#include "loops.hpp"
#include "stating.hpp"
#include "text.hpp"
#include "trip.hpp"
#include "uses.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

/// Whether it may be evaluated once more.
bool is_repeatable(const Expr* expression, cost::program& whole) {
  if (expression == nullptr) return true;
  cost::effects found(whole);
  found.add(expression);
  return found.writes().empty() && found.harmless() && found.unseen().empty();
}

bool has_repeatable_bounds(const worksharing_loop& loop, ASTContext& context) {
  cost::program whole(context);
  return std::all_of(loop.nest.begin(), loop.nest.end(), [&](const level& each) {
    const auto* range = dyn_cast<CXXForRangeStmt>(each.statement);
    return is_repeatable(range == nullptr ? nullptr : range->getRangeInit(), whole) &&
           is_repeatable(each.first, whole) && is_repeatable(each.bound, whole) && is_repeatable(each.step, whole);
  });
}

unsigned text_end(const worksharing_loop& loop, const unit_text& text) {
  return text.of_statement(*loop.nest.front().statement).end;
}

/// Builds what stands around one loop.
class frame {
 public:
  frame(const worksharing_loop& loop, const told_costs& costs, unsigned number, const unit_text& text,
        ASTContext& context)
      : loop_(loop), costs_(costs), text_(text), suffix_("_" + std::to_string(number)) {
    for (std::size_t i = 0; i < loop.nest.size(); ++i) {
      trips_.emplace_back(loop.nest[i], text, context, suffix_ + "_" + std::to_string(i));
    }
  }

  [[nodiscard]] bool is_readable() const {
    return std::all_of(trips_.begin(), trips_.end(), [](const trip& each) { return each.reason().empty(); });
  }

  void apply(edits& changes) const {
    const auto nest = text_.of_statement(*loop_.nest.front().statement);
    const auto bounds = text_.marker(loop_.offset, true).substr(1) + "{ " + declarations();
    const auto site = site_of(loop_, costs_, kind_of_runtime, 0, "");
    if (loop_.combined) {
      const auto opening = bounds + text_.marker(loop_.offset, true) + "#pragma omp parallel" +
                           read_clauses(loop_, text_).construct + " firstprivate(" + names() + ")" +
                           text_.marker(loop_.offset, true) + "{ " + site + statement_of(costs_, trips_, suffix_) +
                           text_.marker(loop_.offset, true) + "#pragma omp for nowait" + clauses_of_loop() +
                           text_.back_to(nest.begin);
      changes.replace({loop_.offset, nest.begin}, opening);
      changes.insert(nest.end, text_.marker(nest.end - 1, true) + "} }" + text_.back_to(nest.end));
    } else {
      changes.insert(loop_.offset,
                     bounds + site + statement_of(costs_, trips_, suffix_) + text_.marker(loop_.offset, false));
      changes.insert(nest.end, text_.marker(nest.end - 1, true) + "}" + text_.back_to(nest.end));
    }
  }

 private:
  [[nodiscard]] std::string count() const { return "steelyard_count" + suffix_; }

  [[nodiscard]] std::string declarations() const {
    std::string all;
    for (const auto& each : trips_) all += each.declarations();
    return all + count_of(trips_, suffix_);
  }

  [[nodiscard]] std::string names() const {
    std::string all = count();
    for (const auto& each : trips_) all += ", " + each.shared_names() + ", " + each.count();
    return all;
  }

  [[nodiscard]] std::string clauses_of_loop() const {
    std::string all;
    for (const auto* clause : loop_.directive->clauses()) {
      if (clause->isImplicit() || !clause->getBeginLoc().isValid()) continue;
      const auto kind = clause->getClauseKind();
      if (kind != llvm::omp::OMPC_schedule && kind != llvm::omp::OMPC_collapse) continue;
      all += " " + text_.line_of(SourceRange(clause->getBeginLoc(), clause->getEndLoc()));
    }
    return all;
  }

  const worksharing_loop& loop_;
  const told_costs& costs_;
  const unit_text& text_;
  std::string suffix_;
  std::vector<trip> trips_;
};

}  // namespace

std::string why_not_written(const worksharing_loop& loop, const unit_text& text, ASTContext& context) {
  if (!loop.unfit.empty()) return loop.unfit;
  if (loop.simd) return "simd";
  if (auto why = clauses_refused(loop); !why.empty()) return why;
  if (loop.combined && !loop.directive->getClausesOfKind<OMPLastprivateClause>().empty()) return "lastprivate";
  if (!loop.combined && loop.region == nullptr) return "orphaned: its region is not in this function";
  if (const auto inside = uses_of(*loop.body, context); !inside.ordered.empty()) return inside.ordered + " in its body";
  if (!frame(loop, told_costs(), 0, text, context).is_readable()) return "its bounds";
  return has_repeatable_bounds(loop, context) ? "" : "its bounds may have side effects";
}

void state_before(const worksharing_loop& loop, const told_costs& costs, unsigned number, const unit_text& text,
                  ASTContext& context, edits& changes) {
  if (costs.is_flagged) {
    const auto end = text_end(loop, text);
    changes.insert(loop.offset,
                   text.marker(loop.offset, true).substr(1) + flags_of(loop, costs) + text.marker(loop.offset, false));
    changes.insert(end, text.marker(end - 1, true) + "}" + text.back_to(end));
    return;
  }
  frame(loop, costs, number, text, context).apply(changes);
}

}  // namespace steelyard::rewriter
