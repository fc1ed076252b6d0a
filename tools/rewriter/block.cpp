// SPDX-License-Identifier: Apache-2.0
#include "block.hpp"

#include <algorithm>

#include <clang/AST/Decl.h>
#include <clang/AST/StmtOpenMP.h>

#include "loops.hpp"
#include "nest.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

class reader {
 public:
  explicit reader(const worksharing_loop& loop) : loop_(loop) {}

  std::optional<block_variables> all() {
    const bool ends_itself = loop_.region != nullptr && loop_.region->getDirectiveKind() == llvm::omp::OMPD_parallel;
    if (!ends_itself || loop_.tries || loop_.simd) return std::nullopt;
    for (const OMPClause* clause : loop_.directive->clauses()) {
      if (!clause->isImplicit() && clause->getBeginLoc().isValid()) one(*clause);
    }
    for (const auto& each : loop_.nest) {
      if (!each.declared_here) add(each.variable, found_.counted);
    }
    return fits_ ? std::optional(found_) : std::nullopt;
  }

 private:
  void one(const OMPClause& clause) {
    switch (clause.getClauseKind()) {
      case llvm::omp::OMPC_schedule:
      case llvm::omp::OMPC_collapse:
      case llvm::omp::OMPC_nowait:
        return;
      case llvm::omp::OMPC_private:
        for (const Expr* each : cast<OMPPrivateClause>(clause).varlists()) fits_ &= counts(named(each));
        return;
      case llvm::omp::OMPC_firstprivate:
        for (const Expr* each : cast<OMPFirstprivateClause>(clause).varlists()) add(named(each), found_.copied);
        return;
      default:
        fits_ = false;
    }
  }

  /// Whether it is a variable of the loops. Of others Clang says that they have no value, and only of a clause.
  [[nodiscard]] bool counts(const VarDecl* variable) const {
    return std::any_of(loop_.nest.begin(), loop_.nest.end(),
                       [&](const level& each) { return each.variable == variable; });
  }

  /// Of numbers and pointers: nothing happens when those are made or end.
  void add(const VarDecl* variable, std::vector<std::string>& to) {
    if (variable == nullptr || !variable->getType()->isScalarType()) {
      fits_ = false;
      return;
    }
    const auto name = variable->getNameAsString();
    if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
  }

  const worksharing_loop& loop_;
  block_variables found_;
  bool fits_ = true;
};

}  // namespace

std::optional<block_variables> variables_of_block(const worksharing_loop& loop) {
  for (const auto& other : loop.others) {
    if (!reader(other).all()) return std::nullopt;
  }
  return reader(loop).all();
}

}  // namespace steelyard::rewriter
