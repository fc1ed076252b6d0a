// SPDX-License-Identifier: Apache-2.0
// libgomp's parallel regions: GOMP_parallel*. When active, the program's outlined function is called through one of
// ours, which gives each member an implicit task: the identity of its team.
#include <cstddef>

#include "openmp/gomp/loop.hpp"
#include "openmp/host/export.hpp"
#include "openmp/loop/region.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/team/forward.hpp"
#include "support/cache_line.hpp"

namespace steelyard::openmp::gomp {
namespace {

using outlined = void (*)(void*);
using parallel_type = void(outlined, void*, unsigned, unsigned);
using reductions_type = unsigned(outlined, void*, unsigned, unsigned);
using loop_chunked_type = void(outlined, void*, unsigned, long, long, long, long, unsigned);
using loop_runtime_type = void(outlined, void*, unsigned, long, long, long, unsigned);

/// A region as GOMP_parallel forks it. A member begins with what stands in its first line.
struct alignas(support::line_size) forked {
  void* word0;  ///< libgomp reads the reductions' descriptor from the first word of a region's data
  outlined body;
  void* data;
  region team{};
  const request* combined = nullptr;  ///< the loop of a combined `parallel for` that starts with the region
  decision how{};                     ///< for that loop
};
static_assert(offsetof(forked, word0) == 0 && offsetof(forked, team) + offsetof(region, loops) <= support::line_size);

void run_member(void* data) {
  auto& of = *static_cast<forked*>(data);
  implicit_task member;
  push(member, &of.team, of.team.at->native);
  of.body(of.data);
  pop(member);
}

/// A member of a combined region whose loop is ours: its body begins with `next`.
void run_taking_member(void* data) {
  auto& of = *static_cast<forked*>(data);
  implicit_task member;
  push(member, &of.team, of.team.at->native);
  learn_team(member);
  enter(member, *of.combined, of.how);
  of.body(of.data);
  pop(member);
}

/// A member of a combined region whose loop the runtime schedules.
void run_observing_member(void* data) {
  auto& of = *static_cast<forked*>(data);
  implicit_task member;
  push(member, &of.team, of.team.at->native);
  learn_team(member);
  observe(member, *of.combined, of.how.reason);
  of.body(of.data);
  pop(member);
}

/// Forks a combined region: through GOMP_parallel when its loop is ours, else as `native` does, given the body to run.
template <class Native>
void fork_combined(request& loop, outlined body, void* data, unsigned threads, unsigned flags, Native native) {
  forked of{nullptr, body, data, {}, &loop, decide(loop, implicit_task{})};
  open_region(of.team, *loop.at, reinterpret_cast<const void*>(body));
  if (chooses_schedule(of.how.schedule)) loop.at->body.set(reinterpret_cast<const void*>(body));
  of.team.served.set(loop.stated == clause::runtime);  // what that means may change from one region to the next
  if (of.how.schedule != nullptr) {
    loop.at->native->entry<parallel_type>(parallel)(run_taking_member, &of, threads, flags);
  } else {
    native(run_observing_member, &of);
  }
  close_region(of.team);
}

template <way W>
[[gnu::noinline]] void loop_chunked(outlined body, void* data, unsigned threads, long first, long end, long step,
                                    long chunk, unsigned flags) {
  site& at = site_of(self.caller, api);
  auto* const native = at.native->entry<loop_chunked_type>(parallel_loop + W);
  if (!config.active) return native(body, data, threads, first, end, step, chunk, flags);
  request loop{&at, stated(W), written_chunk(chunk), monotonic(W), signed_bounds(first, end, step)};
  fork_combined(loop, body, data, threads, flags, [&](outlined member, void* region) {
    native(member, region, threads, first, end, step, chunk, flags);
  });
}

template <way W>
[[gnu::noinline]] void loop_by_runtime(outlined body, void* data, unsigned threads, long first, long end, long step,
                                       unsigned flags) {
  site& at = site_of(self.caller, api);
  auto* const native = at.native->entry<loop_runtime_type>(parallel_loop + W);
  if (!config.active) return native(body, data, threads, first, end, step, flags);
  request loop{&at, stated(W), 0, monotonic(W), signed_bounds(first, end, step)};
  fork_combined(loop, body, data, threads, flags,
                [&](outlined member, void* region) { native(member, region, threads, first, end, step, flags); });
}

[[gnu::noinline]] void fork(outlined body, void* data, unsigned threads, unsigned flags) {
  site& at = site_of(self.caller, api);
  auto* const native = at.native->entry<parallel_type>(parallel);
  if (!config.active) return native(body, data, threads, flags);
  forked of{nullptr, body, data};
  open_region(of.team, at, reinterpret_cast<const void*>(body));
  native(run_member, &of, threads, flags);
  close_region(of.team);
}

[[gnu::noinline]] unsigned fork_reductions(outlined body, void* data, unsigned threads, unsigned flags) {
  site& at = site_of(self.caller, api);
  auto* const native = at.native->entry<reductions_type>(parallel_reductions);
  if (!config.active) return native(body, data, threads, flags);
  forked of{*static_cast<void**>(data), body, data};
  open_region(of.team, at, reinterpret_cast<const void*>(body));
  const unsigned used = native(run_member, &of, threads, flags);
  close_region(of.team);
  return used;
}

}  // namespace
}  // namespace steelyard::openmp::gomp

using namespace steelyard::openmp;

#define CALLER __builtin_return_address(0)

STEELYARD_EXPORT void GOMP_parallel(gomp::outlined body, void* data, unsigned threads, unsigned flags) {
  fork_or<gomp::api, gomp::parallel, gomp::fork>(CALLER, body, body, data, threads, flags);
}

STEELYARD_EXPORT unsigned GOMP_parallel_reductions(gomp::outlined body, void* data, unsigned threads, unsigned flags) {
  return forward_or<gomp::api, gomp::parallel_reductions, gomp::fork_reductions>(CALLER, body, data, threads, flags);
}

#define STEELYARD_PARALLEL_CHUNKED(name)                                                                         \
  STEELYARD_EXPORT void GOMP_parallel_loop_##name(gomp::outlined body, void* data, unsigned threads, long first, \
                                                  long end, long step, long chunk, unsigned flags) {             \
    fork_or<gomp::api, gomp::parallel_loop + gomp::name, gomp::loop_chunked<gomp::name>>(                        \
        CALLER, body, body, data, threads, first, end, step, chunk, flags);                                      \
  }

#define STEELYARD_PARALLEL_RUNTIME(name, way)                                                                    \
  STEELYARD_EXPORT void GOMP_parallel_loop_##name(gomp::outlined body, void* data, unsigned threads, long first, \
                                                  long end, long step, unsigned flags) {                         \
    fork_or<gomp::api, gomp::parallel_loop + gomp::way, gomp::loop_by_runtime<gomp::way>>(                       \
        CALLER, body, body, data, threads, first, end, step, flags);                                             \
  }

STEELYARD_PARALLEL_CHUNKED(dynamic)
STEELYARD_PARALLEL_CHUNKED(guided)
STEELYARD_PARALLEL_CHUNKED(nonmonotonic_dynamic)
STEELYARD_PARALLEL_CHUNKED(nonmonotonic_guided)
STEELYARD_PARALLEL_RUNTIME(runtime, runtime_)
STEELYARD_PARALLEL_RUNTIME(nonmonotonic_runtime, nonmonotonic_runtime)
STEELYARD_PARALLEL_RUNTIME(maybe_nonmonotonic_runtime, maybe_nonmonotonic_runtime)
