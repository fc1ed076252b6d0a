// SPDX-License-Identifier: Apache-2.0
// libgomp's work-sharing loops that mean something a schedule must not change: ordered and doacross ones, and those with
// a task reduction, a scan or lastprivate(conditional:). They only pass, so that the report can name them, and so that
// their end is not taken for that of a loop further out.
#include "openmp/gomp/loop.hpp"
#include "openmp/host/export.hpp"
#include "openmp/shares/static_loop.hpp"
#include "openmp/team/forward.hpp"

namespace steelyard::openmp::gomp {
namespace {

using ull = unsigned long long;
using word = std::uintptr_t;

void note(site& at, clause stated, std::uint64_t chunk, const bounds& loop, const char* reason) noexcept {
  implicit_task& in = current_implicit_task();
  const request wanted{&at, stated, chunk, true, loop};
  if (seen(in, *at.native)) {
    note_own_blocks(in);
    note_passed(in, wanted, reason);
  } else {
    hide(in, wanted, false);
  }
}

/// An ordered or doacross loop.
template <clause Stated, std::size_t Slot, class... Arguments>
[[gnu::noinline]] bool pass(Arguments... arguments) {
  site& at = site_of(self.caller, api);
  if (config.active) note(at, Stated, 0, {}, Stated == clause::ordered ? "ordered" : "doacross");
  return at.native->entry<bool(Arguments...)>(Slot)(arguments...);
}

/// The clause in libgomp's number of a schedule, whose top bit says monotonic.
clause clause_of(long schedule) noexcept {
  constexpr clause clauses[] = {clause::runtime, clause::fixed, clause::dynamic, clause::guided, clause::automatic};
  const auto number = static_cast<std::size_t>(schedule & 0x7fffffff);
  return number < sizeof clauses / sizeof clauses[0] ? clauses[number] : clause::other;
}

/// Without a place for a chunk, the loop is static, and its threads only share memory.
const char* reason_of(bool chunk_wanted, const word* reductions) noexcept {
  if (reductions != nullptr) return "task reduction";
  return chunk_wanted ? "monotonic" : "scan or lastprivate(conditional:)";
}

bool pass_general(long first, long end, long step, long schedule, long chunk, long* istart, long* iend,
                  word* reductions, void** memory) {
  site& at = site_of(self.caller, api);
  if (config.active) {
    const bounds loop = istart != nullptr ? signed_bounds(first, end, step) : bounds{};
    note(at, clause_of(schedule), written_chunk(chunk), loop, reason_of(istart != nullptr, reductions));
  }
  return at.native->entry<decltype(pass_general)>(general_start)(first, end, step, schedule, chunk, istart, iend,
                                                                 reductions, memory);
}

bool pass_ull_general(bool up, ull first, ull end, ull step, long schedule, ull chunk, ull* istart, ull* iend,
                      word* reductions, void** memory) {
  site& at = site_of(self.caller, api);
  if (config.active) {
    const bounds loop = istart != nullptr ? unsigned_bounds(up, first, end, step) : bounds{};
    note(at, clause_of(schedule), chunk, loop, reason_of(istart != nullptr, reductions));
  }
  return at.native->entry<decltype(pass_ull_general)>(ull_general_start)(up, first, end, step, schedule, chunk, istart,
                                                                         iend, reductions, memory);
}

}  // namespace
}  // namespace steelyard::openmp::gomp

using namespace steelyard::openmp;
using gomp::ull;
using gomp::word;

#define CALLER __builtin_return_address(0)

// Counters are signed, or unsigned and wider (`ull`), which also say whether they go up.
#define STEELYARD_ORDERED(name, slot)                                                                               \
  STEELYARD_EXPORT bool GOMP_loop_ordered_##name##_start(long first, long end, long step, long chunk, long* istart, \
                                                         long* iend) {                                              \
    constexpr auto here = gomp::ordered_start + slot;                                                               \
    constexpr auto careful = gomp::pass<clause::ordered, here, long, long, long, long, long*, long*>;               \
    return forward_or<gomp::api, here, careful>(CALLER, first, end, step, chunk, istart, iend);                     \
  }                                                                                                                 \
  STEELYARD_EXPORT bool GOMP_loop_ull_ordered_##name##_start(bool up, ull first, ull end, ull step, ull chunk,      \
                                                             ull* istart, ull* iend) {                              \
    constexpr auto here = gomp::ull_ordered_start + slot;                                                           \
    constexpr auto careful = gomp::pass<clause::ordered, here, bool, ull, ull, ull, ull, ull*, ull*>;               \
    return forward_or<gomp::api, here, careful>(CALLER, up, first, end, step, chunk, istart, iend);                 \
  }

#define STEELYARD_DOACROSS(infix, slot, T)                                                                 \
  STEELYARD_EXPORT bool GOMP_loop_##infix##_start(unsigned counts, T* ends, T chunk, T* istart, T* iend) { \
    constexpr auto here = gomp::slot;                                                                      \
    constexpr auto careful = gomp::pass<clause::doacross, here, unsigned, T*, T, T*, T*>;                  \
    return forward_or<gomp::api, here, careful>(CALLER, counts, ends, chunk, istart, iend);                \
  }

