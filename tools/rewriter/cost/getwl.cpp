// SPDX-License-Identifier: Apache-2.0
#include "getwl.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

#include "shape.hpp"
#include "weights.hpp"

namespace steelyard::rewriter::cost {

using namespace clang;

namespace {

constexpr double usual_trips = 16;    // of a loop whose bound depends on the input
constexpr double synchronised = 20;   // atomic, critical
constexpr double guarded_least = 40;  // less work under a predicate is no reason to give up

constexpr const char* ends_early = "a loop or a function may end early";

using form = piece::form;

std::unique_ptr<piece> make(form which) {
  auto made = std::make_unique<piece>();
  made->is = which;
  return made;
}

}  // namespace

std::string getwl::text(SourceRange range) const { return source_of(range, whole_.context()); }

double getwl::weigh(const Stmt* at) const { return weight_of(at, weights_.only_calls_of); }

std::string getwl::name_of(const Stmt* at, int part) const {
  const auto where = whole_.context().getSourceManager().getPresumedLoc(at->getBeginLoc());
  const auto line = "C" + std::to_string(where.isValid() ? where.getLine() : 0);
  return part == 0 ? line : line + "_" + std::to_string(part);
}

block getwl::of_body() { return nested(listed(of_.body)); }

block getwl::nested(const Stmt* body) { return nested(listed(body)); }

namespace {

/// Where the label of `if (c) goto label;` stands in what is behind it; nothing: elsewhere.
std::optional<std::size_t> behind(const IfStmt& at, const std::vector<const Stmt*>& rest) {
  const auto* jump = dyn_cast_or_null<GotoStmt>(jump_at_end(at.getThen()));
  if (jump == nullptr) return std::nullopt;
  const auto found = std::find(rest.begin(), rest.end(), jump->getLabel()->getStmt());
  return found == rest.end() ? std::nullopt : std::optional<std::size_t>(found - rest.begin());
}

}  // namespace

/// What stands in there is out of sight behind it.
block getwl::nested(const sequence& body) {
  const auto outside = sight.here;
  block inside;
  statements(body, inside);
  sight.here = outside;
  return inside;
}

/// What stands behind a jump that has no guard in the slice is run by the body only where the jump did not happen.
void getwl::may_be_skipped() {
  roughly(ends_early);
  sight.here.unguarded = true;
}

/// Whether a branch ends in a jump that leads past what is behind the `if`, and nowhere else. Where a `break` ends a loop, the next
/// iterations are skipped, too.
bool getwl::is_guard(const Stmt* branch) {
  const auto* jump = jump_at_end(branch);
  if (isa_and_nonnull<GotoStmt, IndirectGotoStmt>(jump)) roughly(ends_early);
  return jump != nullptr && (!isa<BreakStmt>(jump) || once_ == loops_ + 1);
}

/// `if (c) continue; REST` is `if (c) ; else REST`, and `if (c) ; else continue; REST` is `if (c) REST`.
void getwl::statements(const sequence& all, block& into) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto* at = all[i];
    const sequence rest(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end());
    if (const auto* choice = dyn_cast_or_null<IfStmt>(at)) {
      if (const auto label = behind(*choice, rest)) {
        const sequence skipped(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(*label));
        branch(*choice, {}, skipped, into);
        const auto leaves = [](const Stmt* each) { return may_leave(each); };
        if (may_jump(choice->getThen()) || may_leave(choice->getElse()) ||
            std::any_of(skipped.begin(), skipped.end(), leaves))
          may_be_skipped();
        i += *label;
        continue;
      }
      if (is_guard(choice->getThen())) return branch(*choice, {}, rest, into);
      if (is_guard(choice->getElse())) return branch(*choice, rest, {}, into);
    }
    if (const auto* jump = jump_at_end(at); jump == at && jump != nullptr && !isa<GotoStmt, IndirectGotoStmt>(at)) {
      const auto* back = dyn_cast<ReturnStmt>(at);
      if (back != nullptr) expression(back->getRetValue(), into, name_of(at));
      return;
    }
    statement(at, into);
    if (may_leave(at) && !rest.empty()) may_be_skipped();
  }
}

