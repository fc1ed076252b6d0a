// SPDX-License-Identifier: Apache-2.0
// steelyard-rewrite [ARGUMENTS OF CLANG]: reads a preprocessed unit from standard input and lists its loops as JSON.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include "loops.hpp"

namespace steelyard::rewriter {
namespace {

llvm::json::Object describe(const worksharing_loop& loop) {
  llvm::json::Object about{{"file", loop.file}, {"line", loop.line}, {"combined", loop.combined}, {"simd", loop.simd}};
  about["collapsed"] = static_cast<std::int64_t>(loop.nest.size());
  if (!loop.unfit.empty()) about["reason"] = loop.unfit;
  return about;
}

class consumer : public clang::ASTConsumer {
 public:
  void HandleTranslationUnit(clang::ASTContext& context) override {
    llvm::json::Array loops;
    for (const auto& loop : find_loops(context)) loops.push_back(describe(loop));
    llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(loops)));
  }
};

class action : public clang::ASTFrontendAction {
 public:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    compiler.getDiagnostics().setClient(new clang::IgnoringDiagConsumer);
    return std::make_unique<consumer>();
  }
};

}  // namespace
}  // namespace steelyard::rewriter

int main(int argc, char** argv) {
  auto text = llvm::MemoryBuffer::getSTDIN();
  if (!text) return 2;
  std::vector<std::string> arguments(argv + 1, argv + argc);
  arguments.insert(arguments.end(), {"-fsyntax-only", "-fopenmp", "-ferror-limit=0", "-w", "-Wno-everything"});
  const bool parsed = clang::tooling::runToolOnCodeWithArgs(std::make_unique<steelyard::rewriter::action>(),
                                                            (*text)->getBuffer(), arguments, "unit");
  return parsed ? 0 : 1;
}
