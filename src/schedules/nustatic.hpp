// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/whole_blocks.hpp"

namespace steelyard::schedules {

/// Learnt or given shares (Cammarota, Nicolau & Veidenbaum, "Just in time load balancing", section 2). Deal: contiguous blocks of
/// equal cost, in order; equal blocks where nothing is known. Take: all. Ask: nobody; a share whose owner may never come goes to
/// whoever claims it.
class nustatic_rules {
 public:
  static constexpr traits about{.name = "nustatic",
                                .summary = "learnt or given shares, one block per member",
                                .chunk_meaning = "blocks are whole multiples of it",
                                .ascending = true,
                                .preassigned = true,
                                .learns = learning::shares};

  explicit nustatic_rules(const shape& loop) noexcept
      : iterations_(loop.iterations), chunk_(std::max<std::uint64_t>(loop.chunk, 1)), members_(loop.members),
        ends_(loop.known.ends) {}

  [[nodiscard]] deal::block<std::uint64_t> share(member m) const noexcept {
    deal::block<std::uint64_t> mine(iterations_ / chunk_ + (iterations_ % chunk_ != 0 ? 1 : 0), members_, m);
    const auto end_of = [&](member which, std::uint64_t chunks) {
      if (ends_ == nullptr) return chunks > iterations_ / chunk_ ? iterations_ : chunks * chunk_;
      return which + 1 == members_ ? iterations_ : ends_[which] / chunk_ * chunk_;
    };
    const auto begin = m == 0 ? 0 : end_of(m - 1, mine.first);
    mine.count = end_of(m, mine.first + mine.count) - begin;
    mine.first = begin;
    return mine;
  }

 private:
  std::uint64_t iterations_;
  std::uint64_t chunk_;
  std::uint32_t members_;
  const std::uint64_t* ends_;
};

template <class Sync>
using nustatic = whole_blocks<Sync, nustatic_rules>;

/// The same, learnt as published: the first two instances of a loop run on one member.
class nustatic_paper_rules : public nustatic_rules {
 public:
  static constexpr traits about{.name = "nustatic:paper",
                                .summary = "learnt shares; the first two instances run on one member: as published",
                                .chunk_meaning = "blocks are whole multiples of it",
                                .ascending = true,
                                .preassigned = true,
                                .as_published = true,
                                .learns = learning::serially};
  using nustatic_rules::nustatic_rules;
};

template <class Sync>
using nustatic_paper = whole_blocks<Sync, nustatic_paper_rules>;

}  // namespace steelyard::schedules
