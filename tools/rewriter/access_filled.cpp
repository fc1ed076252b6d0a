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

/// `i` of `for (i = 0; i < N; ++i)`, and N, where that is a constant; else null.
const VarDecl* counted_from_zero(const ForStmt& loop, const ASTContext& context, std::uint64_t& count) {
  auto read = read_nest(&loop, 1, const_cast<ASTContext&>(context));
  if (!read.unfit.empty() || read.levels.empty()) return nullptr;
  const auto& only = read.levels.front();
  if (only.step != nullptr || only.subtracts || only.compare != comparison::less) return nullptr;
  if (only.first == nullptr || only.bound == nullptr) return nullptr;
  const auto first = constant_of(only.first, context);
  const auto bound = constant_of(only.bound, context);
  if (!first || !bound || !first->isZero() || bound->isNegative() || bound->getActiveBits() > 63) return nullptr;
  count = bound->getZExtValue();
  return only.variable;
}

bool is_in_library(const Decl& declaration) {
  return declaration.getASTContext().getSourceManager().isInSystemHeader(declaration.getLocation());
}

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
  pointer = plain(pointer);
  const auto* address = dyn_cast<UnaryOperator>(pointer);
  if (address != nullptr && address->getOpcode() == UO_AddrOf) return address->getSubExpr();
  return pointer->getType()->isArrayType() ? pointer : nullptr;
}

}  // namespace

/// Whether it runs its body at least once, and each time to its end.
bool access::runs_through(const ForStmt& loop) const {
  if (watched_.empty() || loop.getBody() == nullptr || contains_any<BreakStmt, ContinueStmt>(loop.getBody()))
    return false;
  std::uint64_t count = 0;
  return counted_from_zero(loop, (*watched_.begin())->getASTContext(), count) != nullptr && count != 0;
}

/// `for (i = 0; i < N; ++i) a[i] = …;` writes all of an array of at most N elements.
void access::settle_filled(const ForStmt& loop) {
  if (loop.getBody() == nullptr || contains_any<BreakStmt, ContinueStmt, ReturnStmt>(loop.getBody())) return;
  const auto changes = [&](const VarDecl* counter) {
    const variables watched{counter};
    const variables none;
    access inside(watched, none);
    inside.piece(loop.getBody());
    return !inside.written.empty() || has_address_taken(whole_, counter);
  };
  const auto fill = [&](const Stmt* at) {
    const auto* assignment = dyn_cast_or_null<BinaryOperator>(at);
    if (assignment == nullptr || assignment->getOpcode() != BO_Assign) return;
    const auto* element = dyn_cast<ArraySubscriptExpr>(plain(assignment->getLHS()));
    if (element == nullptr) return;
    const auto whole = place_of(element->getBase());
    const auto* array = plain(element->getBase())->getType()->getAsArrayTypeUnsafe();
    const auto* sized = dyn_cast_or_null<ConstantArrayType>(array);
    if (whole.variable == nullptr || !whole.exact || sized == nullptr) return;
    std::uint64_t count = 0;
    const auto* counter = counted_from_zero(loop, whole.variable->getASTContext(), count);
    if (counter == nullptr || named(element->getIdx()) != counter || changes(counter)) return;
    if (sized->getSize().ule(count)) write_over(whole);
  };
  if (const auto* block = dyn_cast<CompoundStmt>(loop.getBody())) {
    std::for_each(block->body_begin(), block->body_end(), fill);
  } else {
    fill(loop.getBody());
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
