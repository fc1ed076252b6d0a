// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "getwl.hpp"
#include "shape.hpp"

namespace steelyard::rewriter::cost {

using namespace clang;

namespace {

constexpr double usual_trips = 16;

std::string operator_of(BinaryOperatorKind compare) { return BinaryOperator::getOpcodeStr(compare).str(); }

void merge(scope::answer& all, const scope::answer& one) {
  const auto only_skipped = [](const scope::answer& each) { return each.reason.empty() || each.skipped; };
  all.skipped = (all.skipped || one.skipped) && only_skipped(all) && only_skipped(one);
  if (all.reason.empty()) all.reason = one.reason;
  all.faults = all.faults || one.faults;
  all.depends.insert(one.depends.begin(), one.depends.end());
}

/// How often the loop runs where its condition holds at first. Both sides are brought to the type in which they are compared, so that
/// signs and overflow are the loop's own.
std::string trips_of(const counted& loop, const std::string& variable, const std::string& bound,
                     const std::string& step) {
  const auto& low = loop.up ? variable : bound;
  const auto& high = loop.up ? bound : variable;
  const bool inclusive = loop.compare == BO_LE || loop.compare == BO_GE;
  std::string distance;
  if (loop.variable->getType().getNonReferenceType()->isIntegerType()) {
    const auto common = "(unsigned long long)(__typeof__(" + variable + " + " + bound + "))";
    distance = common + high + " - " + common + low;
  } else {
    distance = "(unsigned long long)(" + high + " - " + low + ")";
  }
  if (step.empty()) return "(double)(" + distance + (inclusive ? " + 1)" : ")");
  return "(double)((" + distance + (inclusive ? ")" : " - 1)") + " / (unsigned long long)(" + step + ") + 1)";
}

/// For the formula: `n`, `(n - 1)`, `(n - 1) / 2`.
std::string bound_of(const counted& loop, const std::string& first, const std::string& bound, const std::string& step) {
  const auto& low = loop.up ? first : bound;
  const auto& high = loop.up ? bound : first;
  const bool inclusive = loop.compare == BO_LE || loop.compare == BO_GE;
  std::string all = low == "0" && !inclusive ? high : "(" + high + " - " + low + (inclusive ? " + 1)" : ")");
  return step.empty() ? all : all + " / " + step;
}

}  // namespace

void getwl::for_loop(const ForStmt& at, block& into) {
  const auto loop = read_counted(at);
  if (const auto* init = dyn_cast_or_null<Expr>(at.getInit())) {
    expression(init, into, name_of(&at, 1));
  } else if (const auto* declared = dyn_cast_or_null<DeclStmt>(at.getInit())) {
    for (const Decl* each : declared->decls()) {
      if (const auto* variable = dyn_cast<VarDecl>(each)) expression(variable->getInit(), into, "");
    }
    if (weights_.only_calls_of.empty()) into.fixed.weight += 1;
    into.fixed.names.push_back(name_of(&at, 1));
  }
  if (!loop) return unknown_loop(at, at.getBody(), "a for that does not count", into);
  effects inside(whole_);
  inside.add(at.getBody());
  inside.add(loop->bound);
  if (!inside.definitions(loop->variable).empty())
    return unknown_loop(at, at.getBody(), "the body changes " + loop->variable->getNameAsString(), into);
  auto bounds = sight.evaluate(loop->first);
  for (const auto* each : loop->beside) merge(bounds, beside(each));
  merge(bounds, sight.evaluate(loop->bound));
  if (loop->step != nullptr) merge(bounds, sight.evaluate(loop->step, true));  // the trips are divided by it
  const bool not_equal_far = loop->compare == BO_NE && magnitude(loop->step, whole_.context()) != 1.0;
  const bool away = loop->compare != BO_NE && loop->up != (loop->compare == BO_LT || loop->compare == BO_LE);
  if (not_equal_far || away) merge(bounds, {"its step and its condition do not fit", {}});
  if (!isa<DeclStmt>(at.getInit()) && declared_again(*loop->variable).empty())
    merge(bounds, {"its variable cannot be declared again", {}});
  if (!bounds.reason.empty()) {
    forget(*loop);
    if (bounds.skipped && !on_iteration(bounds.depends)) return skipped(at, *loop->variable, into);
    if (only_unseen(bounds, loop->first) && only_unseen(bounds, loop->bound)) return same_each_time(at, into);
    return unknown_loop(at, at.getBody(), "a bound: " + bounds.reason, into);
  }
  if (may_leave(at.getBody(), true, false)) roughly("a loop may end early");
  put_counted(at, *loop, bounds, into);
}

/// A loop that may not be reached, where all iterations have the same one.
void getwl::skipped(const ForStmt& at, const VarDecl& variable, block& into) {
  sight.here.unguarded = true;
  sight.counters.insert(&variable);
  ++loops_;
  auto inside = nested(at.getBody());
  --loops_;
  sight.counters.erase(&variable);
  if (on_iteration(inside.depends())) not_known("a loop that a jump may lead past");
  into.fixed.weight += usual_trips * inside.typical();
  into.fixed.names.push_back(name_of(&at) + "*?");
}

bool getwl::on_iteration(const variables& depends) const {
  return std::any_of(of_.variables.begin(), of_.variables.end(),
                     [&](const auto* each) { return depends.count(each) != 0; });
}

/// Whether nothing but a function that is not seen may change what the bound is.
bool getwl::only_unseen(const scope::answer& bounds, const Stmt* at) const {
  if (at == nullptr) return true;
  if (bounds.reason.find(sight.changes().unseen() + " may write") != 0) return false;
  if (const auto* named = dyn_cast<DeclRefExpr>(at)) {
    const auto* variable = dyn_cast<VarDecl>(named->getDecl());
    if (variable == nullptr) return isa<EnumConstantDecl>(named->getDecl());
    return sight.counters.count(variable) == 0 && sight.changes().definitions(variable).empty();
  }
  const auto children = at->children();
  return std::all_of(children.begin(), children.end(), [&](const Stmt* child) { return only_unseen(bounds, child); });
}

void getwl::same_each_time(const ForStmt& at, block& into) {
  ++loops_;
  auto inside = nested(at.getBody());
  --loops_;
  if (inside.varies()) not_known("a bound that " + sight.changes().unseen() + " may write");
  found_.assumed.push_back(sight.changes().unseen() + ", and what it may write");
  into.fixed.weight += usual_trips * inside.typical();
  into.fixed.names.push_back(name_of(&at) + "*?");
}

scope::answer getwl::beside(const VarDecl* variable) {
  scope::definition value;
  value.values.push_back(variable->getInit());
  value.depth = sight.calls.size();
  value.unguarded = sight.here.unguarded;
  if (sight.values_of(variable) == 1) sight.here.definitions[variable] = value;
  return sight.evaluate(variable->getInit());
}

void getwl::forget(const counted& loop) {
  for (const auto* each : loop.beside) sight.here.definitions.erase(each);
}

void getwl::put_counted(const ForStmt& at, const counted& loop, const scope::answer& bounds, block& into) {
  auto made = std::make_unique<piece>();
  made->variable = loop.variable;
  const auto variable = loop.variable->getNameAsString();
  const auto first = text(loop.first->getSourceRange());
  const auto bound = text(loop.bound->getSourceRange());
  const auto step = loop.step == nullptr ? "" : step_text(loop);
  const bool declared = isa<DeclStmt>(at.getInit());
  made->opening =
      (declared ? text(at.getInit()->getSourceRange()) : declared_again(*loop.variable) + " = " + first + ";") + " ";
  made->condition = variable + " " + operator_of(loop.compare) + " (" + bound + ")";
  made->step = text(at.getInc()->getSourceRange());
  made->trips = trips_of(loop, variable, "(" + bound + ")", step);
  made->bound = bound_of(loop, first, bound, step);
  block each;
  expression(at.getCond(), each, name_of(&at, 2));
  expression(at.getInc(), each, name_of(&at, 3));
  made->each_time = each.fixed;
  const auto constant = constant_trips(loop, whole_.context());
  made->usual_trips = constant ? *constant : usual_trips;
  put_loop(std::move(made), bounds, at.getBody(), constant.has_value(), into);
  forget(loop);
}

std::string getwl::step_text(const counted& loop) const {
  const auto known = magnitude(loop.step, whole_.context());
  if (known && *known == 1) return "";
  return known && isa<IntegerLiteral>(bare(loop.step)) ? std::to_string(static_cast<long long>(*known))
                                                       : text(loop.step->getSourceRange());
}

void getwl::put_loop(std::unique_ptr<piece> made, const scope::answer& bounds, const Stmt* body, bool constant,
                     block& into) {
  sight.counters.insert(made->variable);
  ++loops_;
  times_ *= made->usual_trips;
  made->body = nested(body);
  times_ /= made->usual_trips;
  --loops_;
  const bool ends_early = may_leave(body, true, false);
  const bool differs = ends_early && ends_by_iteration(body);
  sight.counters.erase(made->variable);
  made->faults = bounds.faults;
  made->own_depends = bounds.depends;
  auto depends = made->body.depends();
  depends.insert(bounds.depends.begin(), bounds.depends.end());
  const auto weight = made->usual_trips * (made->each_time.weight + made->body.typical());
  if (differs && !on_iteration(depends)) {
    found_.early += times_ * weight;
    into.fixed.weight += weight;
    return;
  }
  if (!made->body.varies() && constant)
    return into.fixed.add(made->body.fixed, made->usual_trips), into.fixed.add(made->each_time, made->usual_trips);
  if (!made->body.varies() && made->body.fixed.weight + made->each_time.weight == 0) return;
  const bool runs = made->body.depends().count(made->variable) != 0;
  if (runs && ends_early) {  // its later iterations may not be there
    if (on_iteration(depends)) not_known(may_end_early);
    into.fixed.weight += weight;
    return;
  }
  made->is = runs ? piece::form::real_loop : piece::form::closed_loop;
  into.parts.push_back(std::move(made));
}

/// Whether a loop with that body may end early by something that hangs on the iteration, or cannot be told.
bool getwl::ends_by_iteration(const Stmt* at, bool by_break) {
  if (at == nullptr || !may_leave(at, by_break, false)) return false;
  const auto* branch = dyn_cast<IfStmt>(at);
  if (branch == nullptr && isa<SwitchStmt, ConditionalOperator>(at)) return true;
  if (branch != nullptr) {
    const auto before = std::pair(sight.reads, sight.invariants);
    const auto predicate = sight.evaluate(branch->getCond());
    std::tie(sight.reads, sight.invariants) = before;
    if (!predicate.reason.empty() || on_iteration(predicate.depends)) return true;
  }
  const bool inner = by_break && !isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(at);
  return std::any_of(at->child_begin(), at->child_end(),
                     [&](const Stmt* child) { return ends_by_iteration(child, inner); });
}

void getwl::range_loop(const CXXForRangeStmt& at, block& into) {
  if (may_leave(at.getBody(), true, false)) roughly("a loop may end early");
  const auto* range = at.getRangeInit();
  expression(range, into, name_of(&at, 1));
  const auto* begin = at.getBeginStmt() == nullptr ? nullptr : cast<VarDecl>(at.getBeginStmt()->getSingleDecl());
  const auto* hidden = at.getRangeStmt() == nullptr ? nullptr : cast<VarDecl>(at.getRangeStmt()->getSingleDecl());
  if (begin == nullptr || hidden == nullptr)
    return unknown_loop(at, at.getBody(), "a range that is not understood", into);
  const bool members = isa<CXXMemberCallExpr>(bare(begin->getInit()));
  if (!is_random_access(begin->getType()) || !members)
    return unknown_loop(at, at.getBody(), "a range whose length has to be counted", into);
  const bool unguarded = sight.here.unguarded;
  sight.here.unguarded = unguarded && !sight.has_happened(range);
  auto bounds = sight.evaluate(range);
  scope::definition value;
  value.values.push_back(range);
  value.depth = sight.calls.size();
  value.unguarded = sight.here.unguarded;
  sight.here.definitions[hidden] = value;
  merge(bounds, sight.evaluate(begin->getInit()));
  sight.here.unguarded = unguarded;
  if (!bounds.reason.empty()) return unknown_loop(at, at.getBody(), "a range: " + bounds.reason, into);
  sight.happens(range);
  auto made = std::make_unique<piece>();
  made->variable = at.getLoopVariable();
  const auto name = "steelyard_range" + std::to_string(++next_name_);
  made->opening = "auto&& " + name + " = " + text(range->getSourceRange()) + "; ";
  made->condition = name + ".begin() != " + name + ".end()";
  made->trips = "(double)(" + name + ".end() - " + name + ".begin())";
  made->bound = "|" + text(range->getSourceRange()) + "|";
  auto element = text(SourceRange(made->variable->getBeginLoc(), made->variable->getLocation()));
  made->range = element + " : " + name;
  if (weights_.only_calls_of.empty()) made->each_time.weight = 3;
  made->each_time.names = {name_of(&at, 2), name_of(&at, 3)};
  made->usual_trips = usual_trips;
  put_loop(std::move(made), bounds, at.getBody(), false, into);
}

}  // namespace steelyard::rewriter::cost
