// SPDX-License-Identifier: Apache-2.0
#include "cost.hpp"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

#include "author.hpp"
#include "getwl.hpp"
#include "weights.hpp"

namespace steelyard::rewriter::cost {

using namespace clang;

const char* name_of(kind which) {
  static constexpr const char* names[] = {"equal",   "exact", "nested", "companion", "partial",
                                          "guarded", "count", "author", "not seen"};
  return names[static_cast<int>(which)];
}

namespace {

constexpr double early_borne = 1.0 / 16;  // of the body
constexpr double cheap = 0.05;            // of the body: all iterations are summed up
constexpr double affordable = 0.5;        // sampled ones

bool has_form(const block& list, piece::form which) {
  return std::any_of(list.parts.begin(), list.parts.end(), [&](const auto& part) {
    return part->is == which || has_form(part->body, which) || has_form(part->otherwise, which);
  });
}

/// How far the branches of a slice that has nothing else lie apart.
double spread_of(const block& list) {
  double all = 0;
  for (const auto& part : list.parts) {
    if (part->is == piece::form::branch) all += std::abs(part->body.typical() - part->otherwise.typical());
    all += spread_of(part->body) + spread_of(part->otherwise);
  }
  return all;
}

bool depends_on_iteration(const block& cost, const loop& of) {
  const auto all = cost.depends();
  return std::any_of(of.variables.begin(), of.variables.end(),
                     [&](const VarDecl* each) { return all.count(each) != 0; });
}

/// Whether a loop runs more often in one iteration than in another: by its bounds, or because an `if` is around it.
bool loop_varies(const block& list, bool below_branch = false) {
  return std::any_of(list.parts.begin(), list.parts.end(), [&](const auto& part) {
    const bool loops = part->is == piece::form::closed_loop || part->is == piece::form::real_loop;
    if (loops && (below_branch || !part->own_depends.empty())) return true;
    const bool below = below_branch || part->is == piece::form::branch;
    return loop_varies(part->body, below) || loop_varies(part->otherwise, below);
  });
}

/// Whether only small branches, or such that cost as much to tell, make iterations differ.
bool hardly_varies(const block& cost, double share) {
  return !loop_varies(cost) && (spread_of(cost) <= cheap * cost.typical() || share > cheap);
}

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i), all[i]) !=
        all.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    text += (text.empty() ? "" : "; ") + all[i];
  }
  return text;
}

void classify(estimate& made, const block& cost, const getwl::finding& found, const loop& of) {
  const bool varies = cost.varies() && depends_on_iteration(cost, of);
  made.opt2 = !varies;
  made.opt3 = !found.guard.empty() && found.guarded > cost.typical() / 2;
  auto unknown = found.unknown;
  if (found.early > cost.typical() * early_borne) unknown.push_back(may_end_early);
  made.reason = joined(unknown);
  if (made.opt3) {
    made.is = kind::guarded;
    made.reason = found.guard;
    made.opt2 = false;
  } else if (!unknown.empty()) {
    made.is = varies ? kind::partial : kind::count;
    made.opt2 = false;
  } else if (!varies) {
    made.is = kind::equal;
    if (!found.assumed.empty()) made.reason = "taken to cost the same each time: " + joined(found.assumed);
  } else if (!found.rough.empty()) {
    made.is = kind::partial;
    made.reason = found.rough;
  } else {
    made.is = found.inlines ? kind::companion : has_form(cost, piece::form::real_loop) ? kind::nested : kind::exact;
    if (found.dearer) made.reason = "of branches that cannot be told the dearer one is taken";
  }
}

