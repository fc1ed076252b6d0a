// SPDX-License-Identifier: Apache-2.0
#include "loop/requests.hpp"

#include <unistd.h>

#include <new>

#include "loop/delivery.hpp"
#include "support/assert.hpp"
#include "support/ticks.hpp"
#include "sync/forks.hpp"
#include "sync/interrupt.hpp"
#include "sync/patience.hpp"

namespace steelyard::loop {
namespace {

using support::ticks;

constexpr std::uint32_t turns_before_sleep = 4000;

/// This thread's number in the system, in the process that asked for it.
struct numbered {
  pid_t number = 0;
  std::uint32_t process = 0;
};
constinit thread_local numbered here;

/// When the library is loaded: while the process has one thread the kernel answers at once, later it takes some 10 ms.
[[gnu::constructor]] void register_for_membarriers() noexcept { sync::real::prepare_membarrier(); }

[[gnu::noinline]] void know_this_thread() noexcept {
  here = {gettid(), sync::forks()};
  if (delivery_of_process() == delivery::signal) sync::accept_interrupts();
}

}  // namespace

requests::requests(const schedules::operations& schedule, void* state, std::uint32_t members, void* memory) noexcept
    : does_(schedule.open_ranges), state_(state), members_(members), threads_(static_cast<thread_number*>(memory)) {
  for (std::uint32_t m = 0; m < members; ++m) ::new (static_cast<void*>(threads_ + m)) thread_number;
  // Chosen on the caller's thread, whose mask says which signals the program waits for.
  if (members != 0 && delivery_of_process() == delivery::signal) static_cast<void>(sync::interrupt_signal());
}

void requests::enter(std::uint32_t m) noexcept {
  STEELYARD_ASSERT(m < members_, "contract.hpp: a member's number is below their number");
  if (here.number == 0 || here.process != sync::forks()) know_this_thread();
  threads_[m].store(here.number, sync::relaxed, sync::site{"M3"});
}

void requests::answer(std::uint32_t m) noexcept {
  does_->answer(state_, m);
  if (stopped()) does_->ring(state_, m);  // the answer has set the end
}

steelyard_range requests::range(std::uint32_t m) noexcept {
  const auto words = does_->words(state_, m);
  return {words.head, words.end, 0, does_->at(state_, m), 0, 1, sync::real::fences() ? 1 : 0};
}

steelyard_piece requests::claim(std::uint32_t m, std::uint64_t count) noexcept {
  const auto got = does_->claim(state_, m, count);
  return {got.first, got.count};
}

steelyard_piece requests::claim_slowly(std::uint32_t m, steelyard_piece wanted) noexcept {
  const auto got = does_->claim_slowly(state_, m, {wanted.first, wanted.count});
  // Rings that outer members of this thread missed while this one ran.
  sync::answering::answer_all();
  // The claim may have overwritten the ring of `stop`: one of the two sees the other.
  sync::real::fence(sync::seq_cst, sync::site{"M6"});
  if (got.count == 0 || !stopped()) return {got.first, got.count};
  leave(m);
  return {got.first, 0};
}

void requests::stop() noexcept {
  stopped_.store(true, sync::relaxed, sync::site{"M7"});
  sync::real::fence(sync::seq_cst, sync::site{"M6"});
  for (std::uint32_t m = 0; m < members_; ++m) does_->ring(state_, m);
}

void requests::deliver(std::uint32_t thief, std::uint32_t victim) noexcept {
  STEELYARD_ASSERT(thief < members_ && victim < members_ && thief != victim,
                   "sync/open_range.md, [I6]: a thief asks another");
  const auto how = delivery_of_process();
  if (how == delivery::membarrier) {
    does_->take(state_, thief, victim);
  } else {
    does_->ring(state_, victim);
    if (how == delivery::signal) interrupt(victim);
  }
  await_reply(thief, victim, how == delivery::hybrid);
  if (stopped()) does_->ring(state_, victim);
}

void requests::interrupt(std::uint32_t victim) noexcept {
  const auto thread = threads_[victim].load(sync::relaxed, sync::site{"M3"});
  if (thread != 0) sync::interrupt(thread);
}

void requests::await_reply(std::uint32_t thief, std::uint32_t victim, bool may_take) noexcept {
  const auto began = ticks();
  for (std::uint32_t turn = 0; !does_->is_answered(state_, thief); ++turn) {
    sync::answering::answer_all();
    if (may_take && ticks() - began > sync::patience()) {
      does_->take(state_, thief, victim);
      may_take = false;
    } else if (turn > turns_before_sleep) {
      does_->sleep(state_, thief);
    } else {
      sync::real::relax(turn % 64);
    }
  }
}

}  // namespace steelyard::loop
