// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "comparison.hpp"

/// Which loops could be taken, which not, why, and what to change in the source.
namespace steelyard::tool {

/// What a passed loop's author can do, by the reason it was passed for.
[[nodiscard]] std::string remedy_for(const std::string& reason);

/// `dynamic,64`, `runtime`, … as in the source.
[[nodiscard]] std::string clause_text(const site_facts& facts);

/// What the baseline is: `as written (dynamic,1)`, or for schedule(runtime) what OMP_SCHEDULE made of it.
[[nodiscard]] std::string baseline_text(const site_facts& facts, const experiment_result& result);

/// The section of the output.
[[nodiscard]] std::string coverage_text(const comparison& found, const experiment_result& result);

}  // namespace steelyard::tool
