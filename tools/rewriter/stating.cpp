// SPDX-License-Identifier: Apache-2.0
#include "stating.hpp"

#include <algorithm>
#include <cmath>

#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include "loops.hpp"
#include "nest.hpp"
#include "reach.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

constexpr int equal = 2;  // of steelyard_site::flags
constexpr int guarded = 4;
constexpr int have_keys = 8;
constexpr double cheap = 0.05;  // of the body

std::string number(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", value);
  return text;
}

/// One instantiation, as the analysis of costs has it.
cost::loop instance_of(const worksharing_loop& loop, const OMPExecutableDirective& directive, ASTContext& context) {
  cost::loop found;
  found.directive = &directive;
  found.region = loop.region;
  found.function = &directive == loop.directive ? loop.function : nullptr;
  if (!loop.unfit.empty()) return found;
  const auto nest = read_nest(directive.getRawStmt(), static_cast<unsigned>(loop.nest.size()), context);
  if (!nest.unfit.empty()) return found;
  for (const auto& each : nest.levels) found.variables.push_back(each.variable);
  found.body = nest.body;
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
  if (loop.instances.size() > 1 && !loop.combined) return "several instantiations in regions of their own";
  return copies_objects(loop, context) ? "its range copies objects" : "";
}

told_costs told_of(const worksharing_loop& loop, const verdict& by, cost::estimate known, const ASTContext& context) {
  told_costs told;
  if (by.by != reach::any) {
    told.known = std::move(known);
    return told;
  }
  if (known.is == cost::kind::equal && known.opt2 && known.reason.empty()) told.flags += equal;
  if (known.opt3) told.flags += guarded;
  told.why_not = why_not_told(loop, known, context);
  told.is_stated = !known.slice.empty() && told.why_not.empty() && !known.opt3;
  if (told.is_stated && known.opt1) told.flags += have_keys;
  if (known.fill == cost::filling::sampled && !known.opt1)
    told.sampled = static_cast<int>(std::ceil(known.share / cheap));
  told.known = std::move(known);
  return told;
}

}  // namespace

std::vector<told_costs> costs_of(const std::vector<worksharing_loop>& loops, const std::vector<verdict>& verdicts,
                                 ASTContext& context) {
  std::vector<cost::loop> all;
  std::vector<std::size_t> first;
  for (const auto& loop : loops) {
    first.push_back(all.size());
    all.push_back(instance_of(loop, *loop.directive, context));
    for (const auto* each : loop.instances) {
      if (each != loop.directive) all.push_back(instance_of(loop, *each, context));
    }
  }
  first.push_back(all.size());
  const auto known = cost::estimates_of(context, all);
  std::vector<told_costs> told;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    told.push_back(told_of(loops[i], verdicts[i], known[first[i]], context));
    for (auto other = first[i] + 1; other < first[i + 1]; ++other) {
      if (is_alike(known[first[i]], known[other])) continue;
      told.back().is_stated = false;
      told.back().flags = 0;
      told.back().why_not = "its instantiations differ";
    }
  }
  return told;
}

std::string site_members(const told_costs& costs) {
  const auto fixed = costs.is_stated ? number(costs.known.fixed) : "0";
  return std::to_string(costs.sampled) + ", " + (costs.is_stated ? "1" : "0") + ", " + fixed + ", {1, 0, 0}";
}

std::string statement_of(const told_costs& costs, const statement_names& names) {
  const auto own = "steelyard_stating" + names.suffix;
  std::string key = names.bounds;
  for (const auto& each : costs.known.invariants)
    key = "steelyard_key(" + key + ", (unsigned long long)(" + each + "))";
  if ((costs.flags & have_keys) == 0) key = "0";
  std::string constants;
  for (const double seed : costs.known.seeds) constants += (constants.empty() ? "" : ", ") + number(seed);
  if (!constants.empty()) constants = "static double const steelyard_c[] = {" + constants + "}; ";
  return "{ " + constants + "struct steelyard_stating " + own + "; if (steelyard_costs_asked(&" + names.site + ", " +
         names.count + ")) { steelyard_state(&" + own + ", &" + names.site + ", " + names.count + ", " + key +
         "); while (steelyard_stating_more(&" + own + ")) { double steelyard_w = 0; { " + names.variables +
         costs.known.slice + "} steelyard_stating_put(&" + own + ", steelyard_w - " + number(costs.known.fixed) +
         "); } } } ";
}

}  // namespace steelyard::rewriter
