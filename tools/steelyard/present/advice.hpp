// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "measure/comparison.hpp"

/// What the comparison comes down to.
namespace steelyard::tool {

/// A line for the loops file.
struct loop_advice {
  std::string site;      ///< module+0xoffset
  std::string schedule;  ///< the loop's best, or the program's where that is as good
  std::string place;     ///< its source line, for a comment
  bool gains = false;    ///< surely; otherwise the line is given as a comment
  double ratio = 1;      ///< to the loop's time as written
  std::string why_not;   ///< which criterion of a gain it fails; empty: none
};

/// What the program gains, in three words.
struct verdict {
  enum class kind { gain, not_sure, none } what = kind::none;
  double gain = 0;     ///< at least, a share of its time
  std::string reason;  ///< why it is not sure …
  std::string remedy;  ///< … and what would tell; empty: nothing that is known
  /// `gain 9 %, sure`, `not sure: REASON; REMEDY`, `none`.
  [[nodiscard]] std::string text() const;
};

struct advice {
  enum class means { nothing, schedule, loops };  ///< as written, one schedule for all, the loops' lines
  means use = means::nothing;
  std::string schedule;  ///< for the whole program; empty: none surely gains
  verdict decided;
  std::string sentence;
  std::string basis;               ///< what a sure gain was corrected for; empty: none is sure
  std::vector<loop_advice> loops;  ///< of the loops that matter and can be taken

  /// Is there a loops file to speak of? One of comments alone is none.
  [[nodiscard]] bool any_loop_gains() const;
};

/// With so large a share of the time a loop and its program get the same schedule: what differs between them is noise.
inline constexpr double share_that_decides = 0.9;

/// The median of what is believed is a gain that counts, the chance of noise is small enough, others did not disturb the
/// runs, and a whole percent can be promised.
[[nodiscard]] bool surely_gains(const row_result& candidate);

/// Why there is no sure gain, and what to do.
struct doubt {
  std::string reason, remedy;
  /// Both; empty: none.
  [[nodiscard]] std::string text() const;
};

/// Which of these criteria a row of the table fails.
[[nodiscard]] doubt why_no_gain(const row_result& candidate, const table_result& table);

/// It is certain that no schedule gains what counts.
[[nodiscard]] bool surely_none(const comparison& found);

[[nodiscard]] advice advise(const comparison& found);

}  // namespace steelyard::tool
