// SPDX-License-Identifier: Apache-2.0
// The C interface of tasks.
#include "runtime/callers_pool.hpp"
#include "runtime/groups.hpp"
#include "runtime/meter_here.hpp"
#include "runtime/node.hpp"
#include "runtime/own_tasks.hpp"
#include "runtime/pending.hpp"
#include "sync/real.hpp"

#include <new>

#include <steelyard/detail/task_core.h>

using steelyard::runtime::meter_here;
using steelyard::runtime::seats;
using steelyard::runtime::task_slot;
namespace groups = steelyard::runtime::groups;
namespace own_tasks = steelyard::runtime::own_tasks;

namespace {

using node = steelyard::runtime::node<steelyard::sync::real>;
static_assert(sizeof(node) == sizeof(steelyard_node) && sizeof(node::edge) == sizeof(steelyard_link));

node& of(steelyard_node* at) noexcept { return *reinterpret_cast<node*>(at); }

/// A meter whose clock stands.
class standing : steelyard::runtime::meter::standing {
 public:
  explicit standing(steelyard::runtime::meter& its) noexcept : steelyard::runtime::meter::standing(its), its_(its) {}
  steelyard::runtime::meter* operator->() const noexcept { return &its_; }

 private:
  steelyard::runtime::meter& its_;
};

}  // namespace

int steelyard_tasks_enter() noexcept {
  const bool runs = steelyard::runtime::settle_pending();
  const bool entered = steelyard::runtime::pool_for(nullptr).threads.enter_tasks();
  if (!runs) steelyard_forks = nullptr;
  return entered ? 1 : 0;
}

void steelyard_tasks_leave() noexcept { seats::leave(); }

int steelyard_task_pushed(steelyard_tasks* own) noexcept { return own_tasks::pushed(*own) ? 1 : 0; }

uint64_t steelyard_forks_left(const steelyard_tasks*) noexcept { return own_tasks::forks_left(); }

int steelyard_task_popped(steelyard_tasks*, steelyard_task* task) noexcept {
  return own_tasks::popped(*static_cast<task_slot*>(task));
}

void steelyard_group_push(steelyard_group* group) noexcept { groups::push_elsewhere(*group); }

void steelyard_group_wait(steelyard_group* group) noexcept { groups::wait(*group); }

void steelyard_group_wait_until(steelyard_group* group, int (*enough)(const void* context),
                                const void* context) noexcept {
  groups::wait(*group, enough, context);
}

void steelyard_group_nudge(steelyard_group* group) noexcept { groups::nudge(*group); }

void steelyard_group_end(steelyard_group* group) noexcept { groups::end_elsewhere(*group); }

void steelyard_node_begin(steelyard_node* node) noexcept {
  if (auto* const measured = meter_here()) standing(*measured)->begin(node);
  of(node).begin();
}

int steelyard_node_precede(steelyard_node* before, steelyard_link* link) noexcept {
  auto* const edge = ::new (static_cast<void*>(link)) node::edge(of(link->to));
  const bool waits = of(before).precede(*edge);
  if (auto* const measured = meter_here()) standing(*measured)->precede(before, link->to, !waits);
  return waits ? 1 : 0;
}

int steelyard_node_is_ready(steelyard_node* node, uint32_t count) noexcept {
  const bool ready = of(node).is_ready_after(count);
  if (auto* const measured = meter_here()) {
    const standing its(*measured);
    its->forked(node);
    if (ready) its->is_next(node);
  }
  return ready ? 1 : 0;
}

void steelyard_node_end(steelyard_node* ended, void (*ready)(steelyard_node*)) noexcept {
  auto* const measured = meter_here();
  if (measured != nullptr) standing(*measured)->ended(ended);
  of(ended).end([ready, measured](node& next) {
    auto* const its = reinterpret_cast<steelyard_node*>(&next);
    if (measured != nullptr) standing(*measured)->is_next(its);
    ready(its);
  });
}

int steelyard_node_has_ended(const steelyard_node* node) noexcept {
  return of(const_cast<steelyard_node*>(node)).has_ended() ? 1 : 0;
}

void steelyard_pool_task_counts(const steelyard_pool* pool, steelyard_task_counts* counts) noexcept {
  *counts = steelyard::runtime::pool_for(pool).threads.its_tasks().counts();
}

void steelyard_pool_thread_task_counts(const steelyard_pool* pool, uint32_t thread,
                                       steelyard_task_counts* counts) noexcept {
  *counts = steelyard::runtime::pool_for(pool).threads.its_tasks().counts_of(thread);
}
