// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace steelyard::rewriter {

struct worksharing_loop;

/// What threads carry with them from one iteration or loop to the next in variables of their own. Where they do, who runs an
/// iteration can be noticed.

struct carrying {
  std::string why;  ///< or nothing
  bool shows_where_ends =
      false;  ///< of a thread's block: a number may be carried, or a reduction's variable is used before the end
};

/// By a loop's own variables: a private one that its body writes, and reads, perhaps before it writes it. Of arrays and objects it is seldom true: they
/// are written in part, or by what cannot be followed. By reductions: one that is used before the end.
[[nodiscard]] carrying carried_by_own(const worksharing_loop& loop);

/// A loop in a region: a variable of the region's threads that one loop writes, and another, or the rest of the region, reads before
/// it is written again, itself or through another that leads to it; or one that is read and differs from thread to thread. Why, or nothing.
[[nodiscard]] std::string carried_between_loops(const worksharing_loop& loop);

}  // namespace steelyard::rewriter
