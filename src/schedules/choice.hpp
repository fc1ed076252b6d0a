// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "schedules/candidates.hpp"
#include "schedules/contract.hpp"
#include "schedules/given_shares.hpp"
#include "schedules/relearning.hpp"

namespace steelyard::schedules {

/// A schedule as users write it: `name[:form][,chunk]`, names and forms case-insensitive, spaces around name and chunk
/// ignored, chunk a whole number from 1 to 2^63-1. A form is a row of the registry, `wsri:paper`. `static,c` means
/// `cyclic,c`, as in OpenMP. Behind `nustatic:` may stand shares (given_shares.hpp), or when they are learnt anew (relearning.hpp), or
/// `barriers`, and no chunk; behind `wf2:` the members' weights. `expert:` means `automatic`, and behind it stand the schedules among which that chooses
/// (candidates.hpp). They are views of the text.
struct choice {
  const operations* schedule = nullptr;
  std::uint64_t chunk = 0;   ///< 0: not given, the schedule's own default
  given_shares shares = {};  ///< of `nustatic`, or the weights of `wf2`
  relearning again = {};
  bool at_barriers = false;    ///< shares may change within a region
  candidates among = {};       ///< of `automatic`
  std::string_view form = {};  ///< what stands behind the colon of `nustatic:`, `wf2:` or `expert:`, as written
  std::string_view file = {};  ///< a plug-in and its chunk, not yet loaded (plug_in.hpp)
};

/// Why a text is not a choice; each has one line for the user (`explain`).
enum class choice_error {
  none,
  empty,
  unknown_name,
  unknown_form,
  chunk_not_a_number,
  chunk_out_of_range,
  share_not_a_number,
  too_few_shares,
  too_many_shares,
  wrong_sum_of_shares,
  no_weight,
  wrong_instances,
  wrong_candidates,
};

struct parsed_choice {
  choice value;
  choice_error error = choice_error::none;
};

[[nodiscard]] parsed_choice parse_choice(std::string_view text) noexcept;

/// In chunks, however they were given: `static` is `cyclic` then.
[[nodiscard]] choice in_chunks(choice how) noexcept;

/// A value of OMP_SCHEDULE without its modifier `nonmonotonic:` (in any case of letters) and the spaces around it.
/// `monotonic:` stays: it asks for what our schedules do not promise.
[[nodiscard]] std::string_view without_modifier(std::string_view text) noexcept;

/// What is wrong and the remedy, without the text itself: "is not a schedule; `steelyard schedules` lists them".
[[nodiscard]] const char* explain(choice_error error) noexcept;

}  // namespace steelyard::schedules
