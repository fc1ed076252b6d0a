// SPDX-License-Identifier: Apache-2.0
// libomp's parallel regions: __kmpc_fork_call and its relatives. When active, the program's microtask is called
// through one of ours, which gives each member an implicit task: the identity of its team.
#include <cstdarg>
#include <cstddef>
#include <new>
#include <utility>

#include "openmp/host/export.hpp"
#include "openmp/host/slab.hpp"
#include "openmp/host/text.hpp"
#include "openmp/kmp/names.hpp"
#include "openmp/loop/loop.hpp"
#include "openmp/loop/region.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/shares/static_loop.hpp"
#include "openmp/team/forward.hpp"
#include "support/cache_line.hpp"

namespace steelyard::openmp::kmp {
namespace {

using i32 = std::int32_t;
using microtask = void (*)(i32* thread, i32* bound, ...);
using fork_type = void(ident*, i32, microtask, ...);
using fork_if_type = void(ident*, i32, microtask, i32, void*);

template <std::size_t... I, class Call>
void expand(std::index_sequence<I...>, void* const* arguments, Call call) {
  call(arguments[I]...);
}

// Arguments are passed on in a few sizes: a callee that the caller cleans up after ignores those behind its last, and
// so does a variadic one that is told the count. `arguments` has room for the rounded number.
constexpr int small = 8;
constexpr int medium = 32;
constexpr int large = 1024;

constexpr int rounded(int count) noexcept { return count <= medium ? medium : large; }

/// A region as libomp forks it, with the microtask's arguments (all of pointer size). A member begins with what stands in its
/// first line.
struct alignas(support::line_size) forked {
  // Braces would clear what a region has for the report, too.
  forked(microtask outlined, int how_many) noexcept : body(outlined), count(how_many) {}
  void* few[small];
  microtask body;
  int count;
  void** many = nullptr;  ///< more than a few
  region team;
};
static_assert(offsetof(forked, team) + offsetof(region, loops) <= support::line_size);

template <class Call>
void with_all(const forked& of, Call call) {
  if (of.count <= small) return expand(std::make_index_sequence<small>(), of.few, call);
  if (of.count <= medium) return expand(std::make_index_sequence<medium>(), of.many, call);
  expand(std::make_index_sequence<large>(), of.many, call);
}

void run_member(i32* thread, i32* bound, ...) {
  std::va_list list;
  va_start(list, bound);
  auto& of = *va_arg(list, forked*);
  va_end(list);
  const bool forks = std::exchange(self.forks, false);
  implicit_task member;
  push(member, &of.team, of.team.at->native);
  with_all(of, [&](auto... each) { of.body(thread, bound, each...); });
  end_body(member);
  pop(member);
  self.forks = forks;
}

/// The runtime's fork, from here to its join. A team of one it begins and ends by calls that are ours, too: `run_member` stands for it.
template <class Fork>
void in_fork(region& team, site& at, microtask body, Fork fork) {
  open_region(team, at, reinterpret_cast<const void*>(body));
  self.forks = true;
  fork();
  self.forks = false;
  close_region(team);
}

[[gnu::noinline]] void fork_if(ident* where, i32 count, microtask body, i32 condition, void* argument) {
  site& at = site_of(self.caller, api, source_of(where));
  auto* const native = at.native->entry<fork_if_type>(fork_call_if);
  if (!config.active) return native(where, count, body, condition, argument);
  forked of(body, argument != nullptr ? 1 : 0);
  of.few[0] = argument;
  in_fork(of.team, at, body, [&] { native(where, 1, run_member, condition, &of); });
}

template <std::size_t Slot>
constinit own_calls own{};

/// As `forward_or`, of what begins and ends a team of one. The runtime calls itself there for a region that has passed (team/passing.md), or
/// one whose start nobody sees. Nothing has to be done for that, so it is entered for the report only.
template <std::size_t Slot, auto Careful>
[[gnu::always_inline]] inline void serialized_or(void* caller, ident* where, i32 thread) {
  if (own<Slot>.come_from(caller)) return own<Slot>.template native<void(ident*, i32)>()(where, thread);
  if (config.active && !config.reporting) {
    const site* const known = site_in_slot(caller);
    if (known != nullptr && known->is_of_runtime) return known->native->entry<void(ident*, i32)>(Slot)(where, thread);
  }
  forward_or<api, Slot, Careful>(caller, where, thread);
}

/// The runtime's own function at `Slot`, for a call from `at`. The next one from there goes to it at once if nothing has to be done for it.
template <std::size_t Slot>
auto* native_of(const site& at) noexcept {
  auto* const native = at.native->entry<void(ident*, i32)>(Slot);
  if (at.is_of_runtime && !config.reporting && at.native == only_runtime(api))
    own<Slot>.note(at.address, reinterpret_cast<function>(native));
  return native;
}

/// Whether a team of one that is begun or ended there is noted.
bool is_noted(const site& at) noexcept {
  return config.active && !self.forks && (!at.is_of_runtime || config.reporting);
}

[[gnu::noinline]] void begin_serialized(ident* where, i32 thread) {
  site& at = site_of(self.caller, api, source_of(where));
  native_of<serialized_parallel>(at)(where, thread);
  if (!is_noted(at)) return;
  void* const memory = slab_take(sizeof(implicit_task));
  if (memory == nullptr) return;               // its loops are seen as an unknown team's, and passed
  static_cast<void>(current_implicit_task());  // below this one, which `end_serialized` takes away
  auto* const member = ::new (memory) implicit_task;
  push(*member, nullptr, at.native);
  member->members = 1;
}

[[gnu::noinline]] void end_serialized(ident* where, i32 thread) {
  site& at = site_of(self.caller, api, source_of(where));
  implicit_task* const member = self.top;
  if (is_noted(at) && member != nullptr && member->outer != nullptr && member->team == nullptr &&
      seen(*member, *at.native)) {
    pop(*member);
    slab_give(member, sizeof(implicit_task));
  }
  native_of<end_serialized_parallel>(at)(where, thread);
}

}  // namespace
}  // namespace steelyard::openmp::kmp

