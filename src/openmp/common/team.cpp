// SPDX-License-Identifier: Apache-2.0
#include "openmp/common/team.hpp"

#include <utility>

#include "openmp/common/clock.hpp"
#include "openmp/common/costs.hpp"
#include "openmp/common/limit.hpp"
#include "openmp/common/settings.hpp"
#include "openmp/common/slab.hpp"

namespace steelyard::openmp {

constinit thread_local this_thread self [[gnu::tls_model("initial-exec")]]{};

namespace {

constinit thread_local frame outermost [[gnu::tls_model("initial-exec")]]{};

void count_instance(instance& ended) noexcept {
  site& at = *ended.at;
  const std::uint64_t began = ended.first_start.read();
  const std::uint64_t finished = ended.last_finish.read();
  const std::uint64_t wall = finished > began ? finished - began : 0;
  at.instances.add(1);
  at.iterations.add(ended.iterations);
  at.chunks.add(ended.chunks.read());
  at.steals.add(ended.steals.read());
  at.members.raise_to(ended.members);
  at.wall_ns.add(wall);
  at.busy_ns.add(ended.busy.read());
  at.span_ns.add(wall * ended.members);
}

}  // namespace

frame& current_frame() noexcept {
  if (self.top == nullptr) {
    outermost.members = 1;
    self.top = &outermost;
  }
  return *self.top;
}

void push(frame& entered, region* team, runtime* native) noexcept {
  entered.outer = self.top;
  entered.outer_taken = self.taken;
  entered.team = team;
  entered.native = native;
  entered.level = native->level();
  self.top = &entered;
  self.taken = nullptr;
}

void pop(frame& left) noexcept {
  self.top = left.outer;
  self.taken = left.outer_taken;
  if (left.spare != nullptr) slab_give(left.spare, left.spare->bytes);
}

void open_region(region& team, site& at, const void* body) noexcept {
  team.at = &at;
  team.costs = std::exchange(self.costs, nullptr);
  if (!config.reporting) return;
  at.body.set(body);
  team.began = now();
}

void close_region(region& team) noexcept {
  team.loops.drain([](instance* node) noexcept { give_back(node); });
  if (config.reporting) {
    team.at->regions.add(1);
    team.at->region_ns.add(now() - team.began);
    team.at->region_loops.add(team.opened.read());
  }
}

void learn_team(frame& of) noexcept {
  of.number = static_cast<std::uint32_t>(of.native->thread_num());
  of.members = static_cast<std::uint32_t>(of.native->num_threads());
}

void give_back(instance* ended) noexcept {
  if (ended->schedule == &learning_schedule) learn_costs(*ended);
  if (config.reporting) {
    count_instance(*ended);
    if (config.measuring && ended->schedule != nullptr) account_limit(*ended);
  }
  slab_give(ended, ended->bytes);
}

}  // namespace steelyard::openmp
