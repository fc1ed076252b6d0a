// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/prices.hpp"

#include <algorithm>
#include <new>

#include "learn/work_clock.hpp"
#include "openmp/shares/dealt.hpp"
#include "openmp/shares/known_loops.hpp"
#include "openmp/shares/turns.hpp"
#include "support/ticks.hpp"
#include "sync/real.hpp"

namespace steelyard::openmp {
namespace {

using support::ticks;

/// Timing takes no more than so small a part of the loops' time.
constexpr std::uint64_t part = 100;
/// So many times what looking up takes when all of it is in the caches of one processor. Members do some more than that, and programs use
/// their caches for other things meanwhile.
constexpr std::uint64_t dearer = 32;

/// The least that one of several takes, rounded up, because clocks differ: some tick less often than they can be read.
template <class Once>
std::uint64_t price_of(Once once) noexcept {
  constexpr std::uint64_t times = 8;
  std::uint64_t least = ~std::uint64_t{0};
  for (int round = 0; round < 4; ++round) {
    const std::uint64_t began = ticks();
    for (std::uint64_t each = 0; each < times; ++each) once();
    least = std::min(least, ticks() - began);
  }
  return (least + times - 1) / times;
}

/// What a member pays for a block that is timed: two readings of the clock, and what it notes.
std::uint64_t price_of_block() noexcept {
  dealt::taken noted;
  return price_of([&noted] {
    const std::uint64_t block_began = ticks();
    noted.ticks.add(ticks() - block_began);
    noted.loops.add(1);
  });
}

/// What a region pays that deals: it enters and leaves, and each member looks up its block.
std::uint64_t price_of_look_up() noexcept {
  turns<sync::real> inside;
  known_loops nothing;
  const std::uint64_t half[2] = {whole / 2, whole};
  dealt record;
  record.parts = half;
  std::uint64_t iterations = 1000;
  return price_of([&] {
    static_cast<void>(inside.enter());
    const dealt* const found = nothing.standing(iterations, 2);
    iterations += record.block_of(1, iterations).first + (found != nullptr ? 1 : 0);
    inside.leave();
  });
}

const std::uint64_t block_price = price_of_block();
const std::uint64_t deal_price = dearer * price_of_look_up();

}  // namespace

std::uint64_t debt_of(std::uint64_t learning, std::uint64_t blocks) noexcept {
  return part * (learning + blocks * (block_price + 2 * learn::work.price()));
}

std::uint64_t price_of_deal() noexcept { return deal_price; }

}  // namespace steelyard::openmp
