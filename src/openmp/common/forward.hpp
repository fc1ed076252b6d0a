// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "openmp/common/settings.hpp"
#include "openmp/common/site.hpp"
#include "openmp/common/team.hpp"

namespace steelyard::openmp {

/// A call of the ABI at its shortest: with nothing to do in this process, and the caller known, it becomes a jump to the
/// runtime's own function. Everything else goes to `Careful`, which finds the return address in `self.caller`: with the
/// same arguments in the same places, the compiler moves none of them on the short way.
/// `Needed` is the setting without which there is nothing to do.
template <std::size_t Slot, auto Careful, bool settings::*Needed = &settings::active, class... Arguments>
[[gnu::always_inline]] inline auto forward_or(void* caller, Arguments&... arguments) {
  using result = decltype(Careful(arguments...));
  if (__builtin_expect(!(config.*Needed), 1)) {
    const auto key = reinterpret_cast<std::uintptr_t>(caller);
    const site* const known = slots[slot_of(key)].load(sync::acquire, sync::site{"T1"});
    if (__builtin_expect(known != nullptr && known->address == key, 1)) {
      return known->native->template entry<result(Arguments...)>(Slot)(arguments...);
    }
  }
  self.caller = caller;
  return Careful(arguments...);
}

}  // namespace steelyard::openmp
