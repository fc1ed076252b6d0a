// SPDX-License-Identifier: Apache-2.0
#include "loop/team.hpp"

#include <algorithm>
#include <cstddef>

#include "learn/work_clock.hpp"
#include "runtime/pending.hpp"
#include "support/assert.hpp"
#include "support/ticks.hpp"
#include "sync/interrupt.hpp"

namespace steelyard::loop {
namespace {

using schedules::step;
using support::ticks;

/// Of a share. Where it is known how long iterations take a part is not shorter than so many that are worth handing out, but not more than an eighth of a share.
constexpr std::uint64_t parts_of_share = 16;
constexpr std::uint64_t least_parts_of_share = 8;

[[maybe_unused]] constexpr bool is_within(const step& some, std::uint64_t iterations) noexcept {
  return some.first < iterations && (some.count - 1) <= (iterations - 1 - some.first) / some.stride;
}

}  // namespace

member_here::member_here(steelyard_pool& pool, std::uint32_t number) noexcept
    : pool_(pool), in_no_task_(steelyard_frame_here == nullptr) {
  if (number != 0) steelyard_frame_here = &runtime::unopened;
}

member_here::~member_here() {
  if (!in_no_task_) return;
  runtime::drop_pending();
  steelyard_frame_here = nullptr;
  runtime::seats::leave_at_last();
}

team::team(steelyard_pool& pool, const steelyard_loop& asked, std::uint64_t first,
           const schedules::operations& schedule, const schedules::shape& shape, void* memory,
           const listeners& told) noexcept
    : pool_(pool), asked_(asked), first_(first), schedule_(schedule), state_(memory), iterations_(shape.iterations),
      members_(shape.members), opened_(ticks()), grain_(shape.known.grain),
      step_(std::min(shape.chunk, pace::most_in_one_claim)), open_(shape.front_end.open),
      requests_(schedule, memory, open_ ? members_ : 0, static_cast<std::byte*>(memory) + schedule.bytes(shape)),
      told_(told), progress_(asked), sums_(members_) {
  STEELYARD_ASSERT(iterations_ != 0 && members_ != 0, "loop.md: what is shared is a loop, by some");
  schedule.open(memory, shape);
}

void team::run(std::uint32_t number) noexcept {
  STEELYARD_ASSERT(number < members_, "runtime/board.md, [I1]: a member's number is below their number");
  const auto came = ticks();
  if (number != 0 && first_arrival() == 0) {
    std::uint64_t none = 0;
    arrival_.compare_exchange(none, came - opened_ + 1, sync::relaxed, sync::relaxed, sync::site{"M2"});
  } else if (number == 0) {
    opening_ = came - opened_;
  }
  of_member its;
  {
    const member_here here(pool_, number);
    run_as(number, its);
  }
  const auto left = ticks();
  its.busy = left - came;
  its.left = left - opened_;
  if (told_.ends) its.through = left - opened_;
  its.steals = schedule_.counts(state_, number).steals;
  sums_.add(number, its);
}

void team::run_as(std::uint32_t number, of_member& its) noexcept {
  steelyard_member self{.of = this, .number = number, .claims = pace(step_ != 0 ? step_ : grain_, step_ != 0)};
  if (open_) {
    run_open(self);
  } else {
    run_chunks(self, its);
  }
}

/// A long chunk in parts, so that a loop that is stopped ends soon.
void team::run_chunks(steelyard_member& self, of_member& its) noexcept {
  const auto share = iterations_ / members_;
  const auto worth_it = grain_ > 1 ? std::min(grain_ * parts_of_share, share / least_parts_of_share) : 1;
  const auto most = std::max<std::uint64_t>({share / parts_of_share, worth_it, 1});
  const bool timed = told_.fetches || told_.chunks != nullptr || told_.costs != nullptr;
  while (!stopped()) {
    const auto asked = timed ? ticks() : 0;
    const auto got = schedule_.next(state_, self.number);
    const auto had = timed ? ticks() : 0;
    if (told_.fetches) its.fetched = {its.fetched.ticks + had - asked, its.fetched.count + 1};
    if (got.done()) break;
    STEELYARD_ASSERT(is_within(got, iterations_), "contract.hpp: a step lies in the loop");
    const auto began = told_.shares != nullptr ? learn::work.now() : 0;
    std::uint64_t done = 0;
    for (std::uint64_t part = 0; done != got.count && !stopped(); done += part) {
      part = std::min(most, got.count - done);
      asked_.run(asked_.body, &self, first_ + got.first + done * got.stride, part, got.stride);
      if (asked_.progress != nullptr) taken_.fetch_add(part, sync::relaxed, sync::site{"M9"});
      report_progress(self.number);
    }
    if (told_.shares != nullptr) told_.shares->took(got.first, learn::work.now() - began);
    if (told_.costs != nullptr && done == got.count) told_.costs->took(got.first, got.count, ticks() - had);
    if (told_.chunks != nullptr && done == got.count)
      told_.chunks->completed(state_, self.number, got, {ticks() - had, had - asked});
  }
}

void team::run_open(steelyard_member& self) noexcept {
  const auto number = self.number;
  requests_.enter(number);
  const sync::answering here([](void* of, unsigned m) { static_cast<requests*>(of)->answer(m); }, &requests_, number);
  for (std::uint32_t turn = 0; !stopped();) {
    const auto got = schedule_.next(state_, number);
    if (got.done()) break;
    if (got.what == step::kind::wait) {
      sync::real::relax(turn++);
    } else if (got.what == step::kind::ask) {
      requests_.deliver(number, static_cast<std::uint32_t>(got.first));
      turn = 0;
    } else {
      run_for_a_while(self);
      report_progress(number);
    }
  }
  requests_.leave(number);
}

/// Runs so much of the own range that the caller looks at the flag in time.
void team::run_for_a_while(steelyard_member& self) noexcept {
  self.claims.begin(requests_.at(self.number));
  asked_.run_open(asked_.body, &self);
  self.claims.look(requests_.at(self.number));
}

steelyard_range team::range_of(const steelyard_member& self) noexcept {
  auto mine = requests_.range(self.number);
  mine.base = first_;
  mine.step = self.claims.step();
  mine.until = self.claims.until(mine.at);
  return mine;
}

void team::stop() noexcept {
  stopped_.store(true, sync::relaxed, sync::site{"M7"});
  if (open_) requests_.stop();
}

bool team::stopped() const noexcept { return stopped_.load(sync::relaxed, sync::site{"M7"}) || is_to_stop(asked_); }

void team::report_progress(std::uint32_t number) noexcept {
  if (number != 0 || !progress_.is_due()) return;
  progress_.say(first_ + (open_ ? taken_from_ranges() : taken_.load(sync::relaxed, sync::site{"M9"})));
}

/// Iterations on their way from one member to another may be counted with both.
std::uint64_t team::taken_from_ranges() const noexcept {
  std::uint64_t left = 0;
  for (std::uint32_t m = 0; m < members_; ++m) {
    const auto its = schedule_.remaining(state_, m);
    STEELYARD_ASSERT(its <= iterations_, "contract.hpp: no more remains than there was");
    left = std::min(left + its, iterations_);
  }
  return iterations_ - left;
}

}  // namespace steelyard::loop
