// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cost/cost.hpp"
#include "site.hpp"

namespace clang {
class ASTContext;
}

namespace steelyard::rewriter {

class trip;
class unit_text;
struct verdict;
struct worksharing_loop;

/// What a rewritten loop tells of its costs.
struct told_costs {
  cost::estimate known;  ///< of all its instantiations
  std::string why_not;   ///< why the cost, though known, is not told; empty: it is, or there is nothing to tell
  bool is_stated = false;
  bool is_flagged = false;  ///< of the runtime's loops: nothing is stated, but flags tell how costs are
  int flags = 0;            ///< of steelyard_site
  int sampled = 1;          ///< it is stated of one in so many iterations
  std::string site;         ///< name of the record, in this unit alone: see name_sites
};

/// Of all loops of a unit, in their order.
[[nodiscard]] std::vector<told_costs> costs_of(const std::vector<worksharing_loop>& loops,
                                               const std::vector<verdict>& verdicts, const unit_text& text,
                                               clang::ASTContext& context);

/// Where the compiler does not accept the text that states costs: they are not stated, and the list says why.
void withdraw(told_costs& costs);

/// Names the records. Those of functions that several units have, as templates, are one to the linker where they are called the same. So each name
/// has a number of all that was decided in its unit: what a loop may get depends on its record, and would be lost where another unit's says otherwise.
void name_sites(std::vector<told_costs>& costs, llvm::StringRef decided);

/// Declares the record of the loop.
[[nodiscard]] std::string site_of(const worksharing_loop& loop, const told_costs& costs, int kind, int more_flags,
                                  const std::string& granule);

/// Declares the number of iterations of all levels. Names end in the suffix.
[[nodiscard]] std::string count_of(const std::vector<trip>& levels, const std::string& suffix);

/// Of a loop that is flagged: tells the flags.
[[nodiscard]] std::string flags_of(const worksharing_loop& loop, const told_costs& costs);

/// The slice, run for this member's iterations where the drop-in asks for it; nothing where no costs are stated.
[[nodiscard]] std::string statement_of(const told_costs& costs, const std::vector<trip>& levels,
                                       const std::string& suffix);

}  // namespace steelyard::rewriter
