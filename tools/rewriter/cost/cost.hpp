// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "place.hpp"

namespace clang {
class ASTContext;
class FunctionDecl;
class OMPExecutableDirective;
class Stmt;
class VarDecl;
}  // namespace clang

/// What an iteration of a loop costs, told before it runs: getWL of "Cost Aware Work Stealing for Irregular Parallel Loops", as a
/// slice of the loop's body. See cost.md.
namespace steelyard::rewriter::cost {

enum class kind {
  equal,      ///< every iteration costs the same, as far as loops and calls go
  exact,      ///< closed forms and `if`s
  nested,     ///< loops are run through to add up what is in them
  companion,  ///< functions that are called are a part of the slice
  partial,    ///< a part of the cost is known
  guarded,    ///< most of the work hangs on a predicate that cannot be told before
  count,      ///< nothing is known but the number of iterations
  author,     ///< `#pragma steelyard cost(…)`
  not_seen,   ///< Clang does not understand the loop
};

[[nodiscard]] const char* name_of(kind which);

/// Whether the sums of all iterations are worth their price.
enum class filling { all, sampled, none };

/// A worksharing loop as this analysis needs it. In a template: of one instantiation.
struct loop {
  const clang::OMPExecutableDirective* directive = nullptr;
  const clang::OMPExecutableDirective* region = nullptr;  ///< a separate loop's, if it is seen
  const clang::FunctionDecl* function = nullptr;
  std::vector<const clang::VarDecl*> variables;  ///< of all loops that the directive associates
  const clang::Stmt* body = nullptr;             ///< of the innermost
};

struct estimate {
  kind is = kind::not_seen;
  std::string reason;
  std::string slice;          ///< C statements that add to `double steelyard_w`; they read `double steelyard_c[]`
  std::vector<double> seeds;  ///< of steelyard_c
  double fixed = 0;           ///< what every iteration costs beside; the slice adds it, too
  std::string formula;  ///< as the paper writes it: C5 is what line 5 costs; C7_1, C7_2, C7_3 are the parts of a `for`
  filling fill = filling::none;
  double share = 0;   ///< what the slice costs, against the body
  bool opt1 = false;  ///< the next run of the loop has the same costs where bounds and invariants are the same
  bool opt2 = false;  ///< the cost does not depend on the iteration
  bool opt3 = false;  ///< the body hangs on a predicate that cannot be told before
  std::vector<std::string>
      invariants;  ///< scalars and pointers from outside of the loop that the slice reads: the key of Opt1
  std::vector<place> reads;
};

/// How operations weigh.
struct weighing {
  std::string only_calls_of;  ///< for tests: a call of this function costs 1, and nothing else costs anything
};

/// Estimates for all loops of a unit, in their order. Opt1 depends on the loops around.
[[nodiscard]] std::vector<estimate> estimates_of(clang::ASTContext& context, const std::vector<loop>& loops,
                                                 const weighing& weights = {});

}  // namespace steelyard::rewriter::cost
