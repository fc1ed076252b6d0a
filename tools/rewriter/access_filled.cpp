// SPDX-License-Identifier: Apache-2.0
// What writes all of a variable, for `access`.
#include <algorithm>
#include <array>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "access.hpp"
#include "nest.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

/// Whether a pointer may lead to a variable.
bool has_address_taken(const Stmt* at, const VarDecl* variable) {
  if (at == nullptr) return false;
  const auto* unary = dyn_cast<UnaryOperator>(at);
  if (unary != nullptr && unary->getOpcode() == UO_AddrOf && root_of(unary->getSubExpr()) == variable) return true;
  return std::any_of(at->child_begin(), at->child_end(),
                     [&](const Stmt* child) { return has_address_taken(child, variable); });
}

/// Where it leads: `a` of an array, and `&x`; null: elsewhere.
const Expr* target_of(const Expr* pointer) {
  if (const auto* target = pointed_at(pointer)) return target;
  return plain(pointer)->getType()->isArrayType() ? plain(pointer) : nullptr;
}

}  // namespace

/// `for (i = 0; i < N; ++i)` with a constant N, whose iterations all run to their ends.
access::count access::count_of(const ForStmt& loop) const {
  if (watched_.empty() || loop.getBody() == nullptr) return {};
  if (contains_any<BreakStmt, ContinueStmt>(loop.getBody())) return {};
  auto& context = (*watched_.begin())->getASTContext();
  const auto read = read_nest(&loop, 1, context);
  if (!read.unfit.empty() || read.levels.empty()) return {};
  const auto& only = read.levels.front();
  if (only.step != nullptr || only.subtracts || only.compare != comparison::less) return {};
  if (only.first == nullptr || only.bound == nullptr) return {};
  const auto first = constant_of(only.first, context);
  const auto bound = constant_of(only.bound, context);
  if (!first || !bound || !first->isZero() || bound->isNegative() || bound->getActiveBits() > 63) return {};
  return {only.variable, bound->getZExtValue()};
}

/// `a[i] = …;` in each iteration writes all of an array of at most that many elements.
void access::settle_filled(const Stmt& body, const count& counted) {
  if (contains_any<ReturnStmt>(&body)) return;
  const auto changes_counter = [&] {
    return !of(body, {counted.counter}, {}).written.empty() || has_address_taken(&whole_, counted.counter);
  };
  const auto fill = [&](const Stmt* at) {
    const auto* assignment = dyn_cast_or_null<BinaryOperator>(at);
    if (assignment == nullptr || assignment->getOpcode() != BO_Assign) return;
    const auto* element = dyn_cast<ArraySubscriptExpr>(plain(assignment->getLHS()));
    if (element == nullptr || named(element->getIdx()) != counted.counter) return;
    const auto whole = place_of(element->getBase());
    const auto* array = plain(element->getBase())->getType()->getAsArrayTypeUnsafe();
    const auto* sized = dyn_cast_or_null<ConstantArrayType>(array);
    if (whole.variable == nullptr || !whole.exact || sized == nullptr) return;
    if (sized->getSize().ule(counted.iterations) && !changes_counter()) write_over(whole);
  };
  if (const auto* block = dyn_cast<CompoundStmt>(&body)) {
    std::for_each(block->body_begin(), block->body_end(), fill);
  } else {
    fill(&body);
  }
}

/// `object = value`, which writes all of it.
bool access::is_assignment_of_object(const CXXOperatorCallExpr& call) {
  if (call.getOperator() != OO_Equal || call.getNumArgs() != 2) return false;
  const auto found = place_of(call.getArg(0));
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(call.getDirectCallee());
  const bool overwrites = method != nullptr && (method->isDefaulted() || is_in_library(*method));
  if (found.variable == nullptr || !overwrites) return false;
  piece(call.getArg(1));
  indexes_of(call.getArg(0));
  write_over(found);
  return true;
}

/// `memset(a, 0, sizeof(a))`, which writes all of it, or memcpy.
bool access::fills_memory(const CallExpr& call) {
  const auto* function = call.getDirectCallee();
  if (function == nullptr || function->getIdentifier() == nullptr || call.getNumArgs() != 3) return false;
  const auto name = function->getName();
  if (name != "memset" && name != "memcpy") return false;
  const auto* to = target_of(call.getArg(0));
  if (to == nullptr) return false;
  const auto found = place_of(to);
  const auto* size = dyn_cast<UnaryExprOrTypeTraitExpr>(plain(call.getArg(2)));
  if (found.variable == nullptr || !found.exact || size == nullptr || size->isArgumentType()) return false;
  const auto measured = place_of(size->getArgumentExpr());
  if (measured.variable != found.variable || measured.path != found.path) return false;
  piece(call.getArg(1));
  write_over(found);
  return true;
}

/// Functions of C that store what they return behind a pointer, and do not read there.
bool access::sets_results(const CallExpr& call) {
  constexpr std::array<llvm::StringRef, 9> storing = {"sincos", "sincosf", "sincosl", "modf",  "modff",
                                                      "modfl",  "frexp",   "frexpf",  "frexpl"};
  const auto* function = call.getDirectCallee();
  const auto* name = function == nullptr ? nullptr : function->getIdentifier();
  if (name == nullptr || std::find(storing.begin(), storing.end(), name->getName()) == storing.end()) return false;
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const auto* target = i == 0 ? nullptr : target_of(call.getArg(i));
    const auto found = target == nullptr ? place{} : place_of(target);
    if (found.variable == nullptr) {
      piece(call.getArg(i));
    } else {
      indexes_of(target);
      write_over(found);
    }
  }
  return true;
}

}  // namespace steelyard::rewriter
