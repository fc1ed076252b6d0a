// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "learn/lesser.hpp"
#include "learn/shares.hpp"
#include "openmp/program/site.hpp"
#include "openmp/shares/choosing.hpp"
#include "openmp/shares/dealt.hpp"

namespace steelyard::openmp {

/// What is known of the static loops of one trip count in the regions of one fork, of which the one at `first` comes first.
/// Changed between regions only.
struct static_loops {
  static_loops* next = nullptr;
  static_loops* same_place = nullptr;
  site* first = nullptr;
  const site* only = nullptr;
  std::uint64_t iterations = 0;
  std::uint64_t last_used = 0;
  std::uint32_t members = 0;  ///< of the last team, and of `cut`
  std::uint64_t* cut =
      nullptr;  ///< where the members' blocks end, in parts of a loop (dealt.hpp); nullptr: equal blocks
  std::uint64_t* trial = nullptr;  ///< the same of the next instance that is timed, where it runs some other way …
  bool doubtful = false;           ///< … or may be of another phase: what is not timed keeps the cut that was sure
  std::uint64_t* last = nullptr;   ///< the same of the last instance that was timed, under `jit` …
  chosen last_how;                 ///< … which ran like this
  bool elsewhere = false;          ///< … and members had other iterations than in the one before it
  learn::shares* known = nullptr;  ///< nullptr: always balanced so far
  choosing* choice = nullptr;      ///< how they run, under `jit` (choosing.hpp); nullptr: in shares
  const char* keeps = nullptr;     ///< why they keep equal blocks; nullptr: they need not
  std::uint64_t gain = 0;          ///< ticks by which one of them is expected to be faster by that cut
  learn::lesser work;              ///< ticks of one of them, of all members together
  learn::lesser in_equal;          ///< of the longest member, in equal blocks: a rate …
  learn::lesser in_shares;         ///< … and in others
  std::uint64_t loops = 0;         ///< how many there are in a region
  bool pays = false;               ///< that is worth what dealing costs
  dealt standing;                  ///< what members do with them in regions that are not timed: all read it

  [[nodiscard]] chosen how() const noexcept;
  [[nodiscard]] bool carries_over() const noexcept;  ///< to other trip counts
  static constexpr const char* too_short = "too short to gain";
  /// Other blocks are known, and would gain less than dealing them costs.
  [[nodiscard]] bool is_too_short() const noexcept { return cut != nullptr && keeps == nullptr && !pays; }
  /// The next instance that is timed has other blocks than those that are not.
  [[nodiscard]] bool tries() const noexcept { return choice != nullptr || doubtful; }
  /// Where the blocks of the last team end; nullptr: they are equal. `ends` has room for those of each member.
  const std::uint64_t* blocks(std::uint64_t* ends) const noexcept;
};

/// What is known of all static loops of one body. Members that read it agree without a word, for nothing changes meanwhile
/// (shares.md, [I1]).
class known_loops {
 public:
  static constexpr std::uint32_t most = 64;

  /// One of 64 bits, by which a member remembers that it has met the trip count, or one like it.
  [[nodiscard]] static constexpr std::uint64_t bit_of(std::uint64_t iterations) noexcept {
    return std::uint64_t{1} << place_of_trip(iterations);
  }

  /// Where there is nothing of that trip count, what its first instance begins with: another one of the loops there, the last
  /// of about as many iterations. nullptr: there is none.
  [[nodiscard]] static_loops* find(const site* first, const site* only, std::uint64_t iterations) const noexcept;
  /// In place of what was used the longest ago, when there are too many. nullptr: there is no memory.
  static_loops* find_or_make(const dealt& from) noexcept;

  /// What a region that is not timed does with static loops of so many iterations, of which the one at its `first` comes first.
  /// nullptr: its members have to agree.
  [[nodiscard]] dealt* standing(std::uint64_t iterations, std::uint32_t members) noexcept {
    static_loops* of = by_trip_[place_of_trip(iterations)];
    while (of != nullptr && of->iterations != iterations) of = of->same_place;
    if (of == nullptr) of = by_size_[size_of(iterations)];
    if (of == nullptr || (of->standing.parts != nullptr && of->members != members)) return nullptr;
    return &of->standing;
  }

  /// What was learnt holds from now on. Where one deal of a loop costs so much, and a region `beside` more, some may not be worth
  /// it, or none. True: other blocks than equal ones are.
  bool settle(std::uint64_t price_of_deal, std::uint64_t beside) noexcept;

  /// There are some, and nothing more is to be learnt: all keep equal blocks for good.
  [[nodiscard]] bool all_keep() const noexcept;

  /// A member has found that they are to keep their blocks, in a region that was not timed.
  void keep_what_was_found() noexcept;

  [[nodiscard]] static_loops* newest() const noexcept { return loops_; }

 private:
  static constexpr std::uint32_t places = 64;
  static constexpr std::uint32_t sizes = 65;

  static_loops* take() noexcept;
  bool choose_what_pays(std::uint64_t price_of_deal, std::uint64_t beside) noexcept;
  void put_up(static_loops& of) noexcept;
  void index() noexcept;
  void file(static_loops& of) noexcept;
  [[nodiscard]] static constexpr std::uint32_t place_of_trip(std::uint64_t iterations) noexcept {
    return static_cast<std::uint32_t>((iterations * 0x9E3779B97F4A7C15U) >> 58);
  }

  /// Loops of about as many iterations have the same.
  [[nodiscard]] static constexpr std::uint32_t size_of(std::uint64_t iterations) noexcept {
    return static_cast<std::uint32_t>(std::bit_width(iterations));
  }

  static_loops* loops_ = nullptr;
  std::uint32_t count_ = 0;
  // Of the loops that share a trip count with others of their region:
  std::array<static_loops*, places> by_trip_{};
  std::array<static_loops*, sizes>
      by_size_{};  ///< the last of about as many iterations; all nullptr: it is not clear whose
};

}  // namespace steelyard::openmp
