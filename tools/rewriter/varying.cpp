// SPDX-License-Identifier: Apache-2.0
#include "varying.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>

#include "cost/effects.hpp"
#include "nest.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

constexpr std::array<llvm::StringRef, 24> never_the_same = {"rand",         "random",
                                                            "drand48",      "lrand48",
                                                            "rand_r",       "time",
                                                            "clock",        "clock_gettime",
                                                            "gettimeofday", "omp_get_wtime",
                                                            "now",          "scanf",
                                                            "fscanf",       "fgets",
                                                            "fgetc",        "getc",
                                                            "fread",        "read",
                                                            "getline",      "getchar",
                                                            "getdelim",     "pthread_barrier_wait",
                                                            "strtok",       "omp_get_wtick"};

constexpr std::array<llvm::StringRef, 15> locks = {
    "sem_wait",      "sem_trywait",        "acquire",           "omp_set_lock",          "omp_set_nest_lock",
    "omp_test_lock", "pthread_mutex_lock", "pthread_spin_lock", "pthread_rwlock_wrlock", "mtx_lock",
    "lock",          "try_lock",           "lock_guard",        "unique_lock",           "scoped_lock"};

/// Whether a lock is taken there.
bool locks_at(const Stmt& at) {
  const auto* call = dyn_cast<CallExpr>(&at);
  const auto* made = dyn_cast<CXXConstructExpr>(&at);
  const NamedDecl* of = made != nullptr ? made->getConstructor()->getParent() : nullptr;
  if (call != nullptr) of = call->getDirectCallee();
  const auto* name = of == nullptr ? nullptr : of->getIdentifier();
  return name != nullptr && std::find(locks.begin(), locks.end(), name->getName()) != locks.end();
}

/// Whether whoever asks such an object, or what it leads to, may get another answer: it is shared, or draws by chance.
bool is_never_the_same(QualType type, int depth = 3) {
  type = type.getNonReferenceType();
  if (type->isAtomicType()) return true;
  if (depth == 0) return false;
  if (!type->getPointeeType().isNull()) return is_never_the_same(type->getPointeeType(), depth - 1);
  const auto* its = type->getAsCXXRecordDecl();
  if (its == nullptr) return false;
  if (its->getName().contains("atomic") || its->getName() == "random_device") return true;
  const auto* made = dyn_cast<ClassTemplateSpecializationDecl>(its);
  return made != nullptr && is_in_library(*its) &&
         any_type(made->getTemplateArgs().asArray(), [&](QualType each) { return is_never_the_same(each, depth - 1); });
}

class search {
 public:
  search(const variables& of_threads, const variables& left) : found(left), of_threads_(of_threads) {}

  void piece(const Stmt* at, bool one) {
    if (at == nullptr) return;
    if (const auto* directive = dyn_cast<OMPExecutableDirective>(at)) {
      if (!is_worksharing_loop(*directive) && directive->hasAssociatedStmt()) piece(directive->getRawStmt(), true);
      return;
    }
    if (const Expr* condition = condition_of(*at); condition != nullptr) one = one || differs(condition);
    if (const auto* declaration = dyn_cast<DeclStmt>(at)) {
      for (const Decl* each : declaration->decls()) {
        const auto* variable = dyn_cast<VarDecl>(each);
        if (variable != nullptr && variable->hasInit() && (one || differs(variable->getInit()))) note(variable);
      }
    }
    if (const auto* expression = dyn_cast<Expr>(at)) of_expression(*expression, one);
    for (const Stmt* child : at->children()) piece(child, one);
  }

  variables found;

 private:
  void of_expression(const Expr& at, bool one) {
    if (const auto* assignment = dyn_cast<BinaryOperator>(&at); assignment != nullptr && assignment->isAssignmentOp()) {
      if (one || differs(assignment->getRHS())) note(root_of(assignment->getLHS()));
      return;
    }
    const auto* unary = dyn_cast<UnaryOperator>(&at);
    const bool changes = unary != nullptr && (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf);
    if (changes && one) note(root_of(unary->getSubExpr()));
    const auto* call = dyn_cast<CallExpr>(&at);
    if (call == nullptr || !(one || differs(call))) return;
    for (const Expr* argument : call->arguments()) {
      if (argument->isLValue() || argument->getType()->isPointerType()) note(root_of(argument));
    }
    if (const auto* method = dyn_cast<CXXMemberCallExpr>(call)) note(root_of(method->getImplicitObjectArgument()));
  }

