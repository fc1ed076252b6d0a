// SPDX-License-Identifier: Apache-2.0
// libomp's dynamically scheduled loops: __kmpc_dispatch_*. Calls that are not ours go on to the caller's runtime.
#include <type_traits>

#include "openmp/host/export.hpp"
#include "openmp/kmp/bounds.hpp"
#include "openmp/kmp/names.hpp"
#include "openmp/loop/loop.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/shares/static_loop.hpp"
#include "openmp/team/forward.hpp"

namespace steelyard::openmp::kmp {
namespace {

using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

template <class T>
using init_type = void(ident*, i32, i32, T, T, std::make_signed_t<T>, std::make_signed_t<T>);
template <class T>
using next_type = int(ident*, i32, i32*, T*, T*, std::make_signed_t<T>*);

constexpr i32 monotonic_bit = 1 << 29;
constexpr i32 nonmonotonic_bit = 1 << 30;
constexpr i32 modifiers = monotonic_bit | nonmonotonic_bit;
constexpr i32 static_steal = 44;  // what plain dynamic becomes in libomp

/// libomp's numbers of the schedules that can be taken; everything else (ordered, simd, …) is the runtime's.
clause clause_of(i32 schedule) noexcept {
  switch (schedule & ~modifiers) {
    case 35:
    case static_steal:
      return clause::dynamic;
    case 36:
      return clause::guided;
    case 37:
      return clause::runtime;
    case 38:
      return clause::automatic;
    case 39:
      return clause::trapezoidal;
    default:
      return (schedule & ~modifiers) >= 64 && (schedule & ~modifiers) < 72 ? clause::ordered : clause::other;
  }
}

/// Whether the program may rely on increasing iterations. Compilers for OpenMP 5.0 and later say so with a bit, or its
/// opposite with another; with neither, as libomp has it, those for earlier versions mean it.
bool monotonic(const ident* where, i32 schedule) noexcept {
  constexpr u32 openmp_5 = 50;
  constexpr unsigned version_shift = 24;
  if ((schedule & monotonic_bit) != 0) return true;
  if ((schedule & nonmonotonic_bit) != 0 || (schedule & ~modifiers) == static_steal || config.old_names) return false;
  return where != nullptr && static_cast<u32>(where->flags) >> version_shift < openmp_5;
}

/// Starts a loop on this thread. True: it is ours. False: call the runtime's own init.
bool start(site& at, clause stated, u64 chunk, bool ascending, const bounds& loop, bool takeable) noexcept {
  implicit_task& in = current_implicit_task();
  const bool doacross = in.doacross;
  in.doacross = false;
  const request wanted{&at, doacross ? clause::doacross : stated, chunk, ascending, loop};
  if (!seen(in, *at.native)) {
    hide(in, wanted, takeable && !doacross);
    return false;
  }
  if (self.taken == &in.loop) leave(in);  // a cancelled loop ends without a last `next`
  in.skip_deinit = false;
  if (in.members == 0) learn_team(in);
  if (doacross || !takeable) {
    note_own_blocks(in);
    const char* const reason = doacross ? "doacross" : stated == clause::ordered ? "ordered" : "not dispatched freely";
    observe(in, wanted, reason);
    return false;
  }
  const decision how = decide(wanted, in);
  if (how.schedule == nullptr) {
    observe(in, wanted, how.reason);
    return false;
  }
  enter(in, wanted, how);
  in.skip_deinit = true;
  return true;
}

template <class T>
[[gnu::noinline]] void init(ident* where, i32 thread, i32 schedule, T lower, T upper, std::make_signed_t<T> step,
                            std::make_signed_t<T> chunk) {
  site& at = site_of(self.caller, api, source_of(where));
  if (config.active) {
    const bounds loop = bounds_of(lower, upper, step);
    const clause stated = clause_of(schedule);
    const bool takeable = stated != clause::ordered && stated != clause::other && countable(loop, lower, upper, step);
    const u64 stated_chunk = chunk > 0 && stated != clause::runtime ? static_cast<u64>(chunk) : 0;
    if (start(at, stated, stated_chunk, monotonic(where, schedule), loop, takeable)) return;
  }
  at.native->entry<init_type<T>>(dispatch_init + width_of<T>)(where, thread, schedule, lower, upper, step, chunk);
}

/// The next chunk of the loop of ours this thread is in: inclusive bounds, and whether it holds the final iteration. Its
/// arguments are those of the call it answers: none is moved on the way here, nor before a call that only passes.
template <class T>
[[gnu::noinline]] int next_chunk(ident* where, i32 thread, i32* last, T* lower, T* upper,
                                 std::make_signed_t<T>* step) noexcept {
  asm volatile("" : : "r"(where), "r"(thread));  // else compilers drop them, and move the others
  running& loop = *self.taken;
  range got;
  if (!hand_out(loop, got, self.top->number)) {
    leave(*self.top);
    return 0;
  }
  const bounds& of = loop.loop;
  *lower = static_cast<T>(of.start + got.first * of.increment);
  *upper = static_cast<T>(of.start + (got.first + got.count - 1) * of.increment);
  if (step != nullptr) *step = static_cast<std::make_signed_t<T>>(of.increment);
  if (last != nullptr) *last = got.first + got.count == of.iterations ? 1 : 0;
  return 1;
}

template <class T>
[[gnu::noinline]] int next(ident* where, i32 thread, i32* last, T* lower, T* upper, std::make_signed_t<T>* step) {
  const runtime& native = *site_of(self.caller, api, source_of(where)).native;
  if (taken_by(api, native) != nullptr) return next_chunk(where, thread, last, lower, upper, step);
  const int more = native.entry<next_type<T>>(dispatch_next + width_of<T>)(where, thread, last, lower, upper, step);
  observed_next(api, more != 0);
  return more;
}

[[gnu::noinline]] void deinit(ident* where, i32 thread) {
  const runtime& native = *site_of(self.caller, api, source_of(where)).native;
  implicit_task* const in = self.top;
  if (in != nullptr && in->skip_deinit && (!in->hiding || seen(*in, native))) {
    in->skip_deinit = false;
    return;
  }
  native.entry<void(ident*, i32)>(dispatch_deinit)(where, thread);
}

[[gnu::noinline]] void init_doacross(ident* where, i32 thread, i32 dimensions, const void* ends) {
  if (config.active) current_implicit_task().doacross = true;
  site& at = site_of(self.caller, api, source_of(where));
  at.native->entry<void(ident*, i32, i32, const void*)>(doacross_init)(where, thread, dimensions, ends);
}

[[gnu::noinline]] void fini_doacross(ident* where, i32 thread) {
  if (config.active) current_implicit_task().doacross = false;
  site_of(self.caller, api, source_of(where)).native->entry<void(ident*, i32)>(doacross_fini)(where, thread);
}

}  // namespace
}  // namespace steelyard::openmp::kmp