STEELYARD_ORDERED(static, 0)
STEELYARD_ORDERED(dynamic, 1)
STEELYARD_ORDERED(guided, 2)
STEELYARD_DOACROSS(doacross_static, doacross_start, long)
STEELYARD_DOACROSS(doacross_dynamic, doacross_start + 1, long)
STEELYARD_DOACROSS(doacross_guided, doacross_start + 2, long)
STEELYARD_DOACROSS(ull_doacross_static, ull_doacross_start, ull)
STEELYARD_DOACROSS(ull_doacross_dynamic, ull_doacross_start + 1, ull)
STEELYARD_DOACROSS(ull_doacross_guided, ull_doacross_start + 2, ull)

STEELYARD_EXPORT bool GOMP_loop_ordered_runtime_start(long first, long end, long step, long* istart, long* iend) {
  constexpr auto here = gomp::ordered_start + 3;
  constexpr auto careful = gomp::pass<clause::ordered, here, long, long, long, long*, long*>;
  return forward_or<gomp::api, here, careful>(CALLER, first, end, step, istart, iend);
}

STEELYARD_EXPORT bool GOMP_loop_ull_ordered_runtime_start(bool up, ull first, ull end, ull step, ull* istart,
                                                          ull* iend) {
  constexpr auto here = gomp::ull_ordered_start + 3;
  constexpr auto careful = gomp::pass<clause::ordered, here, bool, ull, ull, ull, ull*, ull*>;
  return forward_or<gomp::api, here, careful>(CALLER, up, first, end, step, istart, iend);
}

STEELYARD_EXPORT bool GOMP_loop_doacross_runtime_start(unsigned counts, long* ends, long* istart, long* iend) {
  constexpr auto here = gomp::doacross_start + 3;
  constexpr auto careful = gomp::pass<clause::doacross, here, unsigned, long*, long*, long*>;
  return forward_or<gomp::api, here, careful>(CALLER, counts, ends, istart, iend);
}

STEELYARD_EXPORT bool GOMP_loop_ull_doacross_runtime_start(unsigned counts, ull* ends, ull* istart, ull* iend) {
  constexpr auto here = gomp::ull_doacross_start + 3;
  constexpr auto careful = gomp::pass<clause::doacross, here, unsigned, ull*, ull*, ull*>;
  return forward_or<gomp::api, here, careful>(CALLER, counts, ends, istart, iend);
}

// With a task reduction or memory that the members share. Behind entries of common/entries.cpp, which jump here, so the
// return address is that of the caller.
#define STEELYARD_ENTERED extern "C" [[gnu::visibility("hidden"), gnu::used]] bool

STEELYARD_ENTERED steelyard_loop_ordered(long first, long end, long step, long schedule, long chunk, long* istart,
                                         long* iend, word* reductions, void** memory) {
  self.caller = CALLER;
  return gomp::pass<clause::ordered, gomp::ordered_start + 4>(first, end, step, schedule, chunk, istart, iend,
                                                              reductions, memory);
}

STEELYARD_ENTERED steelyard_loop_ull_ordered(bool up, ull first, ull end, ull step, long schedule, ull chunk,
                                             ull* istart, ull* iend, word* reductions, void** memory) {
  self.caller = CALLER;
  return gomp::pass<clause::ordered, gomp::ull_ordered_start + 4>(up, first, end, step, schedule, chunk, istart, iend,
                                                                  reductions, memory);
}

STEELYARD_ENTERED steelyard_loop_doacross(unsigned counts, long* ends, long schedule, long chunk, long* istart,
                                          long* iend, word* reductions, void** memory) {
  self.caller = CALLER;
  return gomp::pass<clause::doacross, gomp::doacross_start + 4>(counts, ends, schedule, chunk, istart, iend, reductions,
                                                                memory);
}

STEELYARD_ENTERED steelyard_loop_ull_doacross(unsigned counts, ull* ends, long schedule, ull chunk, ull* istart,
                                              ull* iend, word* reductions, void** memory) {
  self.caller = CALLER;
  return gomp::pass<clause::doacross, gomp::ull_doacross_start + 4>(counts, ends, schedule, chunk, istart, iend,
                                                                    reductions, memory);
}

STEELYARD_ENTERED steelyard_loop(long first, long end, long step, long schedule, long chunk, long* istart, long* iend,
                                 word* reductions, void** memory) {
  self.caller = CALLER;
  return gomp::pass_general(first, end, step, schedule, chunk, istart, iend, reductions, memory);
}

STEELYARD_ENTERED steelyard_loop_ull(bool up, ull first, ull end, ull step, long schedule, ull chunk, ull* istart,
                                     ull* iend, word* reductions, void** memory) {
  self.caller = CALLER;
  return gomp::pass_ull_general(up, first, end, step, schedule, chunk, istart, iend, reductions, memory);
}
