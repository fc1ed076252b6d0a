// SPDX-License-Identifier: Apache-2.0
// libgomp's work-sharing loops: GOMP_loop_*. Calls that are not ours go on to the caller's runtime.
#include "openmp/gomp/loop.hpp"

#include "openmp/host/export.hpp"
#include "openmp/team/forward.hpp"
#include "openmp/team/waits.hpp"

namespace steelyard::openmp::gomp {

bool start(site& at, way w, std::uint64_t chunk, const bounds& loop) noexcept {
  implicit_task& in = current_implicit_task();
  const request wanted{&at, stated(w), chunk, monotonic(w), loop};
  if (!seen(in, *at.native)) {
    hide(in, wanted, true);
    return false;
  }
  if (in.members == 0) learn_team(in);
  const decision how = decide(wanted, in);
  if (how.schedule != nullptr) {
    enter(in, wanted, how);
    return true;
  }
  observe(in, wanted, how.reason);
  return false;
}

namespace {

using start_chunked = bool(long, long, long, long, long*, long*);
using start_runtime = bool(long, long, long, long*, long*);
using next = bool(long*, long*);
using ull = unsigned long long;
using ull_start_chunked = bool(bool, ull, ull, ull, ull, ull*, ull*);
using ull_start_runtime = bool(bool, ull, ull, ull, ull*, ull*);
using ull_next_type = bool(ull*, ull*);

template <way W>
[[gnu::noinline]] bool chunked(long first, long last, long step, long chunk, long* istart, long* iend) {
  site& at = site_of(self.caller, api);
  auto* const native = at.native;
  if (!config.active) return native->entry<start_chunked>(loop_start + W)(first, last, step, chunk, istart, iend);
  if (start(at, W, written_chunk(chunk), signed_bounds(first, last, step))) {
    return next_chunk(self.top->loop, istart, iend);
  }
  return observed_next(api, native->entry<start_chunked>(loop_start + W)(first, last, step, chunk, istart, iend));
}

template <way W>
[[gnu::noinline]] bool by_runtime(long first, long last, long step, long* istart, long* iend) {
  site& at = site_of(self.caller, api);
  auto* const native = at.native;
  if (!config.active) return native->entry<start_runtime>(loop_start + W)(first, last, step, istart, iend);
  if (start(at, W, 0, signed_bounds(first, last, step))) return next_chunk(self.top->loop, istart, iend);
  return observed_next(api, native->entry<start_runtime>(loop_start + W)(first, last, step, istart, iend));
}

template <way W>
[[gnu::noinline]] bool ull_chunked(bool up, ull first, ull last, ull step, ull chunk, ull* istart, ull* iend) {
  site& at = site_of(self.caller, api);
  auto* const native = at.native;
  if (!config.active) {
    return native->entry<ull_start_chunked>(ull_start + W)(up, first, last, step, chunk, istart, iend);
  }
  if (start(at, W, chunk, unsigned_bounds(up, first, last, step))) return next_chunk(self.top->loop, istart, iend);
  return observed_next(api,
                       native->entry<ull_start_chunked>(ull_start + W)(up, first, last, step, chunk, istart, iend));
}

template <way W>
[[gnu::noinline]] bool ull_by_runtime(bool up, ull first, ull last, ull step, ull* istart, ull* iend) {
  site& at = site_of(self.caller, api);
  auto* const native = at.native;
  if (!config.active) return native->entry<ull_start_runtime>(ull_start + W)(up, first, last, step, istart, iend);
  if (start(at, W, 0, unsigned_bounds(up, first, last, step))) return next_chunk(self.top->loop, istart, iend);
  return observed_next(api, native->entry<ull_start_runtime>(ull_start + W)(up, first, last, step, istart, iend));
}

template <way W>
[[gnu::noinline]] bool next_of(long* istart, long* iend) {
  const runtime& native = *site_of(self.caller, api).native;
  if (running* const loop = taken_by(api, native); loop != nullptr) return next_chunk(*loop, istart, iend);
  return observed_next(api, native.entry<next>(loop_next + W)(istart, iend));
}

template <way W>
[[gnu::noinline]] bool ull_next_of(ull* istart, ull* iend) {
  const runtime& native = *site_of(self.caller, api).native;
  if (running* const loop = taken_by(api, native); loop != nullptr) return next_chunk(*loop, istart, iend);
  return observed_next(api, native.entry<ull_next_type>(ull_next + W)(istart, iend));
}

/// The end of a loop that this thread may be in: ours ends here, others at their runtime.
bool left_ours(const runtime& native) noexcept {
  implicit_task* const in = self.top;
  if (in == nullptr || (in->hiding && !seen(*in, native))) return false;
  const bool ours = self.taken != nullptr;
  if (ours || in->loop.from == source::observed) leave(*in);
  return ours;
}

[[gnu::noinline]] void end_of() {
  site& at = site_of(self.caller, api);
  const bool ours = config.active && left_ours(*at.native);
  at_barrier(*at.native, at.native->entry<void()>(ours ? barrier : loop_end));
}

[[gnu::noinline]] void end_nowait_of() {
  site& at = site_of(self.caller, api);
  if (config.active && left_ours(*at.native)) return;
  at.native->entry<void()>(loop_end_nowait)();
}

[[gnu::noinline]] bool end_cancel_of() {
  site& at = site_of(self.caller, api);
  const bool ours = config.active && left_ours(*at.native);
  return at_barrier(*at.native, at.native->entry<bool()>(ours ? barrier_cancel : loop_end_cancel));
}

}  // namespace
}  // namespace steelyard::openmp::gomp

