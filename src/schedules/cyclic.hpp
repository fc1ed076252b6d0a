// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    }
    const auto piece = first_of(shares_.share(m), left);
    shares_.set_left(m, left - piece.count);
    return piece;
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

  /// What a share hands out next when `left` > 0 of its iterations are left: whole blocks are gone, so the rest counted
  /// in blocks, the short last one as full, says which block is next.
  [[nodiscard]] step first_of(member owner, std::uint64_t left) const noexcept {
    const auto waiting = ceil_div(left, block_);
    const auto round = blocks(owner) - waiting;
    const auto first = (round * members_ + owner) * block_;
    if (block_ == 1) return {first, left, members_};
    return {first, std::min(block_, iterations_ - first), 1};
  }

  std::uint64_t iterations_;
  std::uint64_t block_;
  std::uint64_t blocks_;
  std::uint32_t members_;
  claims<Sync> shares_;
};

}  // namespace steelyard::schedules
