// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "schedules/contract.hpp"
#include "schedules/deal.hpp"
#include "schedules/list_groups.hpp"

namespace steelyard::schedules {

/// What is known of a loop's costs (`cost_knowledge`), in the order in which the loop has its units: piece after piece, each with its
/// work. Sums stand list by list as wsrw deals; a piece is one of its blocks then, or, where these are many, as many of them from each
/// list. Of a profile a piece is a bin. Where nothing is known, a piece is the whole loop, and a unit counts for 1.
///
/// Sums that are none, and a profile that changes meanwhile, make pieces of wrong work, from 0 to the largest number.
class work_in_order {
 public:
  /// So many blocks are looked at one by one.
  static constexpr std::uint32_t most_blocks = 1U << 16;

  explicit work_in_order(const shape& loop) noexcept;

  /// The units of the loop: those of wsrw's deal.
  [[nodiscard]] const units& unit() const noexcept { return dealt_.unit; }
  [[nodiscard]] bool knows_costs() const noexcept { return form_ != form::even; }
  /// Above 0, unless the loop is empty.
  [[nodiscard]] double total() const noexcept { return total_; }

  /// Goes on to the next piece, the first at first; false: there is none. All pieces: O(blocks or bins); of many blocks
  /// O(1,024 members).
  [[nodiscard]] bool next() noexcept;

  /// Of the piece, which has at least one unit.
  [[nodiscard]] std::uint32_t begin() const noexcept { return begin_; }
  [[nodiscard]] std::uint32_t end() const noexcept { return end_; }
  [[nodiscard]] double work() const noexcept { return work_; }
  /// The work of its units before that one, which may be its end.
  [[nodiscard]] double before(std::uint32_t at) const noexcept;
  /// The first of its units with that much of its work before it, or its end; never its first one.
  [[nodiscard]] std::uint32_t reaching(double work) const noexcept;

 private:
  enum class form : std::uint8_t { even, bins, blocks, rows };

  void next_bin() noexcept;
  void next_block() noexcept;
  void next_row() noexcept;

  deal::cyclic dealt_;
  list_groups groups_;
  const double* sums_;
  const profile* profile_;
  std::uint32_t members_;
  form form_ = form::even;
  double total_ = 0;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
  double work_ = 0;
  double of_unit_ = 1;         ///< work of a unit, where all of a piece have the same
  double read_ = 0;            ///< of bins and rows: the work before the end of the piece, as it was read
  std::uint32_t number_ = 0;   ///< of bins or blocks that there were
  std::uint32_t in_list_ = 0;  ///< where the piece begins in its list; of rows: where it ends in each
  std::uint32_t row_ = 1;      ///< units that a row has of each list
  member owner_ = 0;           ///< of the block
};

}  // namespace steelyard::schedules
