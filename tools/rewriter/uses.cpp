// SPDX-License-Identifier: Apache-2.0
#include "uses.hpp"

#include <algorithm>
#include <array>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/Version.inc>

namespace steelyard::rewriter {

using namespace clang;

namespace {

constexpr std::array<llvm::StringRef, 12> asks_for_thread = {"omp_get_thread_num",
                                                             "omp_get_ancestor_thread_num",
                                                             "omp_get_place_num",
                                                             "pthread_self",
                                                             "gettid",
                                                             "sched_getcpu",
                                                             "getcpu",
                                                             "get_id",
                                                             "pthread_getspecific",
                                                             "thrd_current",
                                                             "tss_get",
                                                             "omp_get_partition_place_nums"};

bool is_pure_virtual(const FunctionDecl& function) {
#if CLANG_VERSION_MAJOR < 18
  return function.isPure();
#else
  return function.isPureVirtual();
#endif
}

class search {
 public:
  explicit search(ASTContext& context) : sources_(context.getSourceManager()) {}

  void piece(const Stmt* at) {
    if (at == nullptr) return;
    if (const auto* directive = dyn_cast<OMPExecutableDirective>(at)) return of_directive(*directive);
    if (const auto* reference = dyn_cast<DeclRefExpr>(at)) declared(reference->getDecl());
    if (const auto* member = dyn_cast<MemberExpr>(at)) of_member(*member);
    if (const auto* made = dyn_cast<CXXConstructExpr>(at)) called(made->getConstructor());
    if (const auto* call = dyn_cast<CallExpr>(at)) of_call(*call);
    if (const auto* lambda = dyn_cast<LambdaExpr>(at)) {
      piece(lambda->getCallOperator()->getBody());
      return;
    }
    for (const Stmt* child : at->children()) piece(child);
  }

  uses found;

 private:
  static void note(std::string& where, const std::string& what) {
    if (where.empty()) where = what;
  }

  void of_directive(const OMPExecutableDirective& directive) {
    switch (directive.getDirectiveKind()) {
      case llvm::omp::OMPD_ordered:
      case llvm::omp::OMPD_scan:
      case llvm::omp::OMPD_cancel:
      case llvm::omp::OMPD_cancellation_point:
        note(found.ordered, llvm::omp::getOpenMPDirectiveName(directive.getDirectiveKind()).str());
        break;
      default:
        break;
    }
    for (const OMPClause* clause : directive.clauses()) {
      if (clause->isImplicit()) continue;
      for (const Stmt* child : const_cast<OMPClause*>(clause)->children()) piece(child);
    }
    if (directive.hasAssociatedStmt()) piece(directive.getRawStmt());
  }

  void declared(const ValueDecl* declaration) {
    if (const auto* function = dyn_cast<FunctionDecl>(declaration)) return called(function);
    const auto* variable = dyn_cast<VarDecl>(declaration);
    if (variable == nullptr) return;
    if (variable->getTLSKind() != VarDecl::TLS_None)
      note(found.thread, variable->getNameAsString() + ", a variable of the thread");
    if (variable->hasAttr<OMPThreadPrivateDeclAttr>())
      note(found.thread, variable->getNameAsString() + ", which is threadprivate");
  }

  void of_member(const MemberExpr& member) {
    const auto* method = dyn_cast<CXXMethodDecl>(member.getMemberDecl());
    if (method == nullptr) {
      declared(member.getMemberDecl());
    } else if (method->isVirtual() && !member.hasQualifier() && !method->hasAttr<FinalAttr>() &&
               !method->getParent()->hasAttr<FinalAttr>()) {
      note(found.unseen, method->getNameAsString() + ", which is virtual");
    } else {
      called(method);
    }
  }

  void of_call(const CallExpr& call) {
    const bool by_name =
        call.getDirectCallee() != nullptr || isa<CXXPseudoDestructorExpr>(call.getCallee()->IgnoreParenImpCasts());
    if (!by_name) note(found.unseen, "a function that is known by its address");
  }

  void called(const FunctionDecl* function) {
    const auto* name = function->getIdentifier();
    if (name != nullptr &&
        std::find(asks_for_thread.begin(), asks_for_thread.end(), name->getName()) != asks_for_thread.end()) {
      note(found.thread, name->getName().str());
      found.asks = true;
      return;
    }
    if (name != nullptr && name->getName() == "omp_get_num_threads") found.asks = true;
    // What a system header declares does not depend on the thread but by the names above; operators and templates of the
    // standard library call what stands in the piece as an argument, where it is seen.
    if (function->isImplicit() || function->getBuiltinID() != 0 || sources_.isInSystemHeader(function->getLocation()))
      return;
    if (function->isDefaulted() || function->isDeleted() || is_pure_virtual(*function)) return;
    if (!seen_.insert(function->getCanonicalDecl()).second) return;
    const FunctionDecl* definition = nullptr;
    const Stmt* body = function->getBody(definition);
    if (body == nullptr) return note(found.unseen, function->getNameAsString() + ", whose body is not in this unit");
    piece(body);
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(definition)) {
      for (const auto* each : constructor->inits()) piece(each->getInit());
    }
  }

  const SourceManager& sources_;
  std::set<const FunctionDecl*> seen_;
};

}  // namespace

uses uses_of(const Stmt& piece, ASTContext& context) {
  search all(context);
  all.piece(&piece);
  return all.found;
}

}  // namespace steelyard::rewriter