using namespace steelyard::openmp;
using gomp::ull;

#define CALLER __builtin_return_address(0)

// One set of functions per way of stating the schedule (see gomp::way).
#define STEELYARD_CHUNKED(name, way)                                                                                \
  STEELYARD_EXPORT bool GOMP_loop_##name##_start(long first, long end, long step, long chunk, long* istart,         \
                                                 long* iend) {                                                      \
    return forward_or<gomp::api, gomp::loop_start + gomp::way, gomp::chunked<gomp::way>>(CALLER, first, end, step,  \
                                                                                         chunk, istart, iend);      \
  }                                                                                                                 \
  STEELYARD_EXPORT bool GOMP_loop_ull_##name##_start(bool up, ull first, ull end, ull step, ull chunk, ull* istart, \
                                                     ull* iend) {                                                   \
    return forward_or<gomp::api, gomp::ull_start + gomp::way, gomp::ull_chunked<gomp::way>>(                        \
        CALLER, up, first, end, step, chunk, istart, iend);                                                         \
  }

#define STEELYARD_RUNTIME(name, way)                                                                                   \
  STEELYARD_EXPORT bool GOMP_loop_##name##_start(long first, long end, long step, long* istart, long* iend) {          \
    return forward_or<gomp::api, gomp::loop_start + gomp::way, gomp::by_runtime<gomp::way>>(CALLER, first, end, step,  \
                                                                                            istart, iend);             \
  }                                                                                                                    \
  STEELYARD_EXPORT bool GOMP_loop_ull_##name##_start(bool up, ull first, ull end, ull step, ull* istart, ull* iend) {  \
    return forward_or<gomp::api, gomp::ull_start + gomp::way, gomp::ull_by_runtime<gomp::way>>(CALLER, up, first, end, \
                                                                                               step, istart, iend);    \
  }

#define STEELYARD_NEXT(name, way)                                                                                 \
  STEELYARD_EXPORT bool GOMP_loop_##name##_next(long* istart, long* iend) {                                       \
    if (running* const loop = self.taken; loop != nullptr) return gomp::next_chunk(*loop, istart, iend);          \
    return forward_or<gomp::api, gomp::loop_next + gomp::way, gomp::next_of<gomp::way>>(CALLER, istart, iend);    \
  }                                                                                                               \
  STEELYARD_EXPORT bool GOMP_loop_ull_##name##_next(ull* istart, ull* iend) {                                     \
    if (running* const loop = self.taken; loop != nullptr) return gomp::next_chunk(*loop, istart, iend);          \
    return forward_or<gomp::api, gomp::ull_next + gomp::way, gomp::ull_next_of<gomp::way>>(CALLER, istart, iend); \
  }

STEELYARD_CHUNKED(dynamic, dynamic)
STEELYARD_CHUNKED(guided, guided)
STEELYARD_CHUNKED(nonmonotonic_dynamic, nonmonotonic_dynamic)
STEELYARD_CHUNKED(nonmonotonic_guided, nonmonotonic_guided)
STEELYARD_RUNTIME(runtime, runtime_)
STEELYARD_RUNTIME(nonmonotonic_runtime, nonmonotonic_runtime)
STEELYARD_RUNTIME(maybe_nonmonotonic_runtime, maybe_nonmonotonic_runtime)
STEELYARD_NEXT(dynamic, dynamic)
STEELYARD_NEXT(guided, guided)
STEELYARD_NEXT(runtime, runtime_)
STEELYARD_NEXT(nonmonotonic_dynamic, nonmonotonic_dynamic)
STEELYARD_NEXT(nonmonotonic_guided, nonmonotonic_guided)
STEELYARD_NEXT(nonmonotonic_runtime, nonmonotonic_runtime)
STEELYARD_NEXT(maybe_nonmonotonic_runtime, maybe_nonmonotonic_runtime)

STEELYARD_EXPORT void GOMP_loop_end() { forward_or<gomp::api, gomp::loop_end, gomp::end_of>(CALLER); }

STEELYARD_EXPORT void GOMP_loop_end_nowait() {
  forward_or<gomp::api, gomp::loop_end_nowait, gomp::end_nowait_of>(CALLER);
}

STEELYARD_EXPORT bool GOMP_loop_end_cancel() {
  return forward_or<gomp::api, gomp::loop_end_cancel, gomp::end_cancel_of>(CALLER);
}
