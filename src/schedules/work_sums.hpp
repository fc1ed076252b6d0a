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
/// thief finds the place to cut, is `experiment_switches::halves`.
struct optimisations {
  bool reuse = true;    ///< Opt1: sums of the same costs and the same deal are not made again
  bool equal = true;    ///< Opt2: equal costs are not balanced
  bool guarded = true;  ///< Opt3: guarded bodies are balanced by the number of iterations
};

/// The prefix sums of a loop's costs, list by list as wsrw deals its iterations (section 3.4), in memory that the caller supplies,
/// and what they were made from, so that a loop that comes again with unchanged costs pays for a comparison. For one loop at a
/// time: what `with` returned is good until `begin` or `apply` is called again.
///
/// In parallel, as section 4.1 has it: `begin`, then `read_list` of each list by whoever will, then `with` behind all of them (the
/// caller sees to that they have happened before it). All by itself: `apply`.
class work_sums {
 public:
  /// `memory`: at least `size_for` the loops to come; a loop for which it is too small goes without costs.
  explicit work_sums(std::span<double> memory, const optimisations& applied = {}) noexcept
      : memory_(memory), applied_(applied) {}

  /// How many doubles the sums of a loop take: some thousand for each member at most (list_groups.hpp).
  [[nodiscard]] static std::uint64_t size_for(const shape& loop) noexcept;

  /// Whether `apply` would need memory for sums.
  [[nodiscard]] static bool wants_sums(const known_costs& costs, const optimisations& applied) noexcept {
    return costs.each && !(costs.equal && applied.equal) && !(costs.guarded && applied.guarded);
  }

  /// Whether `apply` would read the costs.
  [[nodiscard]] bool would_read(const shape& loop, const known_costs& costs) const noexcept;

  /// Whether the costs are to be read, list by list, before `with`.
  [[nodiscard]] bool begin(const shape& loop, const known_costs& costs) noexcept;
  /// Reads every cost of list m < members of the loop that was begun once, by `each`, which reads what `costs.each` does; lists at
  /// the same time by different threads, if that may be called so. A list
  /// begins with its most expensive iteration, where such are to come first and that costs at least the 64th part of it.
  /// O(iterations of the list).
  void read_list(member m, const cost::source& each) noexcept;
  /// The loop with its costs: `sums`, `starts` and `equal` of what is known set, whatever they were. Without costs (the loop is balanced by
  /// the number of iterations) where they were not read, where all are 0, where one or their sum is infinite, and where the body
  /// is guarded. O(members).
  [[nodiscard]] shape with(const shape& loop, const known_costs& costs) noexcept;

  /// All of this, on the calling thread; reads every cost once, unless nothing has changed.
  [[nodiscard]] shape apply(const shape& loop, const known_costs& costs) noexcept;

  /// How often costs were read.
  [[nodiscard]] std::uint64_t made() const noexcept { return made_; }

 private:
  struct layout;
  struct key {
    cost::source each;
    std::uint64_t version = 0;
    std::uint64_t iterations = 0;
    std::uint64_t chunk = 0;
    std::uint32_t members = 0;
    bool contiguous = false;
    bool expensive_first = false;
    friend bool operator==(const key&, const key&) noexcept = default;
  };
  enum class found : std::uint8_t { nothing, equal, different };

  [[nodiscard]] static key key_of(const shape& loop, const known_costs& costs) noexcept;
  void end() noexcept;
  [[nodiscard]] std::uint32_t* starts(std::uint64_t at) const noexcept;

  std::span<double> memory_;
  optimisations applied_;
  shape reading_;            ///< of `begin`
  bool is_reading_ = false;  ///< between `begin` and `with`
  key last_;
  found last_found_ = found::nothing;
  bool has_starts_ = false;
  bool valid_ = false;  ///< last_ and last_found_ say what is in memory_
  std::uint64_t made_ = 0;
};

}  // namespace steelyard::schedules
