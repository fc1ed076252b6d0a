// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/chunks/on_request.hpp"
#include "schedules/draw.hpp"

namespace steelyard::schedules {

/// Random chunks (Ciorba, Iwainsky & Buder 2018): from N/100P to N/2P iterations, each number as likely. What is drawn follows from the
/// seed and from what is left, so it needs no state of its own.
class rand_rule {
 public:
  static constexpr traits about{"rand", "a shared counter, chunks of random sizes", "least iterations per chunk (1)",
                                true, false};

  explicit rand_rule(const shape& loop) noexcept
      : seed_(loop.seed), low_(std::max<std::uint64_t>(loop.iterations / loop.members / 100, 1)),
        sizes_(std::max(loop.iterations / loop.members / 2, low_) - low_ + 1) {}

  [[nodiscard]] std::uint64_t size(std::uint64_t rest) const noexcept {
    auto state = seed_ ^ rest * distance;
    return low_ + static_cast<std::uint64_t>(static_cast<unsigned __int128>(draw(state)) * sizes_ >> 64);
  }

 private:
  static constexpr std::uint64_t distance = 0xd1342543de82ef95U;  // odd, so sequences of neighbours are far apart

  std::uint64_t seed_;
  std::uint64_t low_;
  std::uint64_t sizes_;
};

template <class Sync>
using rand = on_request<Sync, rand_rule>;

}  // namespace steelyard::schedules