void getwl::statement(const Stmt* at, block& into) {
  if (at == nullptr) return;
  if (const auto* directive = dyn_cast<OMPExecutableDirective>(at)) {
    if (isa<OMPAtomicDirective, OMPCriticalDirective>(at) && weights_.only_calls_of.empty())
      into.fixed.weight += synchronised;
    return directive->hasAssociatedStmt() ? statement(directive->getRawStmt(), into) : void();
  }
  if (const auto* captured = dyn_cast<CapturedStmt>(at)) return statement(captured->getCapturedStmt(), into);
  if (const auto* many = dyn_cast<CompoundStmt>(at)) return statements(listed(many), into);
  if (const auto* declared = dyn_cast<DeclStmt>(at)) return declaration(*declared, into);
  if (const auto* choice = dyn_cast<IfStmt>(at)) return branch(*choice, {}, {}, into);
  if (const auto* loop = dyn_cast<ForStmt>(at)) return for_loop(*loop, into);
  if (const auto* loop = dyn_cast<CXXForRangeStmt>(at)) return range_loop(*loop, into);
  if (isa<WhileStmt, DoStmt>(at)) return other_loop(*at, into);
  if (const auto* cases = dyn_cast<SwitchStmt>(at)) return many_cases(*cases, into);
  if (const auto* label = dyn_cast<LabelStmt>(at)) return statement(label->getSubStmt(), into);
  if (const auto* attributed = dyn_cast<AttributedStmt>(at)) return statement(attributed->getSubStmt(), into);
  if (const auto* tried = dyn_cast<CXXTryStmt>(at)) return attempt(*tried, into);
  if (const auto* value = dyn_cast<Expr>(at)) {
    expression(value, into, name_of(at));
    if (const auto* set = dyn_cast<BinaryOperator>(bare(value))) assignment(*set, into);
  }
}

/// Any call in it may throw.
void getwl::attempt(const CXXTryStmt& at, block& into) {
  const bool outside = std::exchange(sight.here.unguarded, true);
  statement(at.getTryBlock(), into);
  sight.here.unguarded = outside;
}

void getwl::declaration(const DeclStmt& at, block& into) {
  std::vector<const VarDecl*> with_value;
  for (const Decl* each : at.decls()) {
    const auto* variable = dyn_cast<VarDecl>(each);
    if (variable == nullptr) continue;
    if (!variable->hasInit()) without_value_[variable] = &at;
    if (!variable->hasInit()) continue;
    expression(variable->getInit(), into, name_of(&at));
    with_value.push_back(variable);
  }
  if (with_value.empty()) return;
  auto made = make(form::definition);
  made->needed = false;
  made->opening = text(at.getSourceRange());
  scope::definition value;
  value.pieces.push_back(made.get());
  value.depth = sight.calls.size();
  value.unguarded = sight.here.unguarded;
  for (const auto* each : with_value) value.values.push_back(each->getInit());
  bool any = false;
  for (const auto* each : with_value) {
    if (sight.values_of(each) != 1) continue;
    sight.here.definitions[each] = value;
    any = true;
  }
  if (any) into.parts.push_back(std::move(made));
}

namespace {

bool is_of_template(const VarDecl& variable) {
  for (const auto* at = variable.getDeclContext(); at != nullptr; at = at->getParent()) {
    if (isa<ClassTemplateSpecializationDecl>(at)) return true;
    if (const auto* function = dyn_cast<FunctionDecl>(at); function != nullptr && function->isTemplateInstantiation())
      return true;
  }
  return false;
}

}  // namespace

/// The declaration of a variable that the body sets: of one that is in sight of the slice, or declared in the body and so not in
/// sight. Empty: it cannot be written.
std::string getwl::declared_again(const VarDecl& variable) const {
  auto name = variable.getNameAsString();
  const auto declared = without_value_.find(&variable);
  if (declared == without_value_.end()) return "__typeof__(" + name + ") " + name;
  if (declared->second->isSingleDecl()) {
    auto whole = text(declared->second->getSourceRange());
    while (!whole.empty() && (whole.back() == ';' || whole.back() == ' ')) whole.pop_back();
    return whole;
  }
  // A type that is printed is one instantiation's.
  if (is_of_template(variable)) return "";
  variable.getType().getUnqualifiedType().getAsStringInternal(name, whole_.context().getPrintingPolicy());
  return name;
}

