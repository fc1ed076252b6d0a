// SPDX-License-Identifier: Apache-2.0
#include "stating.hpp"

#include <algorithm>
#include <cmath>

#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Support/xxhash.h>

#include "loops.hpp"
#include "nest.hpp"
#include "reach.hpp"
#include "trip.hpp"
#include "written.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

constexpr double cheap = 0.05;  // of the body

std::string number(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", value);
  return text;
}

/// One instantiation, as the analysis of costs has it.
cost::loop seen_by_cost(const worksharing_loop& loop) {
  cost::loop found;
  found.directive = loop.directive;
  found.region = loop.region;
  found.function = loop.function;
  if (!loop.unfit.empty()) return found;
  for (const auto& each : loop.nest) found.variables.push_back(each.variable);
  found.body = loop.body;
  return found;
}

bool is_alike(const cost::estimate& one, const cost::estimate& other) {
  return one.is == other.is && one.slice == other.slice && one.invariants == other.invariants &&
         one.fill == other.fill && one.opt1 == other.opt1 && one.opt2 == other.opt2 && one.opt3 == other.opt3;
}

bool names_everything(const OMPExecutableDirective* directive) {
  const auto* clause = directive == nullptr ? nullptr : directive->getSingleClause<OMPDefaultClause>();
  return clause != nullptr && clause->getDefaultKind() != llvm::omp::OMP_DEFAULT_shared;
}

/// Copies of an iterator's elements may do anything.
bool copies_objects(const worksharing_loop& loop, const ASTContext& context) {
  return std::any_of(loop.nest.begin(), loop.nest.end(), [&](const level& each) {
    if (each.kind != counter::range) return false;
    const auto type = each.variable->getType();
    return !type->isReferenceType() && !type.isTriviallyCopyableType(context);
  });
}

std::string why_not_told(const worksharing_loop& loop, const cost::estimate& known, const ASTContext& context) {
  if (known.slice.empty()) return "";
  if (known.fill == cost::filling::none) return "telling it costs too much";
  if (known.is == cost::kind::companion && (names_everything(loop.directive) || names_everything(loop.region)))
    return "default(none), and a function that is called may read variables that no clause names";
  if (!loop.others.empty() && !loop.combined) return "several instantiations in regions of their own";
  return copies_objects(loop, context) ? "its range copies objects" : "";
}

bool is_of_runtime_clause(const worksharing_loop& loop) {
  const auto* clause = loop.directive->getSingleClause<OMPScheduleClause>();
  return clause != nullptr && clause->getScheduleKind() == OMPC_SCHEDULE_runtime;
}

told_costs told_of(const worksharing_loop& loop, const verdict& by, cost::estimate known, const unit_text& text,
                   ASTContext& context) {
  told_costs told;
  if (by.by != reach::any && by.by != reach::written) {
    told.known = std::move(known);
    return told;
  }
  if (known.is == cost::kind::equal && known.opt2 && known.reason.empty()) told.flags += flag_equal;
  if (known.opt3) told.flags += flag_guarded;
  told.why_not = why_not_told(loop, known, context);
  if (by.by == reach::written && told.why_not.empty() && !known.slice.empty())
    told.why_not = why_not_written(loop, text, context);
  told.is_stated = !known.slice.empty() && told.why_not.empty() && !known.opt3;
  if (told.is_stated && known.opt1) told.flags += flag_keys;
  told.is_flagged = by.by == reach::written && !told.is_stated && told.flags != 0 && loop.unfit.empty();
  if (by.by == reach::written && !is_of_runtime_clause(loop)) told.flags += flag_named;
  if (known.fill == cost::filling::sampled && !known.opt1)
    told.sampled = static_cast<int>(std::ceil(known.share / cheap));
  told.known = std::move(known);
  return told;
}

}  // namespace

std::vector<told_costs> costs_of(const std::vector<worksharing_loop>& loops, const std::vector<verdict>& verdicts,
                                 const unit_text& text, ASTContext& context) {
  std::vector<cost::loop> all;
  std::vector<std::size_t> first;
  for (const auto& loop : loops) {
    first.push_back(all.size());
    all.push_back(seen_by_cost(loop));
    for (const auto& each : loop.others) all.push_back(seen_by_cost(each));
  }
  first.push_back(all.size());
  const auto known = cost::estimates_of(context, all);
  std::vector<told_costs> told;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    told.push_back(told_of(loops[i], verdicts[i], known[first[i]], text, context));
    for (auto other = first[i] + 1; other < first[i + 1]; ++other) {
      if (is_alike(known[first[i]], known[other])) continue;
      told.back().is_stated = told.back().is_flagged = false;
      told.back().flags = 0;
      told.back().why_not = "its instantiations differ";
    }
  }
  return told;
}

