// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace clang {
class ASTContext;
class FunctionDecl;
class OMPExecutableDirective;
class Stmt;
}  // namespace clang

namespace steelyard::rewriter {

/// What a piece of a program uses that depends on the thread it runs on, with all that it calls in this unit.
struct uses {
  bool asks = false;    ///< a function that says which thread this is, or how many there are
  bool openmp = false;  ///< a function of OpenMP's own, whose answer may be another one in a region
  bool nowait = false;  ///< a loop, `sections` or `single` that ends without a barrier
  std::string within;   ///< a function with a worksharing loop that it calls; empty: none
  std::string thread;   ///< a function that says which thread this is, or a variable of the thread; empty: none
  std::string unseen;   ///< a call whose body is not in this unit; empty: none
  std::string casts;    ///< what takes `const` away; empty: nothing
  std::string ordered;  ///< a directive that binds to the loop itself, as ordered and cancel; empty: none
};

[[nodiscard]] uses uses_of(const clang::Stmt& piece, clang::ASTContext& context);

/// Of what its clauses do on each thread: make, copy and destroy variables of its own.
[[nodiscard]] uses uses_of_clauses(const clang::OMPExecutableDirective& directive, clang::ASTContext& context);

}  // namespace steelyard::rewriter
