// SPDX-License-Identifier: Apache-2.0
// A region that asks which of its threads this is, or how many there are, may deal out work by the answer, beside or instead of its
// loops. The calls pass; the region keeps equal blocks from its next instance on (shares/shares.md).
#include "openmp/omp/queries.hpp"

#include <dlfcn.h>

#include "openmp/gomp/names.hpp"
#include "openmp/host/export.hpp"
#include "openmp/kmp/names.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/shares/static_loop.hpp"

namespace steelyard::openmp {
namespace {

/// Those of the runtime that the process was started with.
constinit runtime::queries of_process{};

/// Outside of regions that we know every runtime gives the same answer, unless it has a team of its own there. So that which a
/// program would have been bound to goes before, and one that came later is found through whoever called it, or calls now.
const runtime::queries& outside(const void* caller) noexcept {
  if (of_process.thread_num != nullptr) return of_process;
  for (const abi* api : {&gomp::api, &kmp::api}) {
    if (const runtime* const known = first_runtime(*api); known != nullptr) return known->asks;
  }
  return runtime_of(gomp::api, caller)->asks;
}

/// Of the region that this thread is in, which is noted to ask by `Note`; else of the process.
template <auto Note>
[[gnu::always_inline]] inline const runtime::queries& asked_by(const void* caller) noexcept {
  const implicit_task* const in = self.top;
  if (in == nullptr || in->native == nullptr) return outside(caller);
  if (config.shares) Note(caller);
  return in->native->asks;
}

}  // namespace

const runtime::queries& native_queries(const void* caller) noexcept {
  const implicit_task* const in = self.top;
  return in != nullptr && in->native != nullptr ? in->native->asks : outside(caller);
}

bool answers_for_all(const runtime& native) noexcept { return of_process.thread_num == native.asks.thread_num; }

void find_queries() noexcept {
  if (loaded_runtime() != nullptr) of_process = queries_in(RTLD_NEXT);
}

}  // namespace steelyard::openmp

using namespace steelyard::openmp;

#define CALLER __builtin_return_address(0)

STEELYARD_EXPORT int omp_get_thread_num() { return asked_by<note_query>(CALLER).thread_num(); }

STEELYARD_EXPORT int omp_get_num_threads() { return asked_by<note_query>(CALLER).num_threads(); }

STEELYARD_EXPORT int omp_get_team_size(int level) { return asked_by<note_query_of_all>(CALLER).team_size(level); }

STEELYARD_EXPORT int omp_get_ancestor_thread_num(int level) {
  return asked_by<note_query_of_all>(CALLER).ancestor_thread_num(level);
}
