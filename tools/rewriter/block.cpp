// SPDX-License-Identifier: Apache-2.0
#include "block.hpp"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>

#include "loops.hpp"
#include "nest.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

/// A call of a function that throws nothing, with numbers.
bool is_harmless_call(const Stmt& at) {
  const auto* call = dyn_cast<CallExpr>(&at);
  if (call == nullptr || isa<CXXMemberCallExpr, CXXOperatorCallExpr>(call)) return false;
  const auto* function = call->getDirectCallee();
  const auto* type = function == nullptr ? nullptr : function->getType()->getAs<FunctionProtoType>();
  return type != nullptr && type->isNothrow() && call->getType()->isScalarType();
}

/// Variables of numbers and pointers, or arrays of such.
bool is_harmless_declaration(const Stmt& at) {
  const auto* declared = dyn_cast<DeclStmt>(&at);
  return declared != nullptr && std::all_of(declared->decl_begin(), declared->decl_end(), [](const Decl* each) {
           const auto* variable = dyn_cast<VarDecl>(each);
           return variable != nullptr && variable->getType()->getBaseElementTypeUnsafe()->isScalarType() &&
                  variable->getType()->isConstantSizeType();
         });
}

/// Whether anything in a piece of a program may throw: all but what is known not to.
bool may_throw(const Stmt* at) {
  if (at == nullptr) return false;
  const bool is_harmless =
      isa<CompoundStmt, ForStmt, IfStmt, WhileStmt, DoStmt, SwitchStmt, CaseStmt, DefaultStmt, BreakStmt, ContinueStmt,
          NullStmt, DeclRefExpr, IntegerLiteral, FloatingLiteral, CharacterLiteral, CXXBoolLiteralExpr, ParenExpr,
          UnaryOperator, BinaryOperator, ArraySubscriptExpr, ImplicitCastExpr, CStyleCastExpr, CXXStaticCastExpr,
          ConditionalOperator, MemberExpr, ConstantExpr, InitListExpr>(at) ||
      is_harmless_call(*at) || is_harmless_declaration(*at);
  return !is_harmless || std::any_of(at->child_begin(), at->child_end(), may_throw);
}

class reader {
 public:
  reader(const worksharing_loop& loop, const ASTContext& context)
      : loop_(loop), throws_(context.getLangOpts().Exceptions) {}

  std::optional<block_variables> all() {
    if (loop_.simd || (loop_.region != nullptr && loop_.region->getDirectiveKind() != llvm::omp::OMPD_parallel))
      return std::nullopt;
    const bool region_ends_it = loop_.region != nullptr && !loop_.tries;
    if (throws_ && !region_ends_it && may_throw(loop_.nest.front().statement)) return std::nullopt;
    for (const OMPClause* clause : loop_.directive->clauses()) {
      if (!clause->isImplicit() && clause->getBeginLoc().isValid()) one(*clause);
    }
    for (const auto& each : loop_.nest) {
      if (!each.declared_here) add(each.variable, found_.counted);
    }
    return fits_ ? std::optional(found_) : std::nullopt;
  }

 private:
  void one(const OMPClause& clause) {
    switch (clause.getClauseKind()) {
      case llvm::omp::OMPC_schedule:
      case llvm::omp::OMPC_collapse:
      case llvm::omp::OMPC_nowait:
        return;
      case llvm::omp::OMPC_private:
        for (const Expr* each : cast<OMPPrivateClause>(clause).varlists()) fits_ &= counts(named(each));
        return;
      case llvm::omp::OMPC_firstprivate:
        for (const Expr* each : cast<OMPFirstprivateClause>(clause).varlists()) add(named(each), found_.copied);
        return;
      default:
        fits_ = false;
    }
  }

  /// Whether it is a variable of the loops. Of others Clang says that they have no value, and only of a clause.
  [[nodiscard]] bool counts(const VarDecl* variable) const {
    return std::any_of(loop_.nest.begin(), loop_.nest.end(),
                       [&](const level& each) { return each.variable == variable; });
  }

  /// Numbers and pointers: nothing happens when those are made or end. Local ones: others may be named in two ways.
  void add(const VarDecl* variable, std::vector<std::string>& to) {
    if (variable == nullptr || variable->isImplicit() || !variable->isLocalVarDeclOrParm() ||
        !variable->getType()->isScalarType()) {
      fits_ = false;
      return;
    }
    to.push_back(variable->getNameAsString());
  }

  const worksharing_loop& loop_;
  const bool throws_;  ///< its language
  block_variables found_;
  bool fits_ = true;
};

}  // namespace

std::optional<block_variables> variables_of_block(const worksharing_loop& loop, const ASTContext& context) {
  for (const auto& other : loop.others) {
    if (!reader(other, context).all()) return std::nullopt;
  }
  return reader(loop, context).all();
}

}  // namespace steelyard::rewriter
