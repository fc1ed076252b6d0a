// SPDX-License-Identifier: Apache-2.0
#include "loops.hpp"

#include <map>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

#include "nest.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

/// A directive as the walk met it.
struct meeting {
  const OMPLoopDirective* directive;
  const OMPExecutableDirective* region;
  const FunctionDecl* function;
  bool tries;
};

/// Whether the directive deals out iterations to a team, now or after more directives of its own.
bool deals(const OMPExecutableDirective& directive) {
  return isa<OMPLoopDirective>(directive) && directive.getDirectiveKind() != llvm::omp::OMPD_simd;
}

/// Walks the statements of one function and its lambdas, and knows in which directive it is.
class walk {
 public:
  explicit walk(std::vector<meeting>& met) : met_(met) {}

  void statement(const Stmt* at, const FunctionDecl* function, const OMPExecutableDirective* region,
                 bool tries = false) {
    if (at == nullptr) return;
    if (const auto* directive = dyn_cast<OMPExecutableDirective>(at)) {
      if (deals(*directive)) met_.push_back({cast<OMPLoopDirective>(directive), region, function, tries});
      if (directive->hasAssociatedStmt()) statement(directive->getRawStmt(), function, directive);
      return;
    }
    if (const auto* lambda = dyn_cast<LambdaExpr>(at)) return bodies_of(*lambda);
    for (const Stmt* child : at->children()) statement(child, function, region, tries || isa<CXXTryStmt>(at));
  }

 private:
  /// A lambda runs where it is called, so what stands around it says nothing of its region.
  void bodies_of(const LambdaExpr& lambda) {
    const auto* generic = lambda.getDependentCallOperator();
    const auto* own = lambda.getCallOperator();
    if (generic != nullptr) {
      for (const FunctionDecl* each : generic->specializations()) {
        if (each->hasBody()) statement(each->getBody(), each, nullptr);
      }
    }
    statement(own->getBody(), own, nullptr);
  }

  std::vector<meeting>& met_;
};

/// Hands every function that the user wrote to the walk, and each instantiation.
class functions : public RecursiveASTVisitor<functions> {
 public:
  explicit functions(std::vector<meeting>& met) : walk_(met) {}
  [[nodiscard]] static bool shouldVisitTemplateInstantiations() { return true; }
  bool TraverseStmt(Stmt*, DataRecursionQueue* = nullptr) { return true; }  // the walk's
  bool VisitFunctionDecl(FunctionDecl* function) {
    if (function->doesThisDeclarationHaveABody()) walk_.statement(function->getBody(), function, nullptr);
    return true;
  }
  bool VisitVarDecl(VarDecl* variable) {  // lambdas outside of functions
    if (!variable->isLocalVarDeclOrParm() && variable->hasInit())
      walk_.statement(variable->getInit(), nullptr, nullptr);
    return true;
  }

 private:
  walk walk_;
};

bool is_dependent(const OMPExecutableDirective& directive) {
  const auto* loop = dyn_cast<OMPLoopDirective>(&directive);
  if (loop == nullptr) return true;
  for (const Expr* counted : loop->counters()) {
    if (counted == nullptr || counted->isInstantiationDependent()) return true;
  }
  return loop->counters().empty();
}

/// The `#` of the line on which the directive stands.
unsigned hash_before(const SourceManager& sources, SourceLocation location) {
  const auto [file, offset] = sources.getDecomposedLoc(sources.getFileLoc(location));
  const StringRef text = sources.getBufferData(file);
  const auto line = text.rfind('\n', offset);
  return static_cast<unsigned>(line == StringRef::npos ? 0 : line + 1);
}

/// How many loops collapse asks for; 0: it cannot be told.
unsigned depth_of(const OMPExecutableDirective& directive, ASTContext& context) {
  unsigned depth = 1;
  for (const auto* clause : directive.getClausesOfKind<OMPCollapseClause>()) {
    const auto count = constant_of(clause->getNumForLoops(), context);
    if (!count) return 0;
    depth = static_cast<unsigned>(count->getZExtValue());
  }
  return depth;
}

std::string kind_refused(llvm::omp::Directive kind) {
  switch (kind) {
    case llvm::omp::OMPD_for:
    case llvm::omp::OMPD_for_simd:
    case llvm::omp::OMPD_parallel_for:
    case llvm::omp::OMPD_parallel_for_simd:
      return "";
    default:
      return (llvm::omp::getOpenMPDirectiveName(kind) + " is left alone").str();
  }
}

void describe(worksharing_loop& loop, ASTContext& context) {
  const auto& directive = *loop.directive;
  const auto kind = directive.getDirectiveKind();
  loop.combined = isOpenMPParallelDirective(kind);
  loop.simd = isOpenMPSimdDirective(kind);
  loop.unfit = kind_refused(kind);
  if (!loop.unfit.empty()) return;
  const auto depth = depth_of(directive, context);
  auto found = read_nest(directive.getRawStmt(), depth == 0 ? 1 : depth, context);
  loop.nest = std::move(found.levels);
  loop.body = found.body;
  loop.unfit = std::move(found.unfit);
  loop.dependent = is_dependent(directive);
  if (loop.dependent) loop.unfit = "no instantiation of its template that Clang understands in this unit";
  if (depth == 0) loop.unfit = "collapse depends on a template's argument";
}

worksharing_loop at_first_sight(const meeting& met, const SourceManager& sources, unsigned offset) {
  worksharing_loop loop;
  loop.directive = met.directive;
  loop.region = met.region;
  loop.function = met.function;
  loop.tries = met.tries;
  loop.offset = offset;
  const auto presumed = sources.getPresumedLoc(met.directive->getBeginLoc());
  if (presumed.isValid()) {
    loop.file = presumed.getFilename();
    loop.line = presumed.getLine();
  }
  return loop;
}

}  // namespace

std::vector<worksharing_loop> find_loops(ASTContext& context) {
  const auto& sources = context.getSourceManager();
  std::vector<meeting> met;
  functions visitor(met);
  for (Decl* top : context.getTranslationUnitDecl()->decls()) {
    if (!sources.isInSystemHeader(top->getLocation())) visitor.TraverseDecl(top);
  }
  std::map<unsigned, worksharing_loop> by_offset;
  for (const auto& each : met) {
    const auto offset = hash_before(sources, each.directive->getBeginLoc());
    auto [at, is_new] = by_offset.try_emplace(offset, at_first_sight(each, sources, offset));
    if (is_new || is_dependent(*each.directive)) continue;
    if (is_dependent(*at->second.directive)) {
      at->second = at_first_sight(each, sources, offset);
    } else {
      at->second.others.push_back(at_first_sight(each, sources, offset));
    }
  }
  std::vector<worksharing_loop> loops;
  for (auto& [offset, loop] : by_offset) {
    describe(loop, context);
    for (auto& other : loop.others) describe(other, context);
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace steelyard::rewriter
