// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/claims.hpp"
#include "schedules/deal.hpp"

namespace steelyard::schedules {

/// Learnt or given shares (Cammarota, Nicolau & Veidenbaum, "Just in time load balancing", section 2). Deal: contiguous blocks of
/// equal cost, in order; equal blocks where nothing is known. Take: all. Ask: nobody; a share whose owner may never come goes to
/// whoever claims it.
template <class Sync>
class alignas(support::line_size) nustatic {
 public:
  static constexpr traits about{"nustatic",
                                "learnt or given shares, one block per member",
                                "blocks are whole multiples of it",
                                true,
                                true,
                                false,
                                learning::shares};

  static std::size_t bytes(const shape& loop) noexcept { return claims<Sync>::template bytes_with<nustatic>(loop); }

  explicit nustatic(const shape& loop) noexcept
      : iterations_(loop.iterations), chunk_(std::max<std::uint64_t>(loop.chunk, 1)), members_(loop.members),
        ends_(loop.known.ends), shares_(this + 1, loop) {}

  step next(member m) noexcept {
    while (shares_.next_share(m)) {
      const auto all = share(shares_.share(m));
      if (all.count != 0) return {all.first, all.count, 1};
    }
    return {};
  }

  [[nodiscard]] std::uint64_t remaining(member m) const noexcept { return shares_.claimed(m) ? 0 : share(m).count; }
  [[nodiscard]] tally counts(member m) const noexcept { return shares_.counts(m); }

 private:
  using block = deal::block<std::uint64_t>;

  [[nodiscard]] block share(member m) const noexcept {
    block mine(iterations_ / chunk_ + (iterations_ % chunk_ != 0 ? 1 : 0), members_, m);
    const auto end_of = [&](member which, std::uint64_t chunks) {
      if (ends_ == nullptr) return chunks > iterations_ / chunk_ ? iterations_ : chunks * chunk_;
      return which + 1 == members_ ? iterations_ : ends_[which] / chunk_ * chunk_;
    };
    const auto begin = m == 0 ? 0 : end_of(m - 1, mine.first);
    mine.count = end_of(m, mine.first + mine.count) - begin;
    mine.first = begin;
    return mine;
  }

  std::uint64_t iterations_;
  std::uint64_t chunk_;
  std::uint32_t members_;
  const std::uint64_t* ends_;
  claims<Sync> shares_;
};

/// The same, learnt as published: the first two instances of a loop run on one member.
template <class Sync>
class nustatic_paper : public nustatic<Sync> {
 public:
  static constexpr traits about{"nustatic:paper",
                                "learnt shares; the first two instances run on one member: as published",
                                "blocks are whole multiples of it",
                                true,
                                true,
                                true,
                                learning::serially};
  using nustatic<Sync>::nustatic;
};

}  // namespace steelyard::schedules
