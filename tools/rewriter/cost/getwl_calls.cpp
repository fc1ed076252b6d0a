// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringSet.h>

#include "getwl.hpp"
#include "shape.hpp"
#include "weights.hpp"

namespace steelyard::rewriter::cost {

using namespace clang;

namespace {

constexpr double handing_over = 2;
constexpr std::size_t deepest = 6;
constexpr unsigned most_calls = 2000;  // that are looked into, for one loop
constexpr double usual_length = 16;    // of a range
constexpr double sorting = 20;

/// Functions of the library that work through a range.
bool works_through_a_range(const FunctionDecl& callee) {
  static const llvm::StringSet<> names = {
      "sort",       "stable_sort", "partial_sort", "nth_element", "fill",        "fill_n",   "copy",          "copy_n",
      "accumulate", "reverse",     "find",         "find_if",     "count",       "count_if", "iota",          "unique",
      "rotate",     "transform",   "equal",        "max_element", "min_element", "for_each", "inner_product", "memcpy",
      "memset",     "memmove",     "strlen",       "strcpy",      "strcmp",      "qsort"};
  return callee.getIdentifier() != nullptr && names.contains(callee.getName());
}

/// Whether an operand is evaluated only where another one says so: `a && b`, `a ? b : c`. The slice has no guard for what it calls.
bool is_conditional(const Stmt& operation, const Stmt* operand) {
  if (const auto* logical = dyn_cast<BinaryOperator>(&operation))
    return logical->isLogicalOp() && operand == logical->getRHS();
  const auto* choice = dyn_cast<AbstractConditionalOperator>(&operation);
  return choice != nullptr && operand != choice->getCond();
}

}  // namespace

void getwl::expression(const Expr* at, block& into, const std::string& name) {
  if (at == nullptr) return;
  double weight = 0;
  add(at, into, weight);
  into.fixed.weight += weight;
  if (!name.empty() && (weight != 0 || !weights_.only_calls_of.empty())) into.fixed.names.push_back(name);
}

void getwl::add(const Stmt* at, block& into, double& weight) {
  if (at == nullptr || isa<LambdaExpr, UnaryExprOrTypeTraitExpr>(at)) return;
  weight += weigh(at);
  if (const auto* site = dyn_cast<CallExpr>(at)) call(*site, into, weight);
  const bool outside = sight.here.unguarded;
  for (const Stmt* child : at->children()) {
    sight.here.unguarded = outside || is_conditional(*at, child);
    add(child, into, weight);
  }
  sight.here.unguarded = outside;
}

void getwl::call(const CallExpr& at, block& into, double& weight) {
  const auto* callee = at.getDirectCallee();
  const auto* defined = body_of(callee);
  const auto own = weight_of_call(at, weights_.only_calls_of);
  const bool named = !weights_.only_calls_of.empty() && own != 0;
  const bool seen = defined != nullptr && !whole_.is_system(defined) && !is_accessor(*callee);
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
  if (seen && !named && (method == nullptr || !method->isVirtual())) return inlined(at, *defined, into, weight);
  weight += own;
  if (callee == nullptr || (!whole_.is_system(callee) && callee->getBuiltinID() == 0 && !seen))
    found_.assumed.push_back(callee == nullptr ? "a function over a pointer" : callee->getNameAsString());
  if (callee != nullptr && works_through_a_range(*callee) && !named) range_call(at, *callee, into);
}

/// `std::copy(from, to, …)`, `memset(at, 0, n)`.
void getwl::range_call(const CallExpr& at, const FunctionDecl& callee, block& into) {
  const bool bytes =
      callee.getName().contains("mem") && at.getNumArgs() == 3 && at.getArg(2)->getType()->isIntegerType();
  const bool iterators = at.getNumArgs() >= 2 && is_random_access(at.getArg(0)->getType()) &&
                         at.getArg(0)->getType().getCanonicalType() == at.getArg(1)->getType().getCanonicalType();
  auto made = std::make_unique<piece>();
  made->is = piece::form::closed_loop;
  made->usual_trips = usual_length;
  made->each_time = {callee.getName().contains("sort") ? sorting : 1, {callee.getNameAsString()}};
  scope::answer bounds;
  if (bytes) {
    bounds = sight.evaluate(at.getArg(2));
    made->bound = "(" + text(at.getArg(2)->getSourceRange()) + ")";
    made->condition = made->bound + " > 0";
    made->trips = "(double)" + made->bound + " / 8";
  } else if (iterators) {
    bounds = sight.evaluate(at.getArg(0));
    const auto end = sight.evaluate(at.getArg(1));
    if (bounds.reason.empty()) bounds.reason = end.reason;
    bounds.depends.insert(end.depends.begin(), end.depends.end());
    const auto first = "(" + text(at.getArg(0)->getSourceRange()) + ")";
    const auto last = "(" + text(at.getArg(1)->getSourceRange()) + ")";
    made->bound = "(" + last + " - " + first + ")";
    made->condition = first + " != " + last;
    made->trips = "(double)" + made->bound;
  }
  if (!(bytes || iterators) || !bounds.reason.empty())
    return not_known(callee.getNameAsString() + " works through a range" +
                     (bounds.reason.empty() ? "" : ": " + bounds.reason));
  if (callee.getName().contains("sort")) roughly("sorting takes longer than its range is long");
  made->faults = true;
  made->own_depends = bounds.depends;
  into.parts.push_back(std::move(made));
}

void getwl::inlined(const CallExpr& at, const FunctionDecl& callee, block& into, double& weight) {
  if (std::find(sight.calls.begin(), sight.calls.end(), &callee) != sight.calls.end() || sight.calls.size() >= deepest)
    return not_known(callee.getNameAsString() + " calls itself, or lies deep");
  if (const auto known = constant_.find(&callee); known != constant_.end()) {
    weight += known->second;
    return;
  }
  if (++inlined_ > most_calls) return not_known("too many functions are called");
  const auto unknown = found_.unknown.size();
  const auto outside = sight.here;
  auto made = parameters(at, callee);
  sight.calls.push_back(&callee);
  const auto rough = std::exchange(found_.rough, "");
  auto inside = nested(callee.getBody());
  // What returns early from a straight line is only a branch that getWL takes for dearer than it is.
  if (!rough.empty() || !inside.varies()) found_.rough = rough;
  sight.calls.pop_back();
  sight.here = outside;  // its jumps lead to its end
  const double fixed = inside.fixed.weight + (weights_.only_calls_of.empty() ? handing_over : 0);
  weight += fixed;
  if (!inside.varies()) {
    if (found_.unknown.size() == unknown) constant_[&callee] = fixed;
    return;
  }
  const auto why = why_not_inlined(callee);
  if (!why.empty()) {
    weight += inside.typical() - inside.fixed.weight;
    return on_iteration(inside.depends())
               ? not_known(why)
               : roughly("a call of " + callee.getNameAsString() + " is taken to cost as much as usual");
  }
  found_.inlines = true;
  for (auto& part : inside.parts) made->body.parts.push_back(std::move(part));
  into.parts.push_back(std::move(made));
}

/// What can be written down where the loop stands.
std::string getwl::why_not_inlined(const FunctionDecl& callee) const {
  const auto name = "the cost of " + callee.getNameAsString() + " depends on its arguments";
  const auto& sources = whole_.context().getSourceManager();
  if (const auto* method = dyn_cast<CXXMethodDecl>(&callee); method != nullptr) return name + ", and it is a member";
  if (callee.isTemplateInstantiation()) return name + ", and it is a template";
  if (callee.isVariadic()) return name + ", of which there may be any number";
  if (!sources.isBeforeInTranslationUnit(callee.getBeginLoc(), of_.body->getBeginLoc()))
    return name + ", and it stands behind the loop";
  return "";
}

/// Two steps, for an argument may have the name of a parameter.
std::unique_ptr<piece> getwl::parameters(const CallExpr& at, const FunctionDecl& callee) {
  auto made = std::make_unique<piece>();
  made->is = piece::form::call;
  std::vector<std::unique_ptr<piece>> second;
  const unsigned skipped = isa<CXXOperatorCallExpr>(at) && isa<CXXMethodDecl>(callee) ? 1 : 0;
  for (const auto* parameter : callee.parameters()) {
    const auto index = parameter->getFunctionScopeIndex() + skipped;
    if (index >= at.getNumArgs() || isa<CXXDefaultArgExpr>(at.getArg(index))) continue;
    if (!sight.changes().definitions(parameter).empty() || parameter->getName().empty()) continue;
    const auto between = "steelyard_argument" + std::to_string(++next_name_);
    auto type = parameter->getType().getUnqualifiedType();
    std::string first = between;
    std::string then = parameter->getNameAsString();
    const auto policy = whole_.context().getPrintingPolicy();
    type.getAsStringInternal(first, policy);
    type.getAsStringInternal(then, policy);
    scope::definition value;
    value.values.push_back(at.getArg(index));
    value.depth = sight.calls.size();
    value.unguarded = sight.here.unguarded;
    for (const auto& [opening, parts] :
         {std::pair(first + " = " + text(at.getArg(index)->getSourceRange()) + ";", &made->body.parts),
          std::pair(then + " = " + between + ";", &second)}) {
      auto defined = std::make_unique<piece>();
      defined->needed = false;
      defined->opening = opening;
      value.pieces.push_back(defined.get());
      parts->push_back(std::move(defined));
    }
    sight.here.definitions[parameter] = value;
  }
  for (auto& each : second) made->body.parts.push_back(std::move(each));
  return made;
}

}  // namespace steelyard::rewriter::cost
