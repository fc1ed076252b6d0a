// SPDX-License-Identifier: Apache-2.0
// The functions of a unit, each looked at once.
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include "effects.hpp"

namespace steelyard::rewriter::cost {

using namespace clang;

bool is_understood(const FunctionDecl& function) {
  const auto* pattern = function.getTemplateInstantiationPattern();
  return !function.isInvalidDecl() && (pattern == nullptr || !pattern->isInvalidDecl());
}

const FunctionDecl* body_of(const FunctionDecl* function) {
  const FunctionDecl* defined = nullptr;
  return function != nullptr && function->hasBody(defined) && is_understood(*defined) ? defined : nullptr;
}

bool program::is_system(const Decl* declaration) const {
  return context_.getSourceManager().isInSystemHeader(declaration->getLocation());
}

const effects* program::of(const FunctionDecl* function) {
  function = body_of(function);
  if (function == nullptr) return nullptr;
  const auto known = known_.find(function);
  if (known != known_.end()) return known->second.get();
  known_[function] = nullptr;
  looked_at_.push_back(function);
  auto found = std::make_unique<effects>(*this);
  found->add(function->getBody());
  if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function)) {
    for (const auto* initializer : constructor->inits()) found->add(initializer->getInit());
  }
  looked_at_.pop_back();
  return (known_[function] = std::move(found)).get();
}

bool program::is_innermost(const FunctionDecl* function) const {
  return !looked_at_.empty() && looked_at_.back() == body_of(function);
}

namespace {

using values = std::map<const VarDecl*, std::set<const Expr*>>;

/// Where global variables get their values, in what the program has written itself.
class globals : public RecursiveASTVisitor<globals> {
 public:
  globals(const program& whole, values& found) : whole_(whole), found_(found) {}
  [[nodiscard]] bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseDecl(Decl* at) {
    if (at != nullptr && !isa<TranslationUnitDecl>(at) && whole_.is_system(at)) return true;
    return RecursiveASTVisitor::TraverseDecl(at);
  }
  bool VisitVarDecl(const VarDecl* at) {
    if (at->hasGlobalStorage() && at->hasInit()) found_[at->getCanonicalDecl()].insert(at->getInit());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator* at) {
    if (at->getOpcode() != BO_Assign) return true;
    const auto to = place_of(at->getLHS());
    const auto* variable = dyn_cast_or_null<VarDecl>(to.root);
    const bool sets = to.direct || (to.within && is_handle(at->getLHS()->getType()));
    if (sets && variable != nullptr && variable->hasGlobalStorage())
      found_[variable->getCanonicalDecl()].insert(at->getRHS());
    return true;
  }

 private:
  const program& whole_;
  values& found_;
};

}  // namespace

const std::set<const Expr*>& program::values_of_global(const VarDecl& variable) {
  static const std::set<const Expr*> none;
  if (!variable.hasGlobalStorage()) return none;
  if (!globals_) globals(*this, globals_.emplace()).TraverseDecl(context_.getTranslationUnitDecl());
  const auto found = globals_->find(variable.getCanonicalDecl());
  return found == globals_->end() ? none : found->second;
}

bool program::is_pure(const FunctionDecl* function) {
  if (is_mathematical(*function)) return true;
  if (is_accessor(*function)) return !may_throw(*function);
  if (const auto* method = dyn_cast<CXXMethodDecl>(function); method != nullptr && method->isDefaulted()) {
    if (method->isTrivial()) return true;
  }
  if (const auto* method = dyn_cast<CXXMethodDecl>(function); method != nullptr && method->isVirtual()) return false;
  const auto* inside = of(function);
  if (inside == nullptr || !inside->harmless() || !inside->unseen().empty()) return false;
  for (const auto& each : inside->writes()) {
    const auto* variable = dyn_cast_or_null<VarDecl>(each.root);
    const bool own =
        variable != nullptr && is_of(*body_of(function), *variable) && (each.within || is_local_object(variable));
    const bool made = isa<CXXConstructorDecl>(function) && each.member;
    if (!own && !made) return false;
  }
  return true;
}

}  // namespace steelyard::rewriter::cost
