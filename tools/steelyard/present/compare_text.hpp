// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "measure/comparison.hpp"
#include "measure/options.hpp"
#include "present/advice.hpp"
#include "text/page.hpp"

namespace steelyard::tool {

/// Everything a comparison has to say, with the facts around it.
struct compare_outcome {
  const compare_options* options = nullptr;
  experiment_result measured;
  comparison found;
  advice given;
  unsigned cores = 1;           ///< that this process may use
  double load_before = 0;       ///< runnable threads of the machine, on average over the last minute
  double seconds_taken = 0;     ///< by the whole experiment
  bool of_our_library = false;  ///< some loops, or all, are those of libsteelyard.so
  page paper;                   ///< what the text is printed on
};

/// As people read it. No line is wider than the paper but those of a loops file, which are to be copied whole, and a
/// quoted word of a command.
[[nodiscard]] std::string compare_text(const compare_outcome& all);

/// As programs read it; the keys are described in compare-json.md.
[[nodiscard]] std::string compare_json(const compare_outcome& all);

}  // namespace steelyard::tool
