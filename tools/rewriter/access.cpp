// SPDX-License-Identifier: Apache-2.0
#include "access.hpp"

#include <algorithm>
#include <iterator>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>

#include "aliases.hpp"
#include "nest.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

/// Whether a `case` stands in a loop or a branch of the switch: who comes to it has passed over what is before.
bool has_label_below_another(const Stmt& at, bool below = false) {
  if (isa<SwitchStmt>(at)) return false;
  if (below && isa<SwitchCase>(at)) return true;
  const bool covers = !isa<CompoundStmt, SwitchCase>(at);
  return std::any_of(at.child_begin(), at.child_end(), [&](const Stmt* child) {
    return child != nullptr && has_label_below_another(*child, below || covers);
  });
}

bool leaves(const Stmt* at) {
  const auto* block = dyn_cast_or_null<CompoundStmt>(at);
  if (block != nullptr) return !block->body_empty() && leaves(block->body_back());
  return at != nullptr && isa<ContinueStmt, BreakStmt, ReturnStmt>(at);
}

}  // namespace

const VarDecl* root_of(const Expr* place) {
  place = plain(place);
  if (place == nullptr) return nullptr;
  if (const auto* variable = named(place)) return variable;
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(place))
    return call->getNumArgs() != 0 ? root_of(call->getArg(0)) : nullptr;
  if (const auto* either = dyn_cast<BinaryOperator>(place)) {
    const bool by_right =
        either->getOpcode() == BO_Comma || (either->isAdditiveOp() && either->getRHS()->getType()->isPointerType());
    return root_of(by_right ? either->getRHS() : either->getLHS());
  }
  if (const auto* block = dyn_cast<StmtExpr>(place)) {
    const auto* body = block->getSubStmt();
    return body->body_empty() ? nullptr : root_of(dyn_cast<Expr>(body->body_back()));
  }
  for (const Stmt* child : place->children()) {
    if (const auto* inner = dyn_cast_or_null<Expr>(child)) return root_of(inner);  // the first: the object
  }
  return nullptr;
}

const VarDecl* added_to(const Expr& expression, const variables& summed) {
  const VarDecl* variable = nullptr;
  if (const auto* assignment = dyn_cast<BinaryOperator>(&expression)) {
    if (assignment->isCompoundAssignmentOp()) variable = named(assignment->getLHS());
  } else if (const auto* unary = dyn_cast<UnaryOperator>(&expression)) {
    if (unary->isIncrementDecrementOp()) variable = named(unary->getSubExpr());
  }
  return variable != nullptr && summed.count(variable) != 0 ? variable : nullptr;
}

bool calls_const_method(const CallExpr& call) {
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(call.getDirectCallee());
  return method != nullptr && method->isConst();
}

std::vector<handed> handed_to(const CallExpr& call) {
  const auto* function = call.getDirectCallee();
  std::vector<handed> all;
  if (const auto* method = dyn_cast<CXXMemberCallExpr>(&call))
    all.push_back({method->getImplicitObjectArgument(), nullptr, true});
  unsigned next = 0;
  if (isa<CXXOperatorCallExpr>(&call) && isa_and_nonnull<CXXMethodDecl>(function))
    all.push_back({call.getArg(next++), nullptr, true});
  for (unsigned parameter = 0; next < call.getNumArgs(); ++next, ++parameter) {
    const bool is_known = function != nullptr && parameter < function->getNumParams();
    all.push_back({call.getArg(next), is_known ? function->getParamDecl(parameter) : nullptr});
  }
  return all;
}

access::access(const Stmt& whole, const variables& watched, const variables& summed)
    : watched_(watched), summed_(summed), whole_(whole),
      jumps_(contains_any<LabelStmt, GotoStmt, IndirectGotoStmt>(&whole)) {}

touched access::of(const Stmt& whole, const variables& watched, const variables& summed) {
  access all(whole, watched, summed);
  all.piece(&whole);
  return std::move(all.found_);
}

void access::piece(const Stmt* at) {
  if (at != nullptr) statement(*at);
}

void access::statement(const Stmt& at) {
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(at)) return of_loop(at);
  if (const auto* branch = dyn_cast<IfStmt>(&at)) return of_branch(*branch);
  if (const auto* choice = dyn_cast<SwitchStmt>(&at)) return of_switch(*choice);
  if (const auto* label = dyn_cast<SwitchCase>(&at)) {
    settled_ = at_switch_;  // it leads here, too
    return piece(label->getSubStmt());
  }
  if (const auto* directive = dyn_cast<OMPExecutableDirective>(&at)) {
    if (directive->hasAssociatedStmt()) perhaps(directive->getRawStmt());
    return;
  }
  if (isa<CXXTryStmt>(at)) return of_unordered(at);
  if (const auto* code = dyn_cast<GCCAsmStmt>(&at)) {
    for (unsigned i = 0; i < code->getNumOutputs(); ++i) written_through(code->getOutputExpr(i));
  }
  if (const auto* declaration = dyn_cast<DeclStmt>(&at)) return of_declaration(*declaration);
  if (const auto* expression = dyn_cast<Expr>(&at)) return of_expression(*expression);
  for (const Stmt* child : at.children()) piece(child);
}

