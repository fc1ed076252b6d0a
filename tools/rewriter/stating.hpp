// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cost/cost.hpp"

namespace clang {
class ASTContext;
}

namespace steelyard::rewriter {

struct verdict;
struct worksharing_loop;

/// What a rewritten loop tells of its costs.
struct told_costs {
  cost::estimate known;  ///< of all its instantiations
  std::string why_not;   ///< why the cost, though known, is not told; empty: it is, or there is nothing to tell
  bool is_stated = false;
  int flags = 0;    ///< of steelyard_site
  int sampled = 1;  ///< it is stated of one in so many iterations
};

/// Of all loops of a unit, in their order.
[[nodiscard]] std::vector<told_costs> costs_of(const std::vector<worksharing_loop>& loops,
                                               const std::vector<verdict>& verdicts, clang::ASTContext& context);

/// The members of steelyard_site behind `granule`.
[[nodiscard]] std::string site_members(const told_costs& costs);

/// What the names around a statement of costs are.
struct statement_names {
  std::string site;
  std::string count;
  std::string suffix;
  std::string bounds;     ///< a number that stands for them
  std::string variables;  ///< declares the variables of the loops, of the iteration that is asked for
};

/// The slice, run for this member's iterations where the drop-in asks for it.
[[nodiscard]] std::string statement_of(const told_costs& costs, const statement_names& names);

}  // namespace steelyard::rewriter