using namespace steelyard::openmp;

#define CALLER __builtin_return_address(0)

// Behind __kmpc_fork_call (entries.cpp), which jumps here, so the return address is that of the caller.
extern "C" [[gnu::visibility("hidden"), gnu::used]] void steelyard_fork_call(kmp::ident* where, std::int32_t count,
                                                                             kmp::microtask body, ...) {
  site& at = site_of(CALLER, kmp::api, kmp::source_of(where));
  auto* const native = at.native->entry<kmp::fork_type>(kmp::fork_call);
  if (count > kmp::large) {
    say("a parallel region shares more than %d variables, which is more than this library passes on", kmp::large);
    count = kmp::large;
  }
  kmp::forked of(body, count);
  void** arguments = of.few;
  if (count > kmp::small) {
    of.many = static_cast<void**>(__builtin_alloca(static_cast<std::size_t>(kmp::rounded(count)) * sizeof(void*)));
    arguments = of.many;
  }
  std::va_list list;
  va_start(list, body);
  for (int i = 0; i < count; ++i) arguments[i] = va_arg(list, void*);
  va_end(list);
  if (!config.active) {
    return kmp::with_all(of, [&](auto... each) { native(where, count, body, each...); });
  }
  kmp::in_fork(of.team, at, body, [&] { native(where, 1, kmp::run_member, &of); });
}

STEELYARD_EXPORT void __kmpc_fork_call_if(kmp::ident* where, std::int32_t count, kmp::microtask body,
                                          std::int32_t condition, void* argument) {
  fork_or<kmp::api, kmp::fork_call_if, kmp::fork_if>(CALLER, body, where, count, body, condition, argument);
}

STEELYARD_EXPORT void __kmpc_serialized_parallel(kmp::ident* where, std::int32_t thread) {
  kmp::serialized_or<kmp::serialized_parallel, kmp::begin_serialized>(CALLER, where, thread);
}

STEELYARD_EXPORT void __kmpc_end_serialized_parallel(kmp::ident* where, std::int32_t thread) {
  kmp::serialized_or<kmp::end_serialized_parallel, kmp::end_serialized>(CALLER, where, thread);
}