using namespace steelyard::openmp;

#define CALLER __builtin_return_address(0)

// One set of functions per counter type; S is its signed form.
#define STEELYARD_DISPATCH(suffix, T, S)                                                                              \
  STEELYARD_EXPORT void __kmpc_dispatch_init_##suffix(kmp::ident* where, std::int32_t thread, std::int32_t schedule,  \
                                                      T lower, T upper, S step, S chunk) {                            \
    forward_or<kmp::api, kmp::dispatch_init + kmp::width_of<T>, kmp::init<T>>(CALLER, where, thread, schedule, lower, \
                                                                              upper, step, chunk);                    \
  }                                                                                                                   \
  STEELYARD_EXPORT int __kmpc_dispatch_next_##suffix(kmp::ident* where, std::int32_t thread, std::int32_t* last,      \
                                                     T* lower, T* upper, S* step) {                                   \
    running* const loop = self.taken;                                                                                 \
    if (loop != nullptr && loop->at->api == &kmp::api)                                                                \
      return kmp::next_chunk(where, thread, last, lower, upper, step);                                                \
    return forward_or<kmp::api, kmp::dispatch_next + kmp::width_of<T>, kmp::next<T>>(CALLER, where, thread, last,     \
                                                                                     lower, upper, step);             \
  }

STEELYARD_DISPATCH(4, std::int32_t, std::int32_t)
STEELYARD_DISPATCH(4u, std::uint32_t, std::int32_t)
STEELYARD_DISPATCH(8, std::int64_t, std::int64_t)
STEELYARD_DISPATCH(8u, std::uint64_t, std::int64_t)

// Clang 19 and later undo a dispatch after the loop; the runtime never saw that of a loop of ours.
STEELYARD_EXPORT void __kmpc_dispatch_deinit(kmp::ident* where, std::int32_t thread) {
  forward_or<kmp::api, kmp::dispatch_deinit, kmp::deinit>(CALLER, where, thread);
}

// A doacross loop is dispatched as a plain dynamic one; only this call before it tells them apart.
STEELYARD_EXPORT void __kmpc_doacross_init(kmp::ident* where, std::int32_t thread, std::int32_t dimensions,
                                           const void* ends) {
  forward_or<kmp::api, kmp::doacross_init, kmp::init_doacross>(CALLER, where, thread, dimensions, ends);
}

STEELYARD_EXPORT void __kmpc_doacross_fini(kmp::ident* where, std::int32_t thread) {
  forward_or<kmp::api, kmp::doacross_fini, kmp::fini_doacross>(CALLER, where, thread);
}
