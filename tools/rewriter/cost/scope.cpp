// SPDX-License-Identifier: Apache-2.0
#include "scope.hpp"

#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/OpenMPClause.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace steelyard::rewriter::cost {

using namespace clang;

std::string source_of(SourceRange range, const ASTContext& context) {
  const auto& sources = context.getSourceManager();
  const auto raw = Lexer::getSourceText(CharSourceRange::getTokenRange(range), sources, context.getLangOpts());
  std::string text;
  StringRef rest = raw;
  while (!rest.empty()) {
    const auto [line, after] = rest.split('\n');
    if (!line.ltrim().starts_with("#")) text += (text.empty() ? "" : " ") + line.trim().str();
    rest = after;
  }
  return text;
}

namespace {

void names_below(const Stmt* at, std::set<std::string>& names) {
  if (at == nullptr) return;
  if (const auto* declared = dyn_cast<DeclStmt>(at)) {
    for (const Decl* each : declared->decls()) {
      if (const auto* named = dyn_cast<NamedDecl>(each)) names.insert(named->getNameAsString());
    }
  }
  if (const auto* directive = dyn_cast<OMPExecutableDirective>(at))
    return directive->hasAssociatedStmt() ? names_below(directive->getRawStmt(), names) : void();
  for (const Stmt* child : at->children()) names_below(child, names);
}

template <typename Clause>
void add_list(const OMPExecutableDirective* directive, variables& all) {
  if (directive == nullptr) return;
  for (const auto* clause : directive->getClausesOfKind<Clause>()) {
    for (const Expr* each : clause->varlists()) {
      if (const auto* named = dyn_cast<DeclRefExpr>(bare(each))) {
        if (const auto* variable = dyn_cast<VarDecl>(named->getDecl())) all.insert(variable);
      }
    }
  }
}

void refuse(scope::answer& found, const std::string& why) {
  if (found.reason.empty()) found.reason = why;
}

bool is_threads_own(const VarDecl& variable) {
  return variable.getTLSKind() != VarDecl::TLS_None || variable.hasAttr<OMPThreadPrivateDeclAttr>();
}

/// Rule 5, of what a called function names.
bool is_of_a_thread(const VarDecl& variable) {
  return is_threads_own(variable) || variable.getType().isVolatileQualified() || variable.getType()->isAtomicType();
}

bool is_constant(const Expr* at, const ASTContext& context) {
  Expr::EvalResult value;
  return !at->isInstantiationDependent() && at->getType()->isIntegerType() && at->EvaluateAsInt(value, context) &&
         value.Val.getInt() != 0;
}

}  // namespace

scope::scope(program& whole, const loop& of) : whole_(whole), of_(of), changes_(whole) {
  changes_.add(of.body);
  if (of.function != nullptr) changes_.stands_in(whole.of(of.function));
  counters.insert(of.variables.begin(), of.variables.end());
  add_list<OMPPrivateClause>(of.directive, private_);
  add_list<OMPLastprivateClause>(of.directive, private_);
  add_list<OMPPrivateClause>(of.region, private_);
  add_list<OMPFirstprivateClause>(of.region, private_);
  add_list<OMPReductionClause>(of.region, private_);
  if (of.function == nullptr) return;
  for (const auto* parameter : of.function->parameters()) local_names_.insert(parameter->getNameAsString());
  if (of.function->hasBody()) names_below(of.function->getBody(), local_names_);
}

std::size_t scope::values_of(const VarDecl* variable) const {
  if (variable->isStaticLocal() || variable->getType().isVolatileQualified()) return 0;
  return changes_.definitions(variable).size();
}

bool scope::is_inside(const Stmt* piece, const Decl* declaration) const {
  const auto& sources = whole_.context().getSourceManager();
  const auto at = declaration->getLocation();
  return piece != nullptr && !sources.isBeforeInTranslationUnit(at, piece->getBeginLoc()) &&
         sources.isBeforeInTranslationUnit(at, piece->getEndLoc());
}

scope::answer scope::evaluate(const Expr* expression, bool divides) {
  answer found;
  const auto before = reads.size();
  walk(expression, found);
  if (divides && !is_constant(expression, whole_.context())) may_fault(found);
  if (found.reason.empty()) memory(expression, found);
  found.skipped = found.skipped && found.reason.empty();
  if (found.skipped) found.reason = "a jump may lead past it";
  if (!found.reason.empty()) reads.resize(before);  // of what is not told
  return found;
}

/// Rule 3: what may fault is evaluated only where the body does.
void scope::may_fault(answer& found) const {
  found.faults = true;
  found.skipped = found.skipped || here.unguarded;
}