/// From here on a variable has the value that the text `how` gives it, made of `values`.
void getwl::define(const VarDecl& variable, const std::string& how, std::vector<const Expr*> values, block& into) {
  if (sight.counters.count(&variable) != 0 || declared_again(variable).empty()) return;
  auto made = make(form::definition);
  made->needed = false;
  made->variable = &variable;
  made->opening = declared_again(variable) + how;
  scope::definition value;
  value.pieces.push_back(made.get());
  value.values = std::move(values);
  value.depth = sight.calls.size();
  value.unguarded = sight.here.unguarded;
  sight.here.definitions[&variable] = value;
  into.parts.push_back(std::move(made));
}

namespace {

/// The variable that a statement sets, by `=`; null: none, or no scalar.
const VarDecl* set_by(const BinaryOperator& at) {
  const auto* named = dyn_cast<DeclRefExpr>(bare(at.getLHS()));
  const auto* variable = named == nullptr ? nullptr : dyn_cast<VarDecl>(named->getDecl());
  return at.getOpcode() == BO_Assign && variable != nullptr && variable->getType()->isScalarType() ? variable : nullptr;
}

struct setting {
  const VarDecl* variable;
  const Expr* value;
};

/// What a branch sets that does nothing else, in its order; nothing, where it does.
std::vector<setting> set_in(const Stmt* branch) {
  std::vector<setting> all;
  for (const auto* at : listed(branch)) {
    const auto* value = dyn_cast_or_null<Expr>(at);
    const auto* set = value == nullptr ? nullptr : dyn_cast<BinaryOperator>(bare(value));
    if (set == nullptr || set_by(*set) == nullptr) return {};
    all.push_back({set_by(*set), set->getRHS()});
  }
  return all;
}

const Expr* value_of(const VarDecl* variable, const std::vector<setting>& all) {
  const auto at = std::find_if(all.begin(), all.end(), [=](const setting& each) { return each.variable == variable; });
  return at == all.end() ? nullptr : at->value;
}

bool names_one_of(const Stmt* at, const std::vector<setting>& all) {
  if (at == nullptr) return false;
  if (const auto* named = dyn_cast<DeclRefExpr>(at))
    return value_of(dyn_cast<VarDecl>(named->getDecl()), all) != nullptr;
  const auto children = at->children();
  return std::any_of(children.begin(), children.end(), [&](const Stmt* each) { return names_one_of(each, all); });
}

}  // namespace

/// `cur = nodes + i;` of a variable that was declared before.
void getwl::assignment(const BinaryOperator& at, block& into) {
  const auto* variable = set_by(at);
  if (variable != nullptr && sight.values_of(variable) == 1)
    define(*variable, " = " + text(at.getRHS()->getSourceRange()) + ";", {at.getRHS()}, into);
}

/// `if (c) x = a; else x = b;` of a variable that is set nowhere else: behind it it has one value, too. Branches that do anything else might
/// not get there, and values that hang on each other are not told apart.
void getwl::set_by_both(const IfStmt& at, block& into) {
  if (at.getInit() != nullptr || at.getConditionVariable() != nullptr) return;
  const auto then = set_in(at.getThen());
  const auto otherwise = set_in(at.getElse());
  for (const auto& [variable, value] : then) {
    const auto* other = value_of(variable, otherwise);
    if (other == nullptr || sight.values_of(variable) != 2) continue;
    const auto hangs = [&](const Expr* each) { return names_one_of(each, then) || names_one_of(each, otherwise); };
    if (hangs(at.getCond()) || hangs(value) || hangs(other)) continue;
    const auto name = variable->getNameAsString();
    define(*variable,
           "; if (" + text(at.getCond()->getSourceRange()) + ") " + name + " = " + text(value->getSourceRange()) +
               "; else " + name + " = " + text(other->getSourceRange()) + ";",
           {at.getCond(), value, other}, into);
  }
}

/// What stands behind each of its branches belongs to it.
void getwl::branch(const IfStmt& at, const sequence& behind_then, const sequence& behind_else, block& into) {
  const auto with = [](const Stmt* branch, const sequence& behind) {
    auto all = listed(branch);
    all.insert(all.end(), behind.begin(), behind.end());
    return all;
  };
  if (at.isConsteval()) {
    const bool then = at.isNegatedConsteval();
    return statements(then ? with(at.getThen(), behind_then) : with(at.getElse(), behind_else), into);
  }
  if (at.getInit() != nullptr) statement(at.getInit(), into);
  const bool has_variable = at.getConditionVariable() != nullptr;
  if (has_variable) expression(at.getConditionVariable()->getInit(), into, "");
  expression(at.getCond(), into, name_of(&at));
  if (weights_.only_calls_of.empty()) into.fixed.weight += 1;
  auto then = nested(with(at.getThen(), behind_then));
  auto otherwise = nested(with(at.getElse(), behind_else));
  choose(at.getCond(), has_variable, std::move(then), std::move(otherwise), into);
  set_by_both(at, into);
}

