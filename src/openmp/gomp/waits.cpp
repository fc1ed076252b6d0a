// SPDX-License-Identifier: Apache-2.0
// libgomp's calls in which the members of a team wait for each other; those that end a loop are in loop.cpp. They pass,
// and when reporting, they are where a stretch ends (team/stretches.md).
#include "openmp/team/waits.hpp"
#include "openmp/gomp/names.hpp"
#include "openmp/host/export.hpp"
#include "openmp/team/forward.hpp"

namespace steelyard::openmp::gomp {
namespace {

template <class Result, std::size_t Slot, class... Arguments>
[[gnu::noinline]] Result wait(Arguments... arguments) {
  const runtime& native = *site_of(self.caller, api).native;
  return at_barrier(native, [&] { return native.entry<Result(Arguments...)>(Slot)(arguments...); });
}

/// Who is to execute the `single` gets nothing, at once; the others wait here for what it copies.
[[gnu::noinline]] void* start_single_copy() {
  const runtime& native = *site_of(self.caller, api).native;
  implicit_task* const in = waits(native);
  const std::uint64_t came = in != nullptr ? now() : 0;
  void* const copied = native.entry<void*()>(single_copy_start)();
  if (in != nullptr && copied != nullptr) {
    end_stretch(*in, came);
    begin_stretch(*in);
  }
  return copied;
}

}  // namespace
}  // namespace steelyard::openmp::gomp

using namespace steelyard::openmp;

#define CALLER __builtin_return_address(0)

#define STEELYARD_WAIT(Result, name, slot)                                                           \
  STEELYARD_EXPORT Result GOMP_##name() {                                                            \
    return forward_or<gomp::api, gomp::slot, gomp::wait<Result, gomp::slot>, need::reports>(CALLER); \
  }

STEELYARD_WAIT(void, barrier, barrier)
STEELYARD_WAIT(bool, barrier_cancel, barrier_cancel)
STEELYARD_WAIT(void, sections_end, sections_end)
STEELYARD_WAIT(bool, sections_end_cancel, sections_end_cancel)

STEELYARD_EXPORT void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  constexpr auto careful = gomp::wait<void, gomp::task_reduction_end, bool>;
  forward_or<gomp::api, gomp::task_reduction_end, careful, need::reports>(CALLER, cancelled);
}

STEELYARD_EXPORT void* GOMP_single_copy_start() {
  return forward_or<gomp::api, gomp::single_copy_start, gomp::start_single_copy, need::reports>(CALLER);
}

STEELYARD_EXPORT void GOMP_single_copy_end(void* data) {
  constexpr auto careful = gomp::wait<void, gomp::single_copy_end, void*>;
  forward_or<gomp::api, gomp::single_copy_end, careful, need::reports>(CALLER, data);
}
