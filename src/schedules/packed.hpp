// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "schedules/contract.hpp"
#include "schedules/range.hpp"
#include "schedules/weigh.hpp"

namespace steelyard::schedules {

class work_in_order;

namespace deal {

/// BinLPT's: chunks of about equal work, which follow each other in the loop, are dealt to the members, the heaviest first, each to the
/// member with least so far. A position is a chunk; those of a member follow each other, the heaviest first. What they are stands
/// in a table, written when the loop opens and constant from then on.
class packed {
 public:
  static constexpr bool in_pieces = true;
  static constexpr std::uint32_t chunks_of_member = 8;    ///< on average, where no chunk is given
  static constexpr std::uint32_t most_chunks = 1U << 16;  ///< whatever chunk is given

  /// k, the most chunks that the loop is cut into: 8 for each member; ⌈N/c⌉ where a chunk is given, so a chunk holds the work of c
  /// mean iterations. No more than iterations.
  [[nodiscard]] static constexpr std::uint32_t limit(const shape& loop) noexcept {
    const auto wanted = loop.chunk == 0 ? std::uint64_t{chunks_of_member} * loop.members
                                        : loop.iterations / loop.chunk + (loop.iterations % loop.chunk != 0 ? 1 : 0);
    return static_cast<std::uint32_t>(std::min({wanted, loop.iterations, std::uint64_t{most_chunks}}));
  }

  /// Of the table: O(k + members).
  [[nodiscard]] static std::size_t bytes(const shape& loop) noexcept;

  /// `table`: memory of that many bytes, aligned as a double. O(k log k), and the pieces that costs are known in (work_in_order.hpp).
  packed(const shape& loop, std::uint64_t reservation, void* table) noexcept;

  [[nodiscard]] range share(member m) const noexcept { return {shares_[m], shares_[m + 1]}; }

  step cut(range& taken) const noexcept {
    const auto at = taken.begin();
    taken = taken.without_front(1);
    return unit.run(first_[at], units_[at + 1] - units_[at]);
  }

  [[nodiscard]] std::uint64_t iterations(range r) const noexcept {
    const bool has_last = r.begin() <= last_ && last_ < r.end();
    return unit.iterations(units_[r.end()] - units_[r.begin()], has_last);
  }

  /// In the unit of the costs; where they are not known, units of the loop.
  [[nodiscard]] double work_of(range r) const noexcept { return work_[r.end()] - work_[r.begin()]; }
  [[nodiscard]] double work() const noexcept { return work_[chunks_]; }
  [[nodiscard]] bool has_costs() const noexcept { return has_costs_; }

  units unit;

 private:
  struct chunk;
  struct layout;

  packed(work_in_order costs, const shape& loop, void* table) noexcept;
  void cut_loop(work_in_order& costs, chunk* into, std::uint32_t limit) noexcept;
  void write(const chunk* dealt, std::uint32_t members) noexcept;

  bool has_costs_;
  std::uint32_t chunks_ = 0;
  std::uint32_t last_ = 0;  ///< the chunk that the loop ends with
  double* work_;            ///< of the chunks before a position
  std::uint32_t* units_;    ///< in the chunks before a position
  std::uint32_t* first_;    ///< unit of a chunk
  std::uint32_t* shares_;   ///< where each member's chunks begin
};

}  // namespace deal

namespace weigh {

/// The work of chunks (weigh.hpp says what is asked of it).
class chunks : public no_unit_costs {
 public:
  static constexpr bool knows_costs = true;

  chunks(const shape&, const deal::packed& deal) noexcept
      : deal_(deal), scale_(full / deal.work()), mean_(deal.work() / deal.unit.count()) {}

  [[nodiscard]] std::uint64_t of(range r, std::uint32_t) const noexcept {
    if (r.empty()) return 0;
    const double weight = deal_.work_of(r) * scale_;
    // What costs nothing has still to be run. Right for NaN too.
    return weight >= 1 ? static_cast<std::uint64_t>(std::min(weight, full)) : 1;
  }
  [[nodiscard]] bool reaches(range r, std::uint32_t, std::uint32_t least) const noexcept {
    return !r.empty() && deal_.work_of(r) >= mean_ * least;
  }
  [[nodiscard]] static constexpr bool equal() noexcept { return false; }
  [[nodiscard]] bool has_costs() const noexcept { return deal_.has_costs(); }
  [[nodiscard]] double work_of(range r) const noexcept { return deal_.work_of(r); }

 private:
  static constexpr double full = 0x1.0p62;

  const deal::packed& deal_;
  double scale_;  ///< of work to weights
  double mean_;   ///< work of a unit
};

}  // namespace weigh

}  // namespace steelyard::schedules
