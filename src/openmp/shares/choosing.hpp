// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "learn/chooser.hpp"
#include "learn/fetches.hpp"
#include "learn/lesser.hpp"
#include "learn/shares.hpp"
#include "learn/ways.hpp"

namespace steelyard::openmp {

/// How a loop runs: a way, and its number.
struct chosen {
  std::uint32_t number = learn::ways::shares;
  learn::way way{};

  [[nodiscard]] const char* name() const noexcept;
  /// Why it was chosen, in words; nullptr: that goes without saying.
  [[nodiscard]] const char* reason() const noexcept;

  [[nodiscard]] bool is_handed_out() const noexcept { return way.is_handed_out(); }
};

/// How the loops of one trip count run under `jit`: in equal blocks or learnt shares, chunk by chunk, on half of the members or on
/// one, whichever was the fastest. Learns from what the members of a team took; shares.md says what an instance took.
class choosing {
 public:
  /// Equal blocks, beside the ways of learn::ways: that of their first instance, so it is measured already.
  static constexpr std::uint32_t equal = learn::ways::count;
  static constexpr std::uint32_t count = equal + 1;

  /// What a team did.
  struct instance {
    chosen how;  ///< it has run
    std::uint64_t iterations;
    std::uint32_t members;
    const std::uint64_t* took;   ///< by member, in ticks
    std::uint64_t late;          ///< how much later than the first the last one came
    bool in_chunks;              ///< the program lets its iterations be handed out chunk by chunk
    bool in_equal_blocks;        ///< one for each member
    const learn::shares* known;  ///< what was learnt from it; nullptr: that it is balanced
    bool cut_anew;               ///< the next shares are other ones
    bool elsewhere = false;      ///< many iterations were another member's in the instance before, and so is their data
  };
  void learn(const instance& it) noexcept;

  /// How the next instance runs: as has done best, or where it is timed maybe another way, to see what that takes.
  [[nodiscard]] const chosen& usual() const noexcept { return usual_; }
  [[nodiscard]] const chosen& trial() const noexcept { return trial_; }
  /// The same of a loop with another trip count or for another team, of which nothing else is known.
  [[nodiscard]] chosen alike(bool timed, std::uint64_t iterations, std::uint32_t members) const noexcept;

  [[nodiscard]] bool is_settled() const noexcept { return settled_; }
  /// The next instance is to be timed, too: it is one of several that are compared.
  [[nodiscard]] bool is_trying() const noexcept { return !settled_ || trial_.number != usual_.number; }
  /// How many timed instances it took until it was, for the first time; 0: it never was.
  [[nodiscard]] std::uint64_t settled_after() const noexcept { return settled_after_; }

 private:
  [[nodiscard]] std::uint64_t ticks_of(const instance& it) const noexcept;
  [[nodiscard]] std::uint64_t beyond_coming(std::uint64_t took) const noexcept;
  void note(const instance& it) noexcept;
  [[nodiscard]] learn::ways::facts facts_of(const instance& it) const noexcept;
  [[nodiscard]] std::array<std::uint64_t, count> least_of(const instance& it, const learn::ways& found) const noexcept;
  void plan(const instance& it) noexcept;
  [[nodiscard]] bool is_short(std::uint64_t n) const noexcept;
  [[nodiscard]] bool is_too_short(std::uint64_t n) const noexcept;

  learn::chooser chooser_;
  chosen usual_;
  chosen trial_;
  std::uint64_t iterations_ = 0;
  std::uint32_t members_ = 0;
  std::uint64_t instances_ = 0;
  bool settled_ = false;
  std::uint64_t settled_after_ = 0;
  std::uint32_t tried_ = 0;  ///< ways, one bit each
  learn::lesser late_;
  // Rates:
  learn::lesser together_;  ///< of all members together
  learn::lesser alone_;
  learn::lesser equal_;    ///< of the longest of equal blocks …
  learn::lesser unequal_;  ///< … and of others
};

/// What fetching a chunk costs in this process.
extern constinit learn::fetches costs_of_fetches;

/// Where the members' blocks end. False: they are equal, or there are none.
bool blocks_of(const chosen& how, const learn::shares* known, std::uint64_t iterations, std::uint32_t members,
               std::uint64_t* ends) noexcept;

/// How many members have a block.
[[nodiscard]] inline std::uint32_t members_with_blocks(const chosen& how, std::uint32_t members) noexcept {
  if (how.way.how == learn::way::kind::alone) return 1;
  return how.number == learn::ways::half ? how.way.members : members;
}

}  // namespace steelyard::openmp
