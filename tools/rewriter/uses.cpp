// SPDX-License-Identifier: Apache-2.0
#include "uses.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/Version.inc>

#include "access.hpp"
#include "cost/effects.hpp"
#include "cost/library.hpp"
#include "nest.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

constexpr std::array<llvm::StringRef, 22> asks_for_thread = {
    "omp_get_thread_num", "omp_get_ancestor_thread_num", "omp_get_place_num", "pthread_self", "gettid",
    "syscall",  // SYS_gettid, for one
    "sched_getcpu", "getcpu", "get_id", "pthread_getspecific", "thrd_current", "tss_get",
    "omp_get_partition_place_nums", "omp_capture_affinity", "omp_display_affinity", "omp_set_nested",
    // Set for the thread alone:
    "omp_set_num_threads", "omp_set_dynamic", "omp_set_max_active_levels", "omp_set_schedule",
    "__builtin_thread_pointer", "__builtin_frame_address"};

/// They read or change what belongs to the thread, and say nothing of its number.
constexpr std::array<llvm::StringRef, 17> of_thread = {"__errno_location",
                                                       "omp_set_default_allocator",
                                                       "omp_get_default_allocator",
                                                       "pthread_sigmask",
                                                       "uselocale",
                                                       "prctl",
                                                       "fesetround",
                                                       "fegetround",
                                                       "fesetenv",
                                                       "fegetenv",
                                                       "feholdexcept",
                                                       "feupdateenv",
                                                       "feclearexcept",
                                                       "feraiseexcept",
                                                       "fetestexcept",
                                                       "feenableexcept",
                                                       "fedisableexcept"};

bool is_pure_virtual(const FunctionDecl& function) {
#if CLANG_VERSION_MAJOR < 18
  return function.isPure();
#else
  return function.isPureVirtual();
#endif
}

