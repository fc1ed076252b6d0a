// SPDX-License-Identifier: Apache-2.0
// libomp's `master` and `masked` ask which thread this is, as omp_get_thread_num does: who writes there, without a barrier, may count
// on having the first iterations. They pass; the region keeps equal blocks from its next instance on (shares/shares.md).
#include "openmp/host/export.hpp"
#include "openmp/kmp/names.hpp"
#include "openmp/shares/static_loop.hpp"
#include "openmp/team/forward.hpp"

namespace steelyard::openmp::kmp {
namespace {

template <std::size_t Slot, class... Arguments>
[[gnu::noinline]] std::int32_t ask(ident* where, Arguments... arguments) {
  const runtime& native = *site_of(self.caller, api, source_of(where)).native;
  if (config.shares && self.top != nullptr) note_query(self.caller);
  return native.entry<std::int32_t(ident*, Arguments...)>(Slot)(where, arguments...);
}

}  // namespace
}  // namespace steelyard::openmp::kmp

using namespace steelyard::openmp;

#define CALLER __builtin_return_address(0)

STEELYARD_EXPORT std::int32_t __kmpc_master(kmp::ident* where, std::int32_t thread) {
  constexpr auto careful = kmp::ask<kmp::master, std::int32_t>;
  return forward_or<kmp::api, kmp::master, careful>(CALLER, where, thread);
}

STEELYARD_EXPORT std::int32_t __kmpc_masked(kmp::ident* where, std::int32_t thread, std::int32_t filter) {
  constexpr auto careful = kmp::ask<kmp::masked, std::int32_t, std::int32_t>;
  return forward_or<kmp::api, kmp::masked, careful>(CALLER, where, thread, filter);
}
