// SPDX-License-Identifier: Apache-2.0
#include "loop/sharing.hpp"

#include <unistd.h>

#include <new>

#include "loop/delivery.hpp"
#include "support/ticks.hpp"
#include "sync/interrupt.hpp"

namespace steelyard::loop {
namespace {

using support::ticks;

constexpr std::uint32_t turns_before_sleep = 4000;

}  // namespace

sharing::sharing(const schedules::operations& schedule, void* state, std::uint32_t members, void* memory) noexcept
    : schedule_(schedule), state_(state), members_(members), threads_(static_cast<thread_number*>(memory)) {
  for (std::uint32_t m = 0; m < members; ++m) ::new (static_cast<void*>(threads_ + m)) thread_number;
}

void sharing::enter(std::uint32_t m) noexcept {
  static constinit thread_local pid_t self = 0;
  static constinit thread_local unsigned born = 0;
  // A child of fork has another number.
  if (self == 0 || born != static_cast<unsigned>(getpid())) {
    self = gettid();
    born = static_cast<unsigned>(getpid());
    sync::accept_interrupts();
  }
  threads_[m].store(self, sync::relaxed, sync::site{"M3"});
}

void sharing::answer(std::uint32_t m) noexcept {
  schedule_.sharing->answer(state_, m);
  if (stopped()) range_of(m).ring(range_of(m));  // the answer has set the end
}

steelyard_range sharing::range(std::uint32_t m) noexcept {
  auto& mine = range_of(m);
  return {mine.head().location(),      mine.end().location(), 0, mine.head().load(sync::relaxed, sync::site{"M5"}), 1,
          sync::real::fences() ? 1 : 0};
}

steelyard_piece sharing::claim(std::uint32_t m, steelyard_piece wanted) noexcept {
  range_of(m).head().store(wanted.first + wanted.count, sync::relaxed, sync::site{"M5"});
  const auto got = schedule_.sharing->claim_slowly(state_, m, {wanted.first, wanted.count});
  // Rings that outer members of this thread missed while this one ran.
  sync::answering::answer_all();
  // The claim may have overwritten the ring of `stop`: one of the two sees the other.
  sync::real::fence(sync::seq_cst, sync::site{"M6"});
  if (got.count == 0 || !stopped()) return {got.first, got.count};
  leave(m);
  return {got.first, 0};
}

void sharing::stop() noexcept {
  stopped_.store(true, sync::relaxed, sync::site{"M7"});
  sync::real::fence(sync::seq_cst, sync::site{"M6"});
  for (std::uint32_t m = 0; m < members_; ++m) range_of(m).ring(range_of(m));
}

void sharing::deliver(std::uint32_t thief, std::uint32_t victim) noexcept {
  const auto how = next_delivery();
  const auto began = ticks();
  if (how == delivery::membarrier) {
    range_of(thief).take(range_of(victim), thief);
  } else {
    range_of(thief).ring(range_of(victim));
    if (how == delivery::signal) interrupt(victim);
  }
  await_reply(thief, victim, how == delivery::hybrid);
  note_delivery(how, ticks() - began);
  if (stopped()) range_of(victim).ring(range_of(victim));
}

void sharing::interrupt(std::uint32_t victim) noexcept {
  const auto thread = threads_[victim].load(sync::relaxed, sync::site{"M3"});
  if (thread != 0) sync::interrupt(thread);
}

void sharing::await_reply(std::uint32_t thief, std::uint32_t victim, bool may_interrupt) noexcept {
  auto& mine = range_of(thief);
  const auto began = ticks();
  for (std::uint32_t turn = 0; !mine.is_answered(); ++turn) {
    sync::answering::answer_all();
    if (may_interrupt && ticks() - began > patience()) {
      interrupt(victim);
      may_interrupt = false;
    } else if (turn > turns_before_sleep) {
      mine.sleep();
    } else {
      sync::real::relax(turn % 64);
    }
  }
}

}  // namespace steelyard::loop
