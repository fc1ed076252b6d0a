// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "cost/source.hpp"
#include "schedules/contract.hpp"
#include "schedules/deal.hpp"

namespace steelyard::schedules {

/// What is known of the costs of a loop.
struct known_costs {
  cost::source each;
  std::uint64_t version = 0;  ///< another one whenever a cost may have changed
  bool equal = false;         ///< all are the same: none is read
  /// Most of an iteration stands under a condition that the costs do not know, so that they say what it may cost at
  /// most, and many iterations do nothing.
  bool guarded = false;
};

/// Which of the optimisations of COWS (Mishra & Nandivada 2023, section 4) apply; for experiments. The fourth, how a
/// thief finds the place to cut, is `shape::halves`.
struct optimisations {
  bool reuse = true;    ///< Opt1: sums of the same costs and the same deal are not made again
  bool equal = true;    ///< Opt2: equal costs are not balanced
  bool guarded = true;  ///< Opt3: guarded bodies are balanced by the number of iterations
};

/// The prefix sums of a loop's costs in the order in which wsrw deals its iterations (section 3.4), in memory that the
/// caller supplies, and what they were made from, so that a loop that comes again with unchanged costs pays for a
/// comparison. For one loop at a time: what `apply` returned is good until it is called again.
class work_sums {
 public:
  /// `memory`: at least `size_for` the loops to come; a loop for which it is too small goes without costs.
  explicit work_sums(std::span<double> memory, const optimisations& applied = {}) noexcept
      : memory_(memory), applied_(applied) {}

  /// How many doubles the sums of a loop take: one more than the positions of its deal, which are fewer than
  /// N + members · block (see deal::cyclic; 1 unless contiguous), and fewer than 2^32; and one for each two members,
  /// where the dearest iterations are to come first.
  [[nodiscard]] static std::uint64_t size_for(const shape& loop) noexcept;

  /// Whether `apply` would need memory for sums.
  [[nodiscard]] static bool wants_sums(const known_costs& costs, const optimisations& applied) noexcept {
    return costs.each && !(costs.equal && applied.equal) && !(costs.guarded && applied.guarded);
  }

  /// Whether `apply` would read the costs.
  [[nodiscard]] bool would_read(const shape& loop, const known_costs& costs) const noexcept;

  /// The loop with its costs: `sums`, `starts` and `equal_costs` set, whatever they were. Where the dearest are to come
  /// first, a list begins with its dearest iteration if that costs at least the 64th part of a member's share. Reads
  /// every cost once, unless nothing has changed: O(N + positions). Without costs (the loop is balanced by the number of
  /// iterations) where all are 0, where one or their sum is infinite, and where the body is guarded.
  [[nodiscard]] shape apply(const shape& loop, const known_costs& costs) noexcept;

  /// How often `apply` has read costs.
  [[nodiscard]] std::uint64_t made() const noexcept { return made_; }

 private:
  struct key {
    cost::source each;
    std::uint64_t version = 0;
    std::uint64_t iterations = 0;
    std::uint64_t chunk = 0;
    std::uint32_t members = 0;
    bool contiguous = false;
    bool dearest_first = false;
    friend bool operator==(const key&, const key&) noexcept = default;
  };
  enum class found : std::uint8_t { nothing, equal, different };

  [[nodiscard]] static key key_of(const shape& loop, const known_costs& costs) noexcept;
  [[nodiscard]] static std::uint64_t size_for(const shape& loop, const deal::cyclic& deal) noexcept;
  found make(const shape& loop, const deal::cyclic& deal, const cost::source& each) noexcept;

  /// Of lists, behind the sums.
  [[nodiscard]] std::uint32_t* starts(std::uint64_t positions) const noexcept;
  void begin_with_dearest(const shape& loop, const deal::cyclic& deal, double least) noexcept;

  std::span<double> memory_;
  optimisations applied_;
  key last_;
  found last_found_ = found::nothing;
  bool has_starts_ = false;
  bool valid_ = false;  ///< last_ and last_found_ say what is in memory_
  std::uint64_t made_ = 0;
};

}  // namespace steelyard::schedules
