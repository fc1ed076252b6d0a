// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/arithmetic.hpp"
#include "schedules/claims.hpp"

namespace steelyard::schedules {

/// OpenMP `schedule(static, c)`: block i of c iterations belongs to member i mod P. With c = 1 a share is one step of
/// stride P, else its blocks are handed out one at a time.
/// Deal: block-cyclic. Take: all. Ask: nobody; a share whose owner may never come goes to whoever claims it.
template <class Sync>
class alignas(support::line_size) cyclic {
 public:
  static constexpr traits about{"cyclic", "blocks of c iterations, dealt round in turn", "iterations per block (1)",
                                true, true};

  static std::size_t bytes(const shape& loop) noexcept { return claims<Sync>::template bytes_with<cyclic>(loop); }

  explicit cyclic(const shape& loop) noexcept
      : iterations_(loop.iterations), block_(loop.chunk != 0 ? loop.chunk : 1), blocks_(ceil_div(iterations_, block_)),
        members_(loop.members), shares_(this + 1, loop) {}

  step next(member m) noexcept {
    auto left = shares_.left(m);
    while (left == 0) {
      if (!shares_.next_share(m)) return {};
      left = share(shares_.share(m));
      shares_.at(m) = shares_.share(m) * block_;
    }
    const auto first = shares_.at(m);
    if (block_ == 1) {
      shares_.set_left(m, 0);
      return {first, left, members_};
    }
    // Only the last block of the loop is short, and no share goes on behind it.
    const auto count = std::min(block_, left);
    shares_.at(m) = first + block_ * members_;
    shares_.set_left(m, left - count);
    return {first, count, 1};
  }

  [[nodiscard]] std::uint64_t remaining(member m) const noexcept {
    return shares_.left(m) + (shares_.claimed(m) ? 0 : share(m));
  }
  [[nodiscard]] tally counts(member m) const noexcept { return shares_.counts(m); }

 private:
  /// Blocks that member m owns.
  [[nodiscard]] std::uint64_t blocks(member m) const noexcept {
    return blocks_ / members_ + (m < blocks_ % members_ ? 1 : 0);
  }

  [[nodiscard]] bool owns_last(member m) const noexcept { return blocks_ != 0 && (blocks_ - 1) % members_ == m; }

  /// Iterations that the last block lacks; modulo 2^64, as all products here.
  [[nodiscard]] std::uint64_t slack() const noexcept { return blocks_ * block_ - iterations_; }

  /// Iterations in the share of m.
  [[nodiscard]] std::uint64_t share(member m) const noexcept {
    return blocks(m) * block_ - (owns_last(m) ? slack() : 0);
  }

  std::uint64_t iterations_;
  std::uint64_t block_;
  std::uint64_t blocks_;
  std::uint32_t members_;
  claims<Sync> shares_;
};

}  // namespace steelyard::schedules