void withdraw(told_costs& costs) {
  if (!costs.is_stated) return;
  costs.is_stated = false;
  costs.why_not = "the compiler does not accept the text that tells it";
  costs.flags &= ~flag_keys;
  costs.sampled = 1;
}

void name_sites(std::vector<told_costs>& costs, llvm::StringRef decided) {
  const auto tag = llvm::utohexstr(llvm::xxHash64(decided), true);
  for (std::size_t i = 0; i < costs.size(); ++i) costs[i].site = "steelyard_site_" + std::to_string(i) + "_" + tag;
}

std::string site_of(const worksharing_loop& loop, const told_costs& costs, int kind, int more_flags,
                    const std::string& granule) {
  std::string file;
  for (const char c : loop.file) file += c == '\\' || c == '"' ? std::string("\\") + c : std::string(1, c);
  const auto fixed = costs.is_stated ? number(costs.known.fixed) : "0";
  return "static struct steelyard_site " + costs.site + " = {\"" + file + "\", " + std::to_string(loop.line) + ", " +
         std::to_string(kind) + ", " + std::to_string(more_flags + costs.flags) + ", " +
         (granule.empty() ? "0" : "(int)(" + granule + ")") + ", " + std::to_string(costs.sampled) + ", " +
         (costs.is_stated ? "1" : "0") + ", " + fixed + ", {1, 0, 0}}; ";
}

std::string flags_of(const worksharing_loop& loop, const told_costs& costs) {
  return "{ " + site_of(loop, costs, kind_of_runtime, 0, "") + "(void)steelyard_costs_asked(&" + costs.site +
         ", 1ULL); ";
}

std::string count_of(const std::vector<trip>& levels, const std::string& suffix) {
  std::string all = "unsigned long long steelyard_count" + suffix + " = " + levels.front().count();
  for (std::size_t i = 1; i < levels.size(); ++i) all += " * " + levels[i].count();
  return all + "; ";
}

namespace {

/// Copies of the variables of all levels, at an iteration of the whole.
std::string copies_at(const std::string& at, const std::vector<trip>& levels) {
  std::string below = "1ULL";
  std::string all;
  for (std::size_t i = levels.size(); i-- > 0;) {
    const auto outermost = "((" + at + ") / (" + below + "))";
    all = levels[i].copy_at(i == 0 ? outermost : "(" + outermost + " % " + levels[i].count() + ")") + all;
    below += " * " + levels[i].count();
  }
  return all;
}

/// A number that stands for all that costs depend on.
std::string key_of(const told_costs& costs, const std::vector<trip>& levels) {
  if ((costs.flags & flag_keys) == 0) return "0";
  std::string key = "0";
  for (const auto& each : levels) key = "steelyard_key(" + each.key() + ", " + key + ")";
  for (const auto& each : costs.known.invariants)
    key = "steelyard_key(" + key + ", (unsigned long long)(" + each + "))";
  return key;
}

}  // namespace

std::string statement_of(const told_costs& costs, const std::vector<trip>& levels, const std::string& suffix) {
  if (!costs.is_stated) return "";
  const auto own = "steelyard_stating" + suffix;
  const auto site = "&" + costs.site;
  const auto count = "steelyard_count" + suffix;
  std::string constants;
  for (const double seed : costs.known.seeds) constants += (constants.empty() ? "" : ", ") + number(seed);
  if (!constants.empty()) constants = "static double const steelyard_c[] = {" + constants + "}; ";
  return "{ " + constants + "struct steelyard_stating " + own + "; if (steelyard_costs_asked(" + site + ", " + count +
         ")) { steelyard_state(&" + own + ", " + site + ", " + count + ", " + key_of(costs, levels) +
         "); while (steelyard_stating_more(&" + own +
         ")) { unsigned long long steelyard_trip, steelyard_trips = " + "steelyard_stating_trips(&" + own +
         "); double steelyard_sum = 0; for (steelyard_trip = 0; steelyard_trip < " +
         "steelyard_trips; ++steelyard_trip) { unsigned long long const steelyard_at = steelyard_stating_at(&" + own +
         ", steelyard_trip); double steelyard_w = 0; { " + copies_at("steelyard_at", levels) + costs.known.slice +
         "} steelyard_sum += steelyard_w - " + number(costs.known.fixed) + "; } steelyard_stating_put(&" + own +
         ", steelyard_trips, steelyard_sum); } } } ";
}

}  // namespace steelyard::rewriter