void emit(estimate& made, const block& cost, const loop& of, const weighing& weights) {
  const bool varies = cost.varies() && depends_on_iteration(cost, of);
  if (!varies || made.is == kind::equal) return;
  printer out;
  made.slice = out.text_of(cost);
  made.seeds = out.seeds();
  made.fixed = cost.fixed.weight;
  made.share = cost.price() / std::max(1.0, cost.typical());
  const bool measured = weights.only_calls_of.empty();
  if (measured && !made.opt3 && hardly_varies(cost, made.share)) {
    if (made.is == kind::partial) {
      made.is = kind::count;  // of what is not known nothing can be said
    } else {
      made.is = kind::equal;
      made.reason = "only branches differ, by little, or as much as it costs to tell";
    }
    made.slice.clear();
    made.seeds.clear();
    return;
  }
  made.fill = made.share <= cheap ? filling::all : made.share <= affordable ? filling::sampled : filling::none;
}

estimate estimate_one(program& whole, const loop& of, const weighing& weights) {
  estimate made;
  auto said = said_by_author(*of.directive, whole.context());
  if (said.leave) {
    made.is = kind::author;
    made.reason = "the author leaves it alone";
    return made;
  }
  if (!said.cost.empty()) {
    made.is = kind::author;
    made.slice = "steelyard_w += (double)(" + said.cost + "); ";
    made.fill = filling::all;
    return made;
  }
  if (of.body == nullptr) {
    made.reason = "Clang does not understand it in this unit";
    return made;
  }
  getwl cost(whole, of, weights);
  const auto body = cost.of_body();
  classify(made, body, cost.found(), of);
  emit(made, body, of, weights);
  made.formula = formula_of(body);
  made.reads = cost.reads();
  made.invariants.assign(cost.invariants().begin(), cost.invariants().end());
  return made;
}

/// Whether `inner` stands in it; then also the innermost serial loop between, if there is one.
bool contains(const Stmt* at, const Stmt* inner, const Stmt*& between) {
  if (at == nullptr || isa<LambdaExpr>(at)) return false;
  if (at == inner) return true;
  const auto* directive = dyn_cast<OMPExecutableDirective>(at);
  if (directive != nullptr) return directive->hasAssociatedStmt() && contains(directive->getRawStmt(), inner, between);
  for (const Stmt* child : at->children()) {
    if (!contains(child, inner, between)) continue;
    if (between == nullptr && isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(at)) between = at;
    return true;
  }
  return false;
}

/// The innermost one around the loop and its region, in the same function.
const Stmt* serial_loop_around(const loop& of) {
  const Stmt* around = nullptr;
  if (of.function != nullptr) contains(of.function->getBody(), of.directive, around);
  return around;
}

bool is_below(const Stmt* outer, const Stmt* inner, const SourceManager& sources) {
  return !sources.isBeforeInTranslationUnit(inner->getBeginLoc(), outer->getBeginLoc()) &&
         sources.isBeforeInTranslationUnit(inner->getBeginLoc(), outer->getEndLoc());
}

/// Opt1: the loop is the only unequal one of the serial loop around it, where nothing changes what its costs come from.
bool comes_again(program& whole, const std::vector<loop>& loops, const std::vector<estimate>& all, std::size_t which) {
  if (all[which].is == kind::equal || all[which].is == kind::not_seen || all[which].is == kind::author) return false;
  const auto* around = serial_loop_around(loops[which]);
  if (around == nullptr) return false;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (i == which || all[i].is == kind::equal || loops[i].directive == nullptr) continue;
    if (is_below(around, loops[i].directive, whole.context().getSourceManager())) return false;
  }
  effects changes(whole);
  changes.add(around);
  return std::none_of(all[which].reads.begin(), all[which].reads.end(),
                      [&](const place& read) { return !changes.why_written(read).empty(); });
}

}  // namespace

std::vector<estimate> estimates_of(ASTContext& context, const std::vector<loop>& loops, const weighing& weights) {
  program whole(context);
  std::vector<estimate> all;
  all.reserve(loops.size());
  for (const auto& each : loops) all.push_back(estimate_one(whole, each, weights));
  for (std::size_t i = 0; i < loops.size(); ++i) all[i].opt1 = comes_again(whole, loops, all, i);
  return all;
}

}  // namespace steelyard::rewriter::cost
