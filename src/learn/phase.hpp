// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "learn/density.hpp"

namespace steelyard::learn {

struct block_times;

/// A picture of a loop's costs, with what it was learnt from and the cut that follows. Many instances of a loop may be of one phase.
class phase {
 public:
  static constexpr std::uint32_t most_tries = 8;

  /// The picture.
  [[nodiscard]] const density& known() const noexcept { return pictures_[known_]; }
  /// What the cut is from: not the same where another cut would not be better.
  [[nodiscard]] const density& dealt() const noexcept { return pictures_[dealt_]; }

  /// Knows no more than this instance. O(bins + members), as all that changes the picture.
  void begin_with(const block_times& it) noexcept;
  /// Knows no more than this instance and the other's picture.
  void begin_like(const phase& other, const block_times& it) noexcept;
  /// Is known, and not cut anew.
  void be(const density& costs) noexcept;
  /// The picture was wrong altogether; the cut stays.
  void know_nothing() noexcept { pictures_[known_ = free()] = density(); }
  /// What has been learnt counts no more, but the picture stays, and the cut.
  void forget_lessons() noexcept;

  /// Makes the picture finer: it agrees with the instance, and with the lessons before as far as these do.
  void study(const block_times& it) noexcept { study(known(), it); }
  /// The next cut is from that.
  void cut_anew() noexcept { dealt_ = known_; }
  /// The cut that the instance had may be the best one.
  void keep_best(const block_times& it) noexcept;
  void settle_for_best() noexcept;

  /// By how much the instance went otherwise, at most; `differences` for each member, both in mean blocks.
  double error_of(const block_times& it, double* differences) const noexcept;
  /// Whether no costs explain both the instance and what the phase is from.
  [[nodiscard]] bool contradicts(const block_times& it) const noexcept;

  double best_imbalance = 0;
  double lost_by_equal = 0;  ///< what equal blocks would lose
  std::uint64_t began = 0;   ///< by which instance; 0: that of equal blocks
  std::uint64_t last_used = 0;
  std::uint32_t tries = 0;
  bool settled = true;
  bool stale = false;  ///< it has settled for a cut that `known` is not from

 private:
  /// What blocks took, of a team that is not large: a large one tells enough by itself.
  struct lesson {
    static constexpr std::uint32_t most_blocks = 16;
    std::uint32_t blocks;
    std::array<double, most_blocks> ends;
    std::array<double, most_blocks> parts;
  };
  static constexpr std::uint32_t most_lessons = 8;
  static_assert(most_lessons * lesson::most_blocks + density::most_blocks <= density::most_ends);

  [[nodiscard]] std::uint32_t lessons_kept() const noexcept {
    return learnt_ < lessons_.size() ? learnt_ : static_cast<std::uint32_t>(lessons_.size());
  }
  [[nodiscard]] std::uint32_t free() const noexcept;
  void study(const density& from, const block_times& it) noexcept;
  void remember(const block_times& it) noexcept;

  // A picture of 2 KiB is not copied: one that is not used takes what is new.
  std::array<density, 3> pictures_;
  std::uint32_t known_ = 0;
  std::uint32_t dealt_ = 0;
  std::uint32_t best_ = 0;
  std::array<lesson, most_lessons> lessons_{};  ///< the last ones that `known` is from
  std::uint32_t learnt_ = 0;                    ///< how many were
};

}  // namespace steelyard::learn