/// A variable, its members, its elements with constant numbers. What a pointer leads to is no part of it.
access::place access::place_of(const Expr* at) {
  at = plain(at);
  if (at == nullptr) return {};
  if (const auto* variable = named(at)) return {variable, "", true};
  if (const auto* member = dyn_cast<MemberExpr>(at); member != nullptr && !member->isArrow()) {
    auto whole = place_of(member->getBase());
    if (whole.exact)
      whole.path += "." + std::to_string(reinterpret_cast<std::uintptr_t>(member->getMemberDecl())) + ";";
    return whole;
  }
  const auto* element = dyn_cast<ArraySubscriptExpr>(at);
  if (element == nullptr || !plain(element->getBase())->getType()->isArrayType()) return {};
  auto whole = place_of(element->getBase());
  if (whole.variable == nullptr || !whole.exact) return whole;
  const auto number = constant_of(element->getIdx(), whole.variable->getASTContext());
  if (number) whole.path += "[" + std::to_string(number->getExtValue()) + "];";
  whole.exact = number.has_value();
  return whole;
}

/// It may run or not: what it writes is not written for sure.
void access::perhaps(const Stmt* at) {
  const auto before = settled_;
  piece(at);
  settled_ = before;
}

void access::of_loop(const Stmt& at) {
  if (const auto* until = dyn_cast<DoStmt>(&at)) {
    contains_any<BreakStmt, ContinueStmt>(until->getBody()) ? perhaps(until->getBody()) : piece(until->getBody());
    return piece(until->getCond());
  }
  const auto* counts = dyn_cast<ForStmt>(&at);
  const auto* ranges = dyn_cast<CXXForRangeStmt>(&at);
  const Stmt* body = counts != nullptr   ? counts->getBody()
                     : ranges != nullptr ? ranges->getBody()
                                         : cast<WhileStmt>(at).getBody();
  const Stmt* step = counts != nullptr ? counts->getInc() : nullptr;
  for (const Stmt* child : at.children()) {
    if (child != body && child != step) piece(child);
  }
  const auto counted = counts != nullptr ? count_of(*counts) : count{};
  counted.iterations != 0 ? piece(body) : perhaps(body);
  perhaps(step);
  if (counted.counter != nullptr) settle_filled(*body, counted);
}

/// Of a branch that leaves, nothing comes to what is behind.
void access::of_branch(const IfStmt& branch) {
  piece(branch.getInit());
  piece(branch.getConditionVariableDeclStmt());
  piece(branch.getCond());
  const auto before = settled_;
  piece(branch.getThen());
  auto then = settled_;
  settled_ = before;
  piece(branch.getElse());
  if (leaves(branch.getThen())) return;
  if (!leaves(branch.getElse())) {
    settled both;
    std::set_intersection(then.begin(), then.end(), settled_.begin(), settled_.end(), std::inserter(both, both.end()));
    then = std::move(both);
  }
  settled_ = std::move(then);
}

void access::of_switch(const SwitchStmt& choice) {
  if (has_label_below_another(*choice.getBody())) {
    jumps_ = true;
    settled_.clear();
  }
  piece(choice.getInit());
  piece(choice.getConditionVariableDeclStmt());
  piece(choice.getCond());
  const auto around = at_switch_;
  at_switch_ = settled_;
  perhaps(choice.getBody());
  at_switch_ = around;
}

void access::of_unordered(const Stmt& at) {
  for (const Stmt* child : at.children()) perhaps(child);  // of a closure its body, too
}

void access::of_declaration(const DeclStmt& declaration) {
  for (const Decl* each : declaration.decls()) {
    const auto* variable = dyn_cast<VarDecl>(each);
    if (variable == nullptr) continue;
    for_each_length(variable->getType(), [&](const Expr* length) { piece(length); });
    if (variable->hasInit()) piece(variable->getInit());
    if (variable->getType()->isReferenceType() && variable->hasInit()) written_through(variable->getInit());
    settled_.insert({variable, ""});
  }
}

