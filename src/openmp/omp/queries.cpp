// SPDX-License-Identifier: Apache-2.0
// A region that asks which of its threads this is, or how many there are, may deal out work by the answer, beside or instead of its
// loops. The calls pass; the region keeps equal blocks from its next instance on (shares/shares.md).
#include "openmp/host/export.hpp"
#include "openmp/omp/names.hpp"
#include "openmp/shares/static_loop.hpp"
#include "openmp/team/forward.hpp"

namespace steelyard::openmp::omp {
namespace {

template <std::size_t Slot, class... Arguments>
[[gnu::noinline]] int query(Arguments... arguments) {
  const runtime& native = *site_of(self.caller, api).native;
  if (config.shares) note_query();
  return native.entry<int(Arguments...)>(Slot)(arguments...);
}

}  // namespace
}  // namespace steelyard::openmp::omp

using namespace steelyard::openmp;

#define CALLER __builtin_return_address(0)

STEELYARD_EXPORT int omp_get_thread_num() {
  return forward_or<omp::get_thread_num, omp::query<omp::get_thread_num>, &settings::shares>(CALLER);
}

STEELYARD_EXPORT int omp_get_num_threads() {
  return forward_or<omp::get_num_threads, omp::query<omp::get_num_threads>, &settings::shares>(CALLER);
}

STEELYARD_EXPORT int omp_get_team_size(int level) {
  return forward_or<omp::get_team_size, omp::query<omp::get_team_size, int>, &settings::shares>(CALLER, level);
}

STEELYARD_EXPORT int omp_get_ancestor_thread_num(int level) {
  return forward_or<omp::get_ancestor_thread_num, omp::query<omp::get_ancestor_thread_num, int>, &settings::shares>(
      CALLER, level);
}
