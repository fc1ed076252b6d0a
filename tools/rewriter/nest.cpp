// SPDX-License-Identifier: Apache-2.0
#include "nest.hpp"

#include <algorithm>
#include <array>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

namespace steelyard::rewriter {

using namespace clang;

const Expr* plain(const Expr* expression) {
  while (expression != nullptr) {
    const Expr* inner = expression->IgnoreImplicit()->IgnoreParens();
    if (const auto* made = dyn_cast<CXXConstructExpr>(inner);
        made != nullptr && made->getNumArgs() == 1 && made->isElidable()) {
      inner = made->getArg(0);
    }
    if (inner == expression) return inner;
    expression = inner;
  }
  return nullptr;
}

bool is_worksharing_loop(const Stmt& statement) {
  const auto* directive = dyn_cast<OMPLoopDirective>(&statement);
  return directive != nullptr && isOpenMPWorksharingDirective(directive->getDirectiveKind());
}

const Expr* pointed_at(const Expr* expression) {
  const auto* unary = dyn_cast_or_null<UnaryOperator>(plain(expression));
  return unary != nullptr && unary->getOpcode() == UO_AddrOf ? unary->getSubExpr() : nullptr;
}

bool is_in_library(const Decl& declaration) {
  return is_in_library(declaration.getLocation(), declaration.getASTContext().getSourceManager());
}

bool is_in_library(SourceLocation where, const SourceManager& sources) {
  if (!sources.isInSystemHeader(where)) return false;
  const auto known = sources.getPresumedLoc(where);
  const StringRef file = known.isValid() ? known.getFilename() : "";
  constexpr std::array<StringRef, 4> folders = {"/c++/", "/lib/gcc/", "/lib64/gcc/", "/lib/clang/"};
  return std::any_of(folders.begin(), folders.end(), [&](StringRef each) { return file.contains(each); });
}

bool any_type(llvm::ArrayRef<TemplateArgument> given, llvm::function_ref<bool(QualType)> is) {
  return llvm::any_of(given, [&](const TemplateArgument& each) {
    if (each.getKind() == TemplateArgument::Pack) return any_type(each.getPackAsArray(), is);
    return each.getKind() == TemplateArgument::Type && is(each.getAsType());
  });
}

const VarDecl* named(const Expr* expression) {
  const auto* reference = dyn_cast_or_null<DeclRefExpr>(plain(expression));
  return reference == nullptr ? nullptr : dyn_cast<VarDecl>(reference->getDecl());
}

const VarDecl* simply_named(const Expr* expression) {
  const auto* reference = dyn_cast_or_null<DeclRefExpr>(plain(expression));
  return reference == nullptr || reference->hasQualifier() ? nullptr : named(reference);
}

namespace {

/// An operator and its operands, whether built in or a function; `second` is null where there is one.
struct operation {
  OverloadedOperatorKind kind;
  const Expr* first;
  const Expr* second;
};

std::optional<operation> operation_of(const Expr* expression) {
  expression = plain(expression);
  if (const auto* binary = dyn_cast_or_null<BinaryOperator>(expression)) {
    return operation{BinaryOperator::getOverloadedOperator(binary->getOpcode()), binary->getLHS(), binary->getRHS()};
  }
  if (const auto* spaceship = dyn_cast_or_null<CXXRewrittenBinaryOperator>(expression)) {
    return operation{BinaryOperator::getOverloadedOperator(spaceship->getOpcode()), spaceship->getLHS(),
                     spaceship->getRHS()};
  }
  if (const auto* unary = dyn_cast_or_null<UnaryOperator>(expression)) {
    return operation{UnaryOperator::getOverloadedOperator(unary->getOpcode()), unary->getSubExpr(), nullptr};
  }
  if (const auto* call = dyn_cast_or_null<CXXOperatorCallExpr>(expression)) {
    const bool postfix =
        call->getNumArgs() == 2 && (call->getOperator() == OO_PlusPlus || call->getOperator() == OO_MinusMinus);
    return operation{call->getOperator(), call->getArg(0),
                     call->getNumArgs() == 2 && !postfix ? call->getArg(1) : nullptr};
  }
  return std::nullopt;
}

/// Whether parentheses stand around it. GCC does not take `(i) = 0`, `(i < n)` and `++(i)`, which Clang does.
bool is_parenthesized(const Expr* expression) { return isa<ParenExpr>(expression->IgnoreImplicit()); }

/// Whether it is the variable's name and no more.
bool is_name_of(const Expr* expression, const level& loop) {
  return !is_parenthesized(expression) && named(expression) == loop.variable;
}

/// `T i = value`. Of `T i(value)` Clang warns, and GCC takes neither that nor braces.
bool is_plainly_declared(const VarDecl& variable) {
  const bool on_its_own = variable.getStorageClass() == SC_None || variable.getStorageClass() == SC_Register;
  return on_its_own && variable.getInitStyle() == VarDecl::CInit && variable.hasInit() &&
         !isa<InitListExpr>(variable.getInit()->IgnoreImplicit());
}

bool read_init(const ForStmt& loop, level& found) {
  if (const auto* declared = dyn_cast_or_null<DeclStmt>(loop.getInit())) {
    if (!declared->isSingleDecl()) return false;
    found.variable = dyn_cast<VarDecl>(declared->getSingleDecl());
    found.declared_here = true;
    if (found.variable != nullptr && is_plainly_declared(*found.variable)) found.first = found.variable->getInit();
  } else if (const auto* assigned = dyn_cast_or_null<Expr>(loop.getInit())) {
    const auto assignment = operation_of(assigned);
    if (!assignment || assignment->kind != OO_Equal || is_parenthesized(assignment->first)) return false;
    found.variable = simply_named(assignment->first);
    found.first = assignment->second;
  }
  return found.variable != nullptr && found.first != nullptr;
}

std::optional<comparison> comparison_of(OverloadedOperatorKind kind, bool variable_left) {
  switch (kind) {
    case OO_Less:
      return variable_left ? comparison::less : comparison::greater;
    case OO_LessEqual:
      return variable_left ? comparison::less_equal : comparison::greater_equal;
    case OO_Greater:
      return variable_left ? comparison::greater : comparison::less;
    case OO_GreaterEqual:
      return variable_left ? comparison::greater_equal : comparison::less_equal;
    case OO_ExclaimEqual:
      return comparison::not_equal;
    default:
      return std::nullopt;
  }
}

bool read_condition(const ForStmt& loop, level& found) {
  const auto condition = operation_of(loop.getCond());
  if (!condition || condition->second == nullptr || is_parenthesized(loop.getCond())) return false;
  const bool left = is_name_of(condition->first, found);
  if (!left && !is_name_of(condition->second, found)) return false;
  const auto compare = comparison_of(condition->kind, left);
  if (!compare) return false;
  found.compare = *compare;
  found.bound = left ? condition->second : condition->first;
  return true;
}

/// `i = i + step`, `i = step + i`, `i = i - step`
bool read_assigned_step(const Expr* value, level& found) {
  const auto sum = operation_of(value);
  if (!sum || sum->second == nullptr || (sum->kind != OO_Plus && sum->kind != OO_Minus)) return false;
  found.subtracts = sum->kind == OO_Minus;
  if (is_name_of(sum->first, found)) {
    found.step = sum->second;
    return true;
  }
  found.step = sum->first;
  return sum->kind == OO_Plus && is_name_of(sum->second, found);
}

bool read_step(const ForStmt& loop, level& found) {
  const auto change = operation_of(loop.getInc());
  if (!change || !is_name_of(change->first, found)) return false;
  switch (change->kind) {
    case OO_PlusPlus:
      return true;
    case OO_MinusMinus:
      found.subtracts = true;
      return true;
    case OO_PlusEqual:
      found.step = change->second;
      return true;
    case OO_MinusEqual:
      found.step = change->second;
      found.subtracts = true;
      return true;
    case OO_Equal:
      return read_assigned_step(change->second, found);
    default:
      return false;
  }
}

counter kind_of(QualType type) {
  if (type->isIntegerType()) return counter::integer;
  return type->isPointerType() ? counter::pointer : counter::iterator;
}

/// Whether the type of the variable decides the condition, as `u >= 0` of one without sign: GCC takes no such loop.
bool is_decided(const level& loop, const ASTContext& context) {
  const auto bound = constant_of(plain(loop.bound), context);
  if (loop.kind != counter::integer || loop.variable->getType()->isDependentType() || !bound) return false;
  const auto bits = static_cast<unsigned>(context.getTypeSize(loop.variable->getType()));
  const bool has_no_sign = loop.variable->getType()->isUnsignedIntegerType();
  const auto least = llvm::APSInt::getMinValue(bits, has_no_sign);
  const auto most = llvm::APSInt::getMaxValue(bits, has_no_sign);
  const bool at_least = loop.compare == comparison::less || loop.compare == comparison::greater_equal;
  const bool at_most = loop.compare == comparison::less_equal || loop.compare == comparison::greater;
  const auto below = llvm::APSInt::compareValues(*bound, least);
  const auto above = llvm::APSInt::compareValues(*bound, most);
  return below < 0 || above > 0 || (at_least && below == 0) || (at_most && above == 0);
}

/// `char c; … c < n`, where n is unsigned or wider than int: g++ does not take it.
bool is_widened_twice(const level& loop, const ASTContext& context) {
  const auto variable = loop.variable->getType();
  const auto bound = plain(loop.bound)->getType();
  const bool known = !variable->isDependentType() && bound->isIntegralOrUnscopedEnumerationType();
  if (!context.getLangOpts().CPlusPlus || loop.kind != counter::integer || !known) return false;
  if (context.getTypeSize(variable) >= context.getTypeSize(context.IntTy)) return false;
  const auto promoted = context.isPromotableIntegerType(bound) ? context.getPromotedIntegerType(bound) : bound;
  return !context.hasSameUnqualifiedType(promoted, context.IntTy);
}

/// What GCC or Clang would not take, though each of its parts is in canonical form.
std::string refused(const level& found, const ASTContext& context) {
  const auto type = found.variable->getType();
  if (type->isBooleanType() || type->isEnumeralType()) return "its variable is no number";
  if (is_decided(found, context)) return "the type of its variable decides the condition";
  if (is_widened_twice(found, context)) return "its variable is narrower than int, and its bound no int";
  if (found.compare != comparison::not_equal || found.step == nullptr) return "";
  const auto step = constant_of(found.step, context);
  const bool by_one =
      step && llvm::APSInt::compareValues(step->isNegative() ? -*step : *step, llvm::APSInt::get(1)) == 0;
  return by_one || found.step->isInstantiationDependent() ? "" : "!= with a step other than 1";
}

std::string read_for(const ForStmt& loop, level& found, const ASTContext& context) {
  if (!read_init(loop, found)) return "its initialisation is not in canonical form";
  if (!read_condition(loop, found)) return "its condition is not in canonical form";
  if (!read_step(loop, found)) return "its step is not in canonical form";
  found.kind = kind_of(found.variable->getType());
  return refused(found, context);
}

/// What stands alone in braces, or the statement itself.
const Stmt* only_statement(const Stmt* statement) {
  while (statement != nullptr) {
    if (const auto* loop = dyn_cast<OMPCanonicalLoop>(statement)) {
      statement = loop->getLoopStmt();
    } else if (const auto* braces = dyn_cast<CompoundStmt>(statement); braces != nullptr && braces->size() == 1) {
      statement = braces->body_front();
    } else {
      return statement;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<llvm::APSInt> constant_of(const Expr* expression, const ASTContext& context) {
  Expr::EvalResult value;
  if (expression->isInstantiationDependent() || !expression->EvaluateAsInt(value, context)) return std::nullopt;
  return value.Val.getInt();
}

const Expr* condition_of(const Stmt& statement) {
  if (const auto* branch = dyn_cast<IfStmt>(&statement)) return branch->getCond();
  if (const auto* loop = dyn_cast<ForStmt>(&statement)) return loop->getCond();
  if (const auto* loop = dyn_cast<WhileStmt>(&statement)) return loop->getCond();
  if (const auto* loop = dyn_cast<DoStmt>(&statement)) return loop->getCond();
  const auto* choice = dyn_cast<SwitchStmt>(&statement);
  return choice != nullptr ? choice->getCond() : nullptr;
}

nest read_nest(const Stmt* statement, unsigned depth, ASTContext& context) {
  nest found;
  found.body = statement;
  for (unsigned each = 0; each < depth && found.unfit.empty(); ++each) {
    level next;
    next.statement = only_statement(found.body);
    if (const auto* loop = dyn_cast_or_null<ForStmt>(next.statement)) {
      found.unfit = read_for(*loop, next, context);
      found.body = loop->getBody();
    } else if (const auto* range = dyn_cast_or_null<CXXForRangeStmt>(next.statement)) {
      next.kind = counter::range;
      next.variable = range->getLoopVariable();
      next.declared_here = true;
      found.body = range->getBody();
    } else {
      found.unfit = each == 0 ? "no loop stands under it" : "its loops are not perfectly nested";
      break;
    }
    found.levels.push_back(next);
  }
  return found;
}

}  // namespace steelyard::rewriter