  /// Whether its value may be another in each thread.
  bool differs(const Stmt* at) const {
    if (at == nullptr) return false;
    if (const auto* implied = dyn_cast<CXXDefaultInitExpr>(at)) return differs(implied->getExpr());
    if (const auto* implied = dyn_cast<CXXDefaultArgExpr>(at)) return differs(implied->getExpr());
    if (const auto* expression = dyn_cast<Expr>(at)) {
      const auto* variable = named(expression);
      if (variable != nullptr && (found.count(variable) != 0 || is_never_the_same(variable->getType()))) return true;
      if (is_never_the_same(expression->getType())) return true;
    }
    if (const auto* call = dyn_cast<CallExpr>(at)) {
      const auto* function = call->getDirectCallee();
      const auto* name = function == nullptr ? nullptr : function->getIdentifier();
      const bool draws =
          name != nullptr &&
          (std::find(never_the_same.begin(), never_the_same.end(), name->getName()) != never_the_same.end() ||
           name->getName().contains("__sync_") || name->getName().contains("__atomic_"));
      if (draws || draws_inside(function)) return true;
    }
    const auto* made = dyn_cast<CXXConstructExpr>(at);
    if (made != nullptr && draws_inside(made->getConstructor())) return true;
    if (isa<AtomicExpr, OMPAtomicDirective, OMPCriticalDirective, OMPOrderedDirective>(at) || locks_at(*at))
      return true;
    return std::any_of(at->child_begin(), at->child_end(), [&](const Stmt* child) { return differs(child); });
  }

  /// Whether a function of this unit takes something from a counter that threads share.
  bool draws_inside(const FunctionDecl* function) const {
    if (function != nullptr && is_in_library(*function)) return makes_what_draws(*function);
    const auto* defined = cost::body_of(function);
    if (defined == nullptr) return false;
    if (const auto [known, is_new] = drawing_.emplace(defined, false); !is_new) return known->second;
    const auto* constructor = dyn_cast<CXXConstructorDecl>(defined);
    bool found_inside = differs(defined->getBody());
    if (constructor != nullptr) {
      for (const auto* each : constructor->inits()) found_inside = found_inside || differs(each->getInit());
    }
    return drawing_[defined] = found_inside;
  }

  /// A function of the library, as make_unique, that is for a class whose objects draw when they are made.
  bool makes_what_draws(const FunctionDecl& function) const {
    const auto* given = function.getTemplateSpecializationArgs();
    if (given == nullptr) return false;
    return any_type(given->asArray(), [&](QualType each) {
      const auto* its = each->getAsCXXRecordDecl();
      if (its == nullptr || !its->hasDefinition() || is_in_library(*its)) return false;
      return std::any_of(its->ctor_begin(), its->ctor_end(), [&](const auto* made) { return draws_inside(made); }) ||
             std::any_of(its->field_begin(), its->field_end(), [&](const auto* field) {
               return field->hasInClassInitializer() && differs(field->getInClassInitializer());
             });
    });
  }

  void note(const VarDecl* variable) {
    if (variable != nullptr && of_threads_.count(variable) != 0) found.insert(variable);
  }

  const variables& of_threads_;
  mutable std::map<const FunctionDecl*, bool> drawing_;  // what is known, or looked at just now
};

/// Whether a lock is taken in it, outside of its loops: what stands behind may be another thing for each thread, as a ticket is.
bool takes_lock(const Stmt* at) {
  if (at == nullptr || is_worksharing_loop(*at)) return false;
  return locks_at(*at) || std::any_of(at->child_begin(), at->child_end(), takes_lock);
}

}  // namespace

variables varying(const Stmt& region, const variables& of_threads, const variables& left) {
  search all(of_threads, left);
  const bool by_lock = takes_lock(&region);
  std::size_t before = 0;
  do {
    before = all.found.size();
    all.piece(&region, by_lock);
  } while (before != all.found.size());
  return all.found;
}

}  // namespace steelyard::rewriter
