// SPDX-License-Identifier: Apache-2.0
#include "openmp/team/team.hpp"

#include "openmp/host/clock.hpp"
#include "openmp/host/slab.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/shares/static_loop.hpp"
#include "openmp/team/waits.hpp"
#include "support/assert.hpp"

namespace steelyard::openmp {

constinit thread_local this_thread self [[gnu::tls_model("initial-exec")]]{};

namespace {

constinit thread_local implicit_task outermost [[gnu::tls_model("initial-exec")]]{};

/// The innermost region is that one from now on.
void turn_to(implicit_task* innermost) noexcept {
  self.top = innermost;
  self.learns = innermost != nullptr && innermost->team != nullptr && innermost->team->shares != nullptr;
  self.deals = config.static_loops && self.learns;
}

}  // namespace

implicit_task& current_implicit_task() noexcept {
  if (self.top == nullptr) {
    outermost.members = 1;
    self.top = &outermost;
  }
  return *self.top;
}

runtime* innermost_runtime() noexcept { return self.top != nullptr ? self.top->native : nullptr; }

void push(implicit_task& entered, region* team, runtime* native) noexcept {
  STEELYARD_ASSERT(native != nullptr && &entered != self.top, "team.hpp: a region is entered once, and is a runtime's");
  entered.outer = self.top;
  entered.outer_taken = self.taken;
  entered.team = team;
  entered.native = native;
  entered.level = team != nullptr ? team->level : native->level();
  if (team != nullptr) entered.plain = team->plain;
  turn_to(&entered);
  self.taken = nullptr;
  if (!config.reporting || team == nullptr) return;
  learn_team(entered);
  team->at->members.raise_to(entered.members);
  begin_stretch(entered);
}

void pop(implicit_task& left) noexcept {
  STEELYARD_ASSERT(self.top == &left, "team.hpp: regions of a thread end in the reverse order");
  if (config.reporting && left.team != nullptr) end_stretch(left, now());
  if (config.shares) end_questions(left);
  if (left.inner != 0 && left.team != nullptr) left.team->inner.raise_to(left.inner);
  turn_to(left.outer);
  self.taken = left.outer_taken;
  if (left.spare != nullptr) slab_give(left.spare, left.spare->bytes);
}

void learn_team(implicit_task& of) noexcept {
  of.number = static_cast<std::uint32_t>(of.native->asks.thread_num());
  of.members = static_cast<std::uint32_t>(of.native->asks.num_threads());
  STEELYARD_ASSERT(of.number < of.members, "team.hpp: a member's number is below their number");
}

}  // namespace steelyard::openmp