/// Whether that is the address of a function's variable: `&x`, or an array by its name.
bool is_address_of_local(const Expr* address) {
  if (const auto* target = pointed_at(address))
    address = target;
  else if (!plain(address)->getType()->isArrayType())
    return false;
  const auto* root = root_of(address);
  return root != nullptr && root->hasLocalStorage() && !root->getType()->isReferenceType();
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
    if (const auto* made = dyn_cast<CXXInheritedCtorInitExpr>(at)) called(made->getConstructor());
    if (const auto* made = dyn_cast<CXXNewExpr>(at)) called(made->getOperatorNew());
    if (const auto* call = dyn_cast<CallExpr>(at)) of_call(*call);
    if (const auto* cast = dyn_cast<CastExpr>(at); cast != nullptr && !of_system_) of_cast(*cast);
    if (const auto* kept = dyn_cast<CXXBindTemporaryExpr>(at)) called(kept->getTemporary()->getDestructor());
    if (const auto* gone = dyn_cast<CXXDeleteExpr>(at)) deleted(gone->getDestroyedType());
    if (const auto* trait = dyn_cast<UnaryExprOrTypeTraitExpr>(at); trait != nullptr && trait->isArgumentType())
      for_each_length(trait->getArgumentType(), [&](const Expr* length) { piece(length); });
    if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr>(at)) return;  // is not evaluated
    if (const auto* implied = dyn_cast<CXXDefaultArgExpr>(at)) return piece(implied->getExpr());
    if (const auto* implied = dyn_cast<CXXDefaultInitExpr>(at)) return piece(implied->getExpr());
    if (const auto* some = dyn_cast<DeclStmt>(at)) of_variables(*some);
    if (const auto* lambda = dyn_cast<LambdaExpr>(at)) {
      for (const Expr* captured : lambda->capture_inits()) piece(captured);
      return piece(lambda->getCallOperator()->getBody());
    }
    for (const Stmt* child : at->children()) piece(child);
  }

  void clauses_of(const OMPExecutableDirective& directive) {
    for (const auto* clause : directive.getClausesOfKind<OMPPrivateClause>()) made(clause->private_copies());
    for (const auto* clause : directive.getClausesOfKind<OMPFirstprivateClause>()) made(clause->private_copies());
    for (const auto* clause : directive.getClausesOfKind<OMPLastprivateClause>()) {
      made(clause->private_copies());
      for (const Expr* each : clause->assignment_ops()) piece(each);
    }
    for (const auto* clause : directive.getClausesOfKind<OMPReductionClause>()) made(clause->privates());
  }

  uses found;

 private:
  /// On each thread.
  template <class Copies>
  void made(Copies copies) {
    for (const Expr* each : copies) {
      const auto* variable = each != nullptr ? named(each) : nullptr;
      if (variable == nullptr) continue;
      piece(variable->getInit());
      destroyed(variable->getType());
    }
  }

  static void note(std::string& where, const std::string& what) {
    if (where.empty()) where = what;
  }
  /// What system headers declare is not unseen.
  void note_unseen(const std::string& what) {
    if (!of_system_) note(found.unseen, what);
  }

  void of_directive(const OMPExecutableDirective& directive) {
    switch (directive.getDirectiveKind()) {
      case llvm::omp::OMPD_ordered:
      case llvm::omp::OMPD_scan:
      case llvm::omp::OMPD_cancel:
      case llvm::omp::OMPD_cancellation_point:
        note(found.ordered, llvm::omp::getOpenMPDirectiveName(directive.getDirectiveKind()).str());
        break;
      case llvm::omp::OMPD_master:
      case llvm::omp::OMPD_masked:
        // Without a barrier its thread sees what it wrote there, and equal blocks give that thread the first iterations.
        note(found.thread, llvm::omp::getOpenMPDirectiveName(directive.getDirectiveKind()).str());
        found.asks = true;
        break;
      default:
        break;
    }
    if (directive.getSingleClause<OMPNowaitClause>() != nullptr) found.nowait = true;
    if (function_ != nullptr && is_worksharing_loop(directive)) note(found.within, function_->getNameAsString());
    for (const OMPClause* clause : directive.clauses()) {
      if (clause->isImplicit()) continue;
      for (const Stmt* child : const_cast<OMPClause*>(clause)->children()) piece(child);
    }
    clauses_of(directive);
    if (directive.hasAssociatedStmt()) piece(directive.getRawStmt());
  }

  /// The address of what each thread has tells threads apart.
  void of_cast(const CastExpr& cast) {
    const auto from = cast.getSubExpr()->getType();
    const auto to = cast.getType();
    if (cast.getCastKind() == CK_PointerToIntegral && is_address_of_local(cast.getSubExpr()))
      note(found.thread, "a number made of an address");
    if (!isa<ExplicitCastExpr>(cast)) return;
    const auto of = [](QualType type) { return type->isPointerType() ? type->getPointeeType() : type; };
    const bool is_place = cast.isLValue() || to->isPointerType();
    if (is_place && of(from).isConstQualified() && !of(to).isConstQualified())
      note(found.casts, "a cast that takes const away");
  }

  /// They are destroyed here, too.
  void of_variables(const DeclStmt& some) {
    for (const Decl* each : some.decls()) {
      const auto* variable = dyn_cast<VarDecl>(each);
      if (variable == nullptr || !variable->hasLocalStorage()) continue;
      for_each_length(variable->getType(), [&](const Expr* length) { piece(length); });
      destroyed(variable->getType());
      if (const auto* ends = variable->getAttr<CleanupAttr>()) called(ends->getFunctionDecl());
    }
  }

  /// Where the destructor is virtual it may be another one. What the library deletes is the program's all the same.
  void deleted(QualType type) {
    const auto* object = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
    const auto* ends = object != nullptr && object->hasDefinition() ? object->getDestructor() : nullptr;
    const bool is_open = ends != nullptr && ends->isVirtual() && !object->hasAttr<FinalAttr>();
    if (is_open && !is_in_library(*object))
      note(found.unseen, "the destructor of " + object->getNameAsString() + ", which is virtual");
    if (!type.isNull()) destroyed(type);
  }

  void destroyed(QualType type) {
    const auto* object = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (object == nullptr || !object->hasDefinition() || object->hasTrivialDestructor()) return;
    called(object->getDestructor());
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
      note_unseen(method->getNameAsString() + ", which is virtual");
    } else {
      called(method);
    }
  }

  void of_call(const CallExpr& call) {
    const bool by_name = call.getDirectCallee() != nullptr ||
                         isa<CXXPseudoDestructorExpr>(call.getCallee()->IgnoreParenImpCasts()) ||
                         (is_pattern_ && (call.isTypeDependent() || call.getCallee()->isTypeDependent()));
    const bool hands_on = std::any_of(call.arg_begin(), call.arg_end(), may_be_any_function);
    if (!by_name || hands_on) note_unseen("a function that is known by its address");
  }

  /// A variable that leads to a function, which the callee may call. One that is named is looked at.
  static bool may_be_any_function(const Expr* argument) {
    const auto* variable = named(argument);
    if (variable == nullptr) return false;
    const auto type = variable->getType().getNonReferenceType();
    return type->isFunctionPointerType() || type->isMemberFunctionPointerType();
  }

  bool asks(const FunctionDecl& function) {
    const auto* name = function.getIdentifier();
    if (name == nullptr) return false;
    if (name->getName() == "omp_get_num_threads") found.asks = true;
    if (name->getName().substr(0, 4) == "omp_") found.openmp = true;
    if (std::find(of_thread.begin(), of_thread.end(), name->getName()) != of_thread.end()) {
      note(found.thread, name->getName().str());
      return true;
    }
    if (std::find(asks_for_thread.begin(), asks_for_thread.end(), name->getName()) == asks_for_thread.end())
      return false;
    note(found.thread, name->getName().str());
    found.asks = true;
    return true;
  }

  /// Of the library too: it calls what it was handed, or is a template for. What it calls in turn and does not show does not depend on
  /// the thread but by the names above.
  void called(const FunctionDecl* function) {
    if (function == nullptr || asks(*function)) return;
    if (function->getBuiltinID() != 0 || function->isDeleted() || is_pure_virtual(*function)) return;
    if (!seen_.insert(function->getCanonicalDecl()).second) return;
    if (const auto* turned = dyn_cast<CXXConversionDecl>(function);
        turned != nullptr && turned->getParent()->isLambda())
      called(turned->getParent()->getLambdaCallOperator());
    if (cost::calls_anything(*function)) return note(found.unseen, "a function object that may hold any function");
    const bool before = of_system_;
    of_system_ = sources_.isInSystemHeader(function->getLocation());
    inside(*function);
    of_system_ = before;
  }

  void inside(const FunctionDecl& function) {
    const FunctionDecl* definition = nullptr;
    const Stmt* body = function.getBody(definition);
    const auto* pattern = body == nullptr ? function.getTemplateInstantiationPattern() : nullptr;
    if (pattern != nullptr) body = pattern->getBody(definition);  // nothing in the unit has needed it
    const bool was_pattern = std::exchange(is_pattern_, is_pattern_ || pattern != nullptr);
    inside(function, definition, body);
    is_pattern_ = was_pattern;
  }

  void inside(const FunctionDecl& function, const FunctionDecl* definition, const Stmt* body) {
    const bool implied = function.isImplicit() || function.isDefaulted();
    const bool is_destructor = isa<CXXDestructorDecl>(function);
    const bool is_shown = body != nullptr || (implied && !is_in_library(function));
    if ((of_system_ && !is_shown) || (is_destructor && is_in_library(function))) handed_to(function);
    if (definition != nullptr && !cost::is_understood(*definition))
      return note(found.unseen, function.getNameAsString() + ", in which Clang finds an error");
    if (body == nullptr && of_system_) return;
    if (body == nullptr && !implied)
      return note_unseen(function.getNameAsString() + ", whose body is not in this unit");
    const auto* before = std::exchange(function_, &function);
    piece(body);
    function_ = before;
    const FunctionDecl& seen = definition != nullptr ? *definition : function;
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(&seen)) {
      for (const auto* each : constructor->inits()) piece(each->getInit());
    }
    if (const auto* destructor = dyn_cast<CXXDestructorDecl>(&seen)) {
      for (const auto* field : destructor->getParent()->fields()) destroyed(field->getType());
      for (const auto& base : destructor->getParent()->bases()) destroyed(base.getType());
    }
  }

  /// A function of the library whose body was not read: what it is a template for, as a closure or an element of a container, may be called. Not by
  /// what only looks at its object.
  void handed_to(const FunctionDecl& function) {
    if (const auto* all = function.getTemplateSpecializationArgs(); all != nullptr) may_call(all->asArray());
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    if (method == nullptr || method->isConst() || cost::is_accessor(*method)) return;
    const auto* of = dyn_cast<ClassTemplateSpecializationDecl>(method->getParent());
    if (of != nullptr) may_call(of->getTemplateArgs().asArray());
  }

  void may_call(llvm::ArrayRef<TemplateArgument> all) {
    for (const auto& each : all) {
      if (each.getKind() == TemplateArgument::Pack) may_call(each.getPackAsArray());
      if (each.getKind() == TemplateArgument::Declaration) declared(each.getAsDecl());
      if (each.getKind() == TemplateArgument::Type) may_call(each.getAsType());
    }
  }

  /// What the library calls of a type without naming it: its operators, and what makes and destroys it.
  void may_call(QualType type) {
    type = type.getNonReferenceType();
    while (type->isPointerType()) type = type->getPointeeType();  // as an iterator
    const auto* object = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (object == nullptr || !object->hasDefinition() || !called_of_.insert(object->getCanonicalDecl()).second) return;
    if (is_in_library(*object)) {
      const auto* of = dyn_cast<ClassTemplateSpecializationDecl>(object);
      if (of != nullptr) may_call(of->getTemplateArgs().asArray());
      return;
    }
    for (const auto* method : object->methods()) {
      const bool is_named = !isa<CXXConstructorDecl, CXXDestructorDecl>(method) && !method->isOverloadedOperator();
      if (!is_named && !method->isTrivial() && !method->isDeleted()) called(method);
    }
    found_by(*object);
  }

  /// Functions beside a class that the library finds by their arguments.
  void found_by(const CXXRecordDecl& object) {
    auto& context = object.getASTContext();
    const auto* around = object.getDeclContext()->getEnclosingNamespaceContext();
    const auto look_for = [&](DeclarationName name) {
      for (const auto* each : around->lookup(name)) {
        const auto* function = each->getAsFunction();
        if (function == nullptr || !takes(*function, object)) continue;
        const bool before = std::exchange(is_pattern_, is_pattern_ || function->isTemplated());
        called(function);
        is_pattern_ = before;
      }
    };
    for (const char* name : {"swap", "begin", "end", "hash_value"}) look_for(&context.Idents.get(name));
    for (int kind = OO_None + 1; kind < NUM_OVERLOADED_OPERATORS; ++kind)
      look_for(context.DeclarationNames.getCXXOperatorName(static_cast<OverloadedOperatorKind>(kind)));
    for (const auto* each : object.friends()) {
      const auto* function = each->getFriendDecl() == nullptr ? nullptr : each->getFriendDecl()->getAsFunction();
      if (function != nullptr && function->isThisDeclarationADefinition()) called(function);
    }
  }

  static bool takes(const FunctionDecl& function, const CXXRecordDecl& object) {
    return std::any_of(function.param_begin(), function.param_end(), [&](const auto* parameter) {
      const auto type = parameter->getType().getNonReferenceType();
      const auto* its = type->getAsCXXRecordDecl();
      return type->isDependentType() || (its != nullptr && its->getCanonicalDecl() == object.getCanonicalDecl());
    });
  }

  const SourceManager& sources_;
  std::set<const FunctionDecl*> seen_;
  std::set<const CXXRecordDecl*> called_of_;
  bool of_system_ = false;
  bool is_pattern_ = false;  ///< of a template that nothing is filled in: what it calls by its parameters is not known
  const FunctionDecl* function_ = nullptr;  ///< that is called, of whose body the piece is; null: none
};

}  // namespace

uses uses_of(const Stmt& piece, ASTContext& context) {
  search all(context);
  all.piece(&piece);
  return all.found;
}

uses uses_of_clauses(const OMPExecutableDirective& directive, ASTContext& context) {
  search all(context);
  all.clauses_of(directive);
  return all.found;
}

}  // namespace steelyard::rewriter