void access::of_expression(const Expr& given) {
  const Expr* at = plain(&given);
  if (isa<LambdaExpr, AbstractConditionalOperator>(at)) return of_unordered(*at);
  if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr>(at)) return;  // is not evaluated
  if (const auto* assignment = dyn_cast<BinaryOperator>(at); assignment != nullptr && assignment->isAssignmentOp())
    return of_assignment(*assignment);
  if (const auto* either = dyn_cast<BinaryOperator>(at); either != nullptr && either->isLogicalOp()) {
    piece(either->getLHS());
    return perhaps(either->getRHS());
  }
  if (const auto* unary = dyn_cast<UnaryOperator>(at)) {
    if (const auto* variable = added_to(*at, summed_); variable != nullptr) return write(variable);
    if (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf) written_through(unary->getSubExpr());
    // Who has the address of a part reaches the others.
    if (unary->getOpcode() == UO_AddrOf) read({root_of(unary->getSubExpr()), "", true});
  }
  if (const auto* made = dyn_cast<CXXConstructExpr>(at)) of_construction(*made);
  if (const auto* made = dyn_cast<CXXNewExpr>(at)) {
    for (const Expr* where : made->placement_arguments()) written_through(where);
  }
  const auto* changed = dyn_cast<CXXOperatorCallExpr>(at);
  if (changed != nullptr && is_assignment_of_object(*changed)) return;
  if (const auto* call = dyn_cast<CallExpr>(at)) {
    if (fills_memory(*call) || sets_results(*call)) return;
    of_call(*call);
  }
  if (const auto found = place_of(at); found.variable != nullptr) {
    read(found);
    return indexes_of(at);
  }
  for (const Stmt* child : at->children()) piece(child);
}

/// `i` of `a[i].b`.
void access::indexes_of(const Expr* at) {
  at = plain(at);
  if (const auto* member = dyn_cast<MemberExpr>(at)) return indexes_of(member->getBase());
  if (const auto* element = dyn_cast<ArraySubscriptExpr>(at)) {
    indexes_of(element->getBase());
    piece(element->getIdx());
  }
}

void access::of_assignment(const BinaryOperator& assignment) {
  piece(assignment.getRHS());
  if (const auto* variable = added_to(assignment, summed_); variable != nullptr) return write(variable);
  const auto found = place_of(assignment.getLHS());
  if (found.variable != nullptr && !assignment.isCompoundAssignmentOp()) {
    indexes_of(assignment.getLHS());
    return write_over(found);
  }
  piece(assignment.getLHS());
  written_through(assignment.getLHS());
}

void access::of_construction(const CXXConstructExpr& made) {
  for (unsigned i = 0; i < made.getNumArgs() && i < made.getConstructor()->getNumParams(); ++i) {
    if (leads_to_what_may_change(made.getConstructor()->getParamDecl(i)->getType())) written_through(made.getArg(i));
  }
}

/// What a call may change: an object whose method is not const, and what is handed to a reference.
void access::of_call(const CallExpr& call) {
  for (const auto& each : handed_to(call)) {
    const bool is_constant = each.is_object
                                 ? calls_const_method(call)
                                 : each.parameter != nullptr && !leads_to_what_may_change(each.parameter->getType());
    if (!is_constant || reaches_elsewhere(each.what->getType(), each.is_object)) written_through(each.what);
  }
}

/// What a call returns may lead to any of its arguments.
void access::written_through(const Expr* at) {
  at = plain(at);
  if (const auto* element = dyn_cast_or_null<ArraySubscriptExpr>(at)) return written_through(element->getBase());
  if (const auto* member = dyn_cast_or_null<MemberExpr>(at)) return written_through(member->getBase());
  if (const auto* unary = dyn_cast_or_null<UnaryOperator>(at)) return written_through(unary->getSubExpr());
  if (const auto* either = dyn_cast_or_null<ConditionalOperator>(at)) {
    written_through(either->getTrueExpr());
    return written_through(either->getFalseExpr());
  }
  const auto* call = dyn_cast_or_null<CallExpr>(at);
  if (call == nullptr || isa<CXXMemberCallExpr, CXXOperatorCallExpr>(call)) return write(root_of(at));
  for (const Expr* argument : call->arguments()) {
    if (!argument->getType()->isArithmeticType() || argument->isLValue()) written_through(argument);
  }
}

void access::write(const VarDecl* variable) {
  if (variable != nullptr && watched_.count(variable) != 0) found_.written.insert(variable);
}

void access::write_over(const place& at) {
  write(at.variable);
  if (at.exact && !jumps_) settled_.insert({at.variable, at.path});
}

void access::read(const place& at) {
  if (watched_.count(at.variable) == 0) return;
  const bool is_settled = std::any_of(settled_.begin(), settled_.end(), [&](const auto& each) {
    return each.first == at.variable && at.path.compare(0, each.second.size(), each.second) == 0;
  });
  if (!is_settled) found_.exposed.insert(at.variable);
}

}  // namespace steelyard::rewriter
