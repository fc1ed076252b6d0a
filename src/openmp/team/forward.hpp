// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "openmp/program/settings.hpp"
#include "openmp/program/site.hpp"
#include "openmp/team/passing.hpp"
#include "openmp/team/team.hpp"

namespace steelyard::openmp {

/// Where callers may reach several runtimes, or something is to be done.
template <std::size_t Slot, auto Careful, need Why, class... Arguments>
[[gnu::always_inline]] inline auto forward_by_caller(void* caller, Arguments&... arguments) {
  using native = decltype(Careful(arguments...))(Arguments...);
  if (!(Why == need::anything ? config.active : config.reporting)) {
    const site* const known = site_in_slot(caller);
    if (known != nullptr) return known->native->template entry<native>(Slot)(arguments...);
  }
  self.caller = caller;
  return Careful(arguments...);
}

/// A call of the ABI at its shortest: with nothing to do in this process, and one runtime for all callers or the caller known, it
/// becomes a jump to the runtime's own function. Everything else goes to `Careful`, which finds the return address in
/// `self.caller`: with the same arguments in the same places, the compiler moves none of them on the short way.
template <abi& Of, std::size_t Slot, auto Careful, need Why = need::anything, class... Arguments>
[[gnu::always_inline]] inline auto forward_or(void* caller, Arguments&... arguments) {
  using native = decltype(Careful(arguments...))(Arguments...);
  const runtime* const direct = direct_runtime(Of, Why);
  if (__builtin_expect(direct != nullptr, 1)) return direct->template entry<native>(Slot)(arguments...);
  return forward_by_caller<Slot, Careful, Why>(caller, arguments...);
}

/// The same of a region's fork. One that may pass becomes a jump, too.
template <abi& Of, std::size_t Slot, auto Careful, class Body, class... Arguments>
[[gnu::always_inline]] inline auto fork_or(void* caller, Body body, Arguments&... arguments) {
  using native = decltype(Careful(arguments...))(Arguments...);
  const runtime* const direct = direct_runtime(Of, need::anything);
  if (__builtin_expect(direct != nullptr, 1)) return direct->template entry<native>(Slot)(arguments...);
  if (may_pass(reinterpret_cast<const void*>(body)))
    return only_runtime(Of)->template entry<native>(Slot)(arguments...);
  return forward_by_caller<Slot, Careful, need::anything>(caller, arguments...);
}

}  // namespace steelyard::openmp