namespace {

llvm::FoldingSetNodeID profile_of(const Expr* expression, const ASTContext& context) {
  llvm::FoldingSetNodeID all;
  expression->Profile(all, context, true);
  return all;
}

}  // namespace

void scope::happens(const Expr* expression) {
  if (!here.unguarded) here.happened.insert(profile_of(expression, whole_.context()));
}

bool scope::has_happened(const Expr* expression) const {
  return here.happened.count(profile_of(expression, whole_.context())) != 0;
}

/// Rule 2: what the loop may write is not read.
void scope::memory(const Expr* expression, answer& found) {
  effects own(whole_);
  own.add(expression);
  for (auto each : own.reads()) {
    const auto* variable = dyn_cast_or_null<VarDecl>(each.root);
    // A function that is called sees the variable itself, not the slice's copy.
    const bool copied = counters.count(variable) != 0 || here.definitions.count(variable) != 0;
    if (each.direct && !each.called && copied) continue;
    if (each.called && variable != nullptr && is_of_a_thread(*variable))
      return refuse(found, variable->getNameAsString() + " belongs to a thread, or is volatile or atomic");
    reads.push_back(each);
    const auto why = changes_.why_written(each);
    if (!why.empty()) return refuse(found, why);
  }
}

void scope::demand(definition& value, answer& found) {
  if (value.checked == definition::state::unchecked) {
    value.checked = definition::state::bad;  // until all of it is found to be good
    value.reason = "a value that depends on itself";
    std::string reason;
    const auto outside =
        std::exchange(calls, {calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(value.depth)});
    const bool unguarded = std::exchange(here.unguarded, value.unguarded);
    for (const Expr* each : value.values) {
      const auto part = evaluate(each);
      value.skipped = value.skipped || part.skipped;
      if (reason.empty() && !part.skipped) reason = part.reason;
      value.depends.insert(part.depends.begin(), part.depends.end());
      for (auto* piece : value.pieces) piece->faults = piece->faults || part.faults;
    }
    calls = outside;
    here.unguarded = unguarded;
    value.reason = reason;
    if (reason.empty()) value.checked = definition::state::good;
  }
  if (value.checked != definition::state::good) return refuse(found, value.reason);
  found.depends.insert(value.depends.begin(), value.depends.end());
  found.skipped = found.skipped || value.skipped;
  if (value.skipped) return;
  for (auto* piece : value.pieces) piece->needed = true;
  for (auto* piece : value.pieces) found.faults = found.faults || piece->faults;
}

void scope::variable(const VarDecl* named, answer& found) {
  if (counters.count(named) != 0) {
    found.depends.insert(named);
    return;
  }
  const auto defined = here.definitions.find(named);
  if (defined != here.definitions.end()) return demand(defined->second, found);
  if (!changes_.definitions(named).empty() || is_inside(of_.body, named))  // rule 4
    return refuse(found, named->getNameAsString() + " has no single value there");
  for (const auto* each : calls) {
    if (named->getDeclContext() == each) return refuse(found, named->getNameAsString() + " is not known there");
  }
  outer_variable(named, found);
}

void scope::outer_variable(const VarDecl* named, answer& found) {
  const auto type = named->getType();
  if (is_threads_own(*named) || private_.count(named) != 0)
    return refuse(found, named->getNameAsString() + " belongs to a thread");  // rule 5
  if (of_.region != nullptr && of_.region->hasAssociatedStmt() && is_inside(of_.region->getRawStmt(), named)) {
    effects region(whole_);
    region.add(of_.region->getRawStmt());
    if (!named->hasInit() || region.definitions(named).size() != 1)
      return refuse(found, named->getNameAsString() + " belongs to a thread");
    const auto initial = evaluate(named->getInit());
    if (!initial.reason.empty()) return refuse(found, initial.reason);
  }
  if (type.isVolatileQualified() || type->isAtomicType())
    return refuse(found, named->getNameAsString() + " is volatile or atomic");
  const auto value = type.getNonReferenceType();
  const bool countable = value->isPointerType() || value->isIntegralOrEnumerationType();
  if (calls.empty() && countable) invariants.insert(named->getNameAsString());
}

/// Whether a name of a function that is inlined means something else where the loop stands.
bool scope::is_hidden(const ValueDecl& named) const {
  if (calls.empty()) return false;
  const auto* context = named.getDeclContext()->getRedeclContext();
  if (context->isFunctionOrMethod()) return false;
  const bool seen =
      context->isTranslationUnit() || (of_.function != nullptr && context->Encloses(of_.function->getDeclContext()));
  return !seen || local_names_.count(named.getNameAsString()) != 0;
}

