// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedules/choice.hpp"

/// Schedules as users type them on the command line.
namespace steelyard::tool {

/// Whether a user asks for no change: `as-written`, in any case of letters.
[[nodiscard]] bool is_as_written(std::string_view text);

/// A schedule as the shim's environment and loops files spell it, e.g. `steal` or `dynamic,64`.
[[nodiscard]] std::string choice_text(const schedules::choice& chosen);

/// The same of what a user typed, or a plug-in, `./mine.so,4`, as it is. Throws `failure` when the text is not a
/// schedule; `where` says in the message where it was typed, e.g. `--schedule` or `loops.txt:3`.
[[nodiscard]] std::string checked_schedule(std::string_view text, std::string_view where);

/// A list `a,b,c`. A part that is a number is the chunk of the name before it: `dynamic,64,steal` means `dynamic,64` and
/// `steal`. `all` means every schedule there is; duplicates are dropped.
[[nodiscard]] std::vector<std::string> schedule_list(std::string_view text, std::string_view where);

/// Whether an OMP_SCHEDULE names a schedule of ours that OpenMP itself does not know.
[[nodiscard]] bool only_ours(std::string_view omp_schedule);

/// The schedules `compare` tries when none are named, in the registry's order.
[[nodiscard]] std::vector<std::string> usual_schedules();

}  // namespace steelyard::tool
