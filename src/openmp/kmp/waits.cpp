// SPDX-License-Identifier: Apache-2.0
// libomp's calls in which the members of a team wait for each other. They pass, and when reporting, they are where a
// stretch ends (team/stretches.md).
#include "openmp/team/waits.hpp"
#include "openmp/host/export.hpp"
#include "openmp/kmp/names.hpp"
#include "openmp/loop/loop.hpp"
#include "openmp/shares/at_barriers.hpp"
#include "openmp/shares/static_loop.hpp"
#include "openmp/team/forward.hpp"

namespace steelyard::openmp::kmp {
namespace {

using i32 = std::int32_t;
using combine = void (*)(void* into, void* from);
using reduce_type = i32(ident*, i32, i32, std::size_t, void*, combine, void*);

/// What the call tells of the static loops before it.
template <std::size_t Slot>
void note(implicit_task& in, const runtime& native) noexcept {
  if (Slot == reduce) return note_reduction(in, false);
  note_barrier(in);
  if (Slot == barrier && config.at_barriers && seen(in, native)) come_to_barrier(in);
}

template <class Result, std::size_t Slot, class... Arguments>
[[gnu::noinline]] Result wait(ident* where, Arguments... arguments) {
  const runtime& native = *site_of(self.caller, api, source_of(where)).native;
  if (self.top != nullptr) note<Slot>(*self.top, native);
  return at_barrier(native, [&] { return native.entry<Result(ident*, Arguments...)>(Slot)(where, arguments...); });
}

/// With a barrier by some methods of reduction, which its result does not tell.
[[gnu::noinline]] i32 reduce_without_barrier(ident* where, i32 thread, i32 count, std::size_t bytes, void* data,
                                             combine by, void* lock) {
  const runtime& native = *site_of(self.caller, api, source_of(where)).native;
  implicit_task* const in = waits(native);
  if (self.top != nullptr) note_reduction(*self.top, true);
  const std::uint64_t came = in != nullptr ? now() : 0;
  const i32 method = native.entry<reduce_type>(reduce_nowait)(where, thread, count, bytes, data, by, lock);
  if (in != nullptr) in->paused += now() - came;
  return method;
}

/// The stretch ended in `__kmpc_reduce`; by some methods the barrier is here.
[[gnu::noinline]] void finish_reduce(ident* where, i32 thread, void* lock) {
  const runtime& native = *site_of(self.caller, api, source_of(where)).native;
  implicit_task* const in = waits(native);
  native.entry<void(ident*, i32, void*)>(end_reduce)(where, thread, lock);
  if (in != nullptr) begin_stretch(*in);
}

}  // namespace
}  // namespace steelyard::openmp::kmp

using namespace steelyard::openmp;

#define CALLER __builtin_return_address(0)

namespace steelyard::openmp::kmp {
namespace {

/// What only a region has to know of whose loops something is known, unless something is reported.
template <std::size_t Slot, auto Careful, class... Arguments>
[[gnu::always_inline]] inline auto forward_or_note(void* caller, Arguments&... arguments) {
  if (__builtin_expect(!self.learns, 1)) {
    return forward_or<api, Slot, Careful, need::reports>(caller, arguments...);
  }
  self.caller = caller;
  return Careful(arguments...);
}

}  // namespace
}  // namespace steelyard::openmp::kmp

STEELYARD_EXPORT void __kmpc_barrier(kmp::ident* where, std::int32_t thread) {
  constexpr auto careful = kmp::wait<void, kmp::barrier, std::int32_t>;
  kmp::forward_or_note<kmp::barrier, careful>(CALLER, where, thread);
}

STEELYARD_EXPORT std::int32_t __kmpc_cancel_barrier(kmp::ident* where, std::int32_t thread) {
  constexpr auto careful = kmp::wait<std::int32_t, kmp::cancel_barrier, std::int32_t>;
  return kmp::forward_or_note<kmp::cancel_barrier, careful>(CALLER, where, thread);
}

STEELYARD_EXPORT void __kmpc_copyprivate(kmp::ident* where, std::int32_t thread, std::size_t bytes, void* data,
                                         kmp::combine copy, std::int32_t executed) {
  constexpr auto careful =
      kmp::wait<void, kmp::copyprivate, std::int32_t, std::size_t, void*, kmp::combine, std::int32_t>;
  forward_or<kmp::api, kmp::copyprivate, careful, need::reports>(CALLER, where, thread, bytes, data, copy, executed);
}

STEELYARD_EXPORT std::int32_t __kmpc_reduce(kmp::ident* where, std::int32_t thread, std::int32_t count,
                                            std::size_t bytes, void* data, kmp::combine by, void* lock) {
  constexpr auto careful =
      kmp::wait<std::int32_t, kmp::reduce, std::int32_t, std::int32_t, std::size_t, void*, kmp::combine, void*>;
  return kmp::forward_or_note<kmp::reduce, careful>(CALLER, where, thread, count, bytes, data, by, lock);
}

STEELYARD_EXPORT std::int32_t __kmpc_reduce_nowait(kmp::ident* where, std::int32_t thread, std::int32_t count,
                                                   std::size_t bytes, void* data, kmp::combine by, void* lock) {
  return kmp::forward_or_note<kmp::reduce_nowait, kmp::reduce_without_barrier>(CALLER, where, thread, count, bytes,
                                                                               data, by, lock);
}

STEELYARD_EXPORT void __kmpc_end_reduce(kmp::ident* where, std::int32_t thread, void* lock) {
  forward_or<kmp::api, kmp::end_reduce, kmp::finish_reduce, need::reports>(CALLER, where, thread, lock);
}
