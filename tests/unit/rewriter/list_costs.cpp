// SPDX-License-Identifier: Apache-2.0
// list_costs [--only-calls-of NAME] [ARGUMENTS OF CLANG]: a JSON object a line for each loop of the unit on standard input, with the
// slice that tells what an iteration costs. Constants weigh what NAME is called, where it is given.
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include "cost/cost.hpp"

namespace {

using namespace clang;
using steelyard::rewriter::cost::estimate;
using steelyard::rewriter::cost::filling;
using steelyard::rewriter::cost::loop;
using steelyard::rewriter::cost::weighing;

bool is_dependent(const OMPLoopDirective& directive) {
  for (const Expr* each : directive.counters()) {
    if (each == nullptr || each->isInstantiationDependent()) return true;
  }
  return directive.counters().empty();
}

class finder : public RecursiveASTVisitor<finder> {
 public:
  explicit finder(ASTContext& context) : context_(context) {}
  [[nodiscard]] static bool shouldVisitTemplateInstantiations() { return true; }

  bool TraverseFunctionDecl(FunctionDecl* function) { return in(function, &finder::plain_function); }
  bool TraverseCXXMethodDecl(CXXMethodDecl* function) { return in(function, &finder::plain_method); }

  bool VisitOMPExecutableDirective(OMPExecutableDirective* directive) {
    const auto* looped = dyn_cast<OMPLoopDirective>(directive);
    if (looped == nullptr) {
      if (isOpenMPParallelDirective(directive->getDirectiveKind())) regions_.push_back(directive);
      return true;
    }
    if (!isOpenMPWorksharingDirective(directive->getDirectiveKind())) return true;
    auto& known = found_[directive->getBeginLoc().getRawEncoding()];
    if (known.directive != nullptr && (known.body != nullptr || is_dependent(*looped))) return true;
    known.directive = directive;
    known.function = function_;
    known.region = isOpenMPParallelDirective(directive->getDirectiveKind()) ? nullptr : region_of(*directive);
    if (is_dependent(*looped)) return true;
    known.body = looped->getBody();
    known.variables.clear();
    for (const Expr* each : looped->counters()) {
      const auto* named = dyn_cast<DeclRefExpr>(each->IgnoreParenImpCasts());
      if (named != nullptr) known.variables.push_back(dyn_cast<VarDecl>(named->getDecl()));
    }
    return true;
  }

  [[nodiscard]] std::vector<loop> loops() const {
    std::vector<loop> all;
    for (const auto& [where, each] : found_) all.push_back(each);
    return all;
  }

 private:
  bool plain_function(FunctionDecl* function) { return RecursiveASTVisitor::TraverseFunctionDecl(function); }
  bool plain_method(FunctionDecl* function) {
    return RecursiveASTVisitor::TraverseCXXMethodDecl(cast<CXXMethodDecl>(function));
  }

  bool in(FunctionDecl* function, bool (finder::*walk)(FunctionDecl*)) {
    const auto* outside = std::exchange(function_, function);
    const bool goes_on = (this->*walk)(function);
    function_ = outside;
    return goes_on;
  }

  const OMPExecutableDirective* region_of(const OMPExecutableDirective& directive) const {
    const auto& sources = context_.getSourceManager();
    for (auto each = regions_.rbegin(); each != regions_.rend(); ++each) {
      const auto* inside = (*each)->getRawStmt();
      if (sources.isBeforeInTranslationUnit(inside->getBeginLoc(), directive.getBeginLoc()) &&
          sources.isBeforeInTranslationUnit(directive.getBeginLoc(), inside->getEndLoc()))
        return *each;
    }
    return nullptr;
  }

  ASTContext& context_;
  const FunctionDecl* function_ = nullptr;
  std::vector<const OMPExecutableDirective*> regions_;
  std::map<unsigned, loop> found_;
};

class consumer : public ASTConsumer {
 public:
  explicit consumer(weighing weights) : weights_(std::move(weights)) {}

  void HandleTranslationUnit(ASTContext& context) override {
    finder walk(context);
    for (Decl* top : context.getTranslationUnitDecl()->decls()) {
      if (!context.getSourceManager().isInSystemHeader(top->getLocation())) walk.TraverseDecl(top);
    }
    const auto loops = walk.loops();
    const auto all = estimates_of(context, loops, weights_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto where = context.getSourceManager().getPresumedLoc(loops[i].directive->getBeginLoc());
      llvm::outs() << described(all[i], where) << "\n";
    }
  }

 private:
  static llvm::json::Value described(const estimate& each, const PresumedLoc& where) {
    static constexpr const char* fills[] = {"all", "sampled", "none"};
    llvm::json::Array seeds;
    for (const double seed : each.seeds) seeds.push_back(seed);
    return llvm::json::Object{{"file", where.isValid() ? where.getFilename() : ""},
                              {"line", where.isValid() ? static_cast<std::int64_t>(where.getLine()) : 0},
                              {"class", name_of(each.is)},
                              {"reason", llvm::json::fixUTF8(each.reason)},
                              {"slice", llvm::json::fixUTF8(each.slice)},
                              {"seeds", std::move(seeds)},
                              {"formula", llvm::json::fixUTF8(each.formula)},
                              {"fill", fills[static_cast<int>(each.fill)]},
                              {"share", each.share},
                              {"opt1", each.opt1},
                              {"opt2", each.opt2},
                              {"opt3", each.opt3}};
  }

  weighing weights_;
};

class action : public ASTFrontendAction {
 public:
  explicit action(weighing weights) : weights_(std::move(weights)) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
    compiler.getDiagnostics().setClient(new IgnoringDiagConsumer);
    return std::make_unique<consumer>(weights_);
  }

 private:
  weighing weights_;
};

}  // namespace

int main(int argc, char** argv) {
  weighing weights;
  int next = 1;
  if (argc > 2 && std::strcmp(argv[1], "--only-calls-of") == 0) {
    weights.only_calls_of = argv[2];
    next = 3;
  }
  auto text = llvm::MemoryBuffer::getSTDIN();
  if (!text) return 2;
  std::vector<std::string> arguments(argv + next, argv + argc);
  arguments.insert(arguments.end(), {"-fsyntax-only", "-fopenmp", "-ferror-limit=0", "-w"});
  const bool parsed =
      clang::tooling::runToolOnCodeWithArgs(std::make_unique<action>(weights), (*text)->getBuffer(), arguments, "unit");
  return parsed ? 0 : 1;
}