void scope::name(const DeclRefExpr& at, answer& found) {
  const auto& named = *at.getDecl();
  if (is_hidden(named)) return refuse(found, named.getNameAsString() + " is not in sight of the loop");
  if (const auto* declared = dyn_cast<VarDecl>(&named)) return variable(declared, found);
  if (!isa<EnumConstantDecl, FunctionDecl, TemplateParamObjectDecl>(named))
    refuse(found, named.getNameAsString() + " is not understood");
}

/// Rule 1: only functions that change nothing. One that throws may be called where that is caught, and the slice has nobody to catch it.
void scope::call(const CallExpr& at, answer& found) {
  const auto* callee = at.getDirectCallee();
  if (callee == nullptr || !whole_.is_pure(callee))
    return refuse(found, (callee == nullptr ? "a function over a pointer" : callee->getNameAsString()) +
                             " may have a side effect, or throw");
  if (!isa<CXXMethodDecl>(callee) && !whole_.is_system(callee) && is_hidden(*callee))
    return refuse(found, callee->getNameAsString() + " is not in sight of the loop");
  may_fault(found);
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(&at)) walk(member->getImplicitObjectArgument(), found);
  for (const Expr* argument : at.arguments()) walk(argument, found);
}

void scope::operation(const Expr* at, answer& found) {
  if (const auto* unary = dyn_cast<UnaryOperator>(at)) {
    if (unary->isIncrementDecrementOp()) return refuse(found, "it has a side effect");
    if (unary->getOpcode() == UO_Deref) may_fault(found);
  } else if (const auto* binary = dyn_cast<BinaryOperator>(at)) {
    if (binary->isAssignmentOp() || binary->getOpcode() == BO_Comma) return refuse(found, "it has a side effect");
    const bool divides = binary->getOpcode() == BO_Div || binary->getOpcode() == BO_Rem || binary->isShiftOp();
    if (divides && !is_constant(binary->getRHS(), whole_.context())) may_fault(found);
  } else if (isa<ArraySubscriptExpr>(at)) {
    may_fault(found);
  }
  for (const Stmt* child : at->children()) walk(cast_or_null<Expr>(child), found);
}

/// It names what is in sight of the function, and is not written in the slice.
void scope::default_argument(const CXXDefaultArgExpr& at, answer& found) {
  effects of(whole_);
  of.add(at.getExpr());
  if (!of.writes().empty() || !of.harmless() || !of.unseen().empty())
    return refuse(found, "a default argument may have a side effect");
  may_fault(found);
}

void scope::walk(const Expr* at, answer& found) {
  if (at == nullptr || !found.reason.empty()) return;
  if (const auto* named = dyn_cast<DeclRefExpr>(at)) return name(*named, found);
  if (const auto* site = dyn_cast<CallExpr>(at)) return call(*site, found);
  if (const auto* member = dyn_cast<MemberExpr>(at)) {
    if (member->isArrow() && !member->isImplicitAccess()) may_fault(found);
    return walk(member->getBase(), found);
  }
  if (isa<CXXThisExpr>(at)) return calls.empty() ? void() : refuse(found, "this is not in sight of the loop");
  if (const auto* made = dyn_cast<CXXConstructExpr>(at)) {
    const auto* constructor = made->getConstructor();
    if (!constructor->isTrivial() && !whole_.is_pure(constructor))
      return refuse(found, "a constructor may have a side effect");
    if (!constructor->isTrivial()) may_fault(found);
    for (const Expr* argument : made->arguments()) walk(argument, found);
    return;
  }
  if (const auto* argument = dyn_cast<CXXDefaultArgExpr>(at)) return default_argument(*argument, found);
  if (isa<UnaryExprOrTypeTraitExpr>(at)) return;
  if (const auto* cast = dyn_cast<CastExpr>(at); cast != nullptr && cast->getCastKind() == CK_LValueToRValue) {
    const auto type = cast->getSubExpr()->getType();
    if (type.isVolatileQualified() || type->isAtomicType()) return refuse(found, "it is volatile or atomic");
  }
  if (isa<CXXBindTemporaryExpr>(at)) return refuse(found, "it makes an object that has to be destroyed");
  if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, CXXBoolLiteralExpr, CXXNullPtrLiteralExpr, GNUNullExpr,
          ParenExpr, CastExpr, UnaryOperator, BinaryOperator, ArraySubscriptExpr, ConditionalOperator, InitListExpr,
          ConstantExpr, ExprWithCleanups, MaterializeTemporaryExpr, SubstNonTypeTemplateParmExpr>(at))
    return operation(at, found);
  refuse(found, "an expression that is not understood");
}

}  // namespace steelyard::rewriter::cost
