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
  if (loaded_runtime() == nullptr) return let_strangers_answer();
  if (dlsym(RTLD_NEXT, "omp_get_thread_num") != nullptr) of_process = queries_in(RTLD_NEXT);
}

}  // namespace steelyard::openmp

using namespace steelyard::openmp;

#define CALLER __builtin_return_address(0)

// Fortran's names of a function end in an underscore, and its arguments are references, to 4 or 8 bytes.
#define STEELYARD_QUERY(name, note, which)                               \
  STEELYARD_EXPORT int name() { return asked_by<note>(CALLER).which(); } \
  STEELYARD_EXPORT int name##_() { return asked_by<note>(CALLER).which(); }
#define STEELYARD_QUERY_OF_LEVEL(name, note, which)                                                        \
  STEELYARD_EXPORT int name(int level) { return asked_by<note>(CALLER).which(level); }                     \
  STEELYARD_EXPORT int name##_(const std::int32_t* level) { return asked_by<note>(CALLER).which(*level); } \
  STEELYARD_EXPORT int name##_8_(const std::int64_t* level) {                                              \
    return asked_by<note>(CALLER).which(static_cast<int>(*level));                                         \
  }

STEELYARD_QUERY(omp_get_thread_num, note_query, thread_num)
STEELYARD_QUERY(omp_get_num_threads, note_query, num_threads)
STEELYARD_QUERY_OF_LEVEL(omp_get_team_size, note_query_of_all, team_size)
STEELYARD_QUERY_OF_LEVEL(omp_get_ancestor_thread_num, note_query_of_all, ancestor_thread_num)
