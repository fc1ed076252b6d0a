// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "openmp/program/settings.hpp"
#include "openmp/program/site.hpp"
#include "openmp/team/team.hpp"

namespace steelyard::openmp {

/// A call of the ABI at its shortest: with nothing to do in this process, and the caller known, it becomes a jump to the
/// runtime's own function. Everything else goes to `Careful`, which finds the return address in `self.caller`: with the
/// same arguments in the same places, the compiler moves none of them on the short way.
/// `Needed` is the setting without which there is nothing to do.
template <std::size_t Slot, auto Careful, bool settings::*Needed = &settings::active, class... Arguments>
[[gnu::always_inline]] inline auto forward_or(void* caller, Arguments&... arguments) {
  using result = decltype(Careful(arguments...));
  if (__builtin_expect(!(config.*Needed), 1)) {
    const site* const known = site_in_slot(caller);
    if (__builtin_expect(known != nullptr, 1)) {
      return known->native->template entry<result(Arguments...)>(Slot)(arguments...);
    }
  }
  self.caller = caller;
  return Careful(arguments...);
}

}  // namespace steelyard::openmp