void getwl::choose(const Expr* predicate, bool has_variable, block then, block otherwise, block& into) {
  if (!then.varies() && !otherwise.varies() && then.fixed.weight == otherwise.fixed.weight)
    return into.fixed.add(then.fixed);
  // Inside of a loop small branches average out, and telling them would mean to run through it.
  const bool constants = !then.varies() && !otherwise.varies();
  if (loops_ > 0 && constants && weights_.only_calls_of.empty() &&
      std::abs(then.fixed.weight - otherwise.fixed.weight) <= guarded_least) {
    found_.dearer = true;
    return into.fixed.add(then.fixed.weight >= otherwise.fixed.weight ? then.fixed : otherwise.fixed);
  }
  auto answer = sight.evaluate(predicate);
  if (has_variable) answer.reason = "it declares a variable";
  auto made = make(answer.reason.empty() ? form::branch : form::maximum);
  made->condition = text(predicate->getSourceRange());
  made->faults = answer.faults;
  made->own_depends = answer.depends;
  made->body = std::move(then);
  made->otherwise = std::move(otherwise);
  if (answer.reason.empty()) return into.parts.push_back(std::move(made));
  const double then_weight = made->body.typical();
  const double other_weight = made->otherwise.typical();
  const bool varies = made->body.varies() || made->otherwise.varies();
  if (loops_ == 0 && sight.calls.empty() && std::abs(then_weight - other_weight) > guarded_least) {
    found_.guard = text(predicate->getSourceRange()) + ": " + answer.reason;
    found_.guarded += std::abs(then_weight - other_weight);
  }
  if (!varies) found_.dearer = true;
  if (!varies) return into.fixed.add(then_weight >= other_weight ? made->body.fixed : made->otherwise.fixed);
  if (!made->body.may_fault() && !made->otherwise.may_fault()) {
    roughly("the dearer branch is taken");
    return into.parts.push_back(std::move(made));
  }
  not_known("what hangs on a predicate that cannot be told (" + answer.reason + ")");  // rule 3
  into.fixed.weight += std::max(then_weight, other_weight);
}

void getwl::unknown_loop(const Stmt& at, const Stmt* body, const std::string& why, block& into) {
  not_known(why);
  ++loops_;
  auto inside = nested(body);
  --loops_;
  into.fixed.weight += usual_trips * inside.typical();
  into.fixed.names.push_back(name_of(&at) + "*?");
}

/// `do … while (0)`: `break` and `continue` lead to its end.
void getwl::once(const Stmt* body, block& into) {
  const bool outside = sight.here.unguarded;
  const auto around = std::exchange(once_, loops_ + 1);
  statements(listed(body), into);
  once_ = around;
  sight.here.unguarded = outside;
}

void getwl::other_loop(const Stmt& at, block& into) {
  const auto* until = dyn_cast<DoStmt>(&at);
  const auto* body = until != nullptr ? until->getBody() : cast<WhileStmt>(at).getBody();
  const auto* condition = until != nullptr ? until->getCond() : cast<WhileStmt>(at).getCond();
  bool again = true;
  const bool known =
      !condition->isInstantiationDependent() && condition->EvaluateAsBooleanCondition(again, whole_.context());
  if (until != nullptr && known && !again) return once(body, into);
  if (has_compare_exchange(condition)) {  // repeated only where threads meet
    expression(condition, into, name_of(&at));
    return into.fixed.add(nested(body).fixed);
  }
  unknown_loop(at, body, until != nullptr ? "do" : "while", into);
}

void getwl::many_cases(const SwitchStmt& at, block& into) {
  expression(at.getCond(), into, name_of(&at));
  block inside;
  const auto outside = sight.here;
  for (const auto* each : listed(at.getBody())) {
    while (const auto* label = dyn_cast<SwitchCase>(each)) each = label->getSubStmt();
    statement(each, inside);
  }
  sight.here = outside;
  if (inside.varies()) not_known("switch");
  into.fixed.weight += inside.typical();
}

}  // namespace steelyard::rewriter::cost
