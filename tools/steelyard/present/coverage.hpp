// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "measure/comparison.hpp"
#include "text/page.hpp"

/// Which loops could be taken, which not, why, and what to change in the source.
namespace steelyard::tool {

/// What a passed loop's author can do, by the reason it was passed for.
[[nodiscard]] std::string remedy_for(const std::string& reason);

/// `dynamic,64`, `runtime`, … as in the source.
[[nodiscard]] std::string clause_text(const site_facts& facts);

/// What the baseline is: `as written (dynamic,1)`, or for schedule(runtime) what OMP_SCHEDULE made of it.
[[nodiscard]] std::string baseline_text(const site_facts& facts, const experiment_result& result);

/// A place whose members are unequal where nothing can be taken, and what to do about it.
struct line_to_change {
  std::string site;    ///< module+0xoffset
  std::string place;   ///< its source line
  std::string abi;     ///< gomp, kmp
  std::string change;  ///< what to write there
  double up_to = 0;    ///< of the program's time, at most, if all members were equal
};

/// Those that matter, the largest first.
[[nodiscard]] std::vector<line_to_change> lines_to_change(const comparison& found);

/// The same as people read it; empty: there are none.
[[nodiscard]] std::string change_text(const comparison& found, const experiment_result& result);

/// The section of the output.
[[nodiscard]] std::string coverage_text(const comparison& found, const experiment_result& result,
                                        const page& paper = {});

}  // namespace steelyard::tool
