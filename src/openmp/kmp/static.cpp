// SPDX-License-Identifier: Apache-2.0
// libomp's static loops: each member asks once for its block, __kmpc_for_static_init_*, and says when it is through. With learnt
// shares the answer is another block (shares/shares.md). Anything else goes on to the caller's runtime.
#include <limits>
#include <type_traits>

#include "openmp/host/export.hpp"
#include "openmp/kmp/bounds.hpp"
#include "openmp/kmp/names.hpp"
#include "openmp/loop/loop.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/shares/static_loop.hpp"
#include "openmp/team/forward.hpp"

namespace steelyard::openmp::kmp {
namespace {

using i32 = std::int32_t;

template <class T>
using static_type = void(ident*, i32, i32, i32*, T*, T*, std::make_signed_t<T>*, std::make_signed_t<T>,
                         std::make_signed_t<T>);

constexpr i32 modifiers = (1 << 29) | (1 << 30);
constexpr i32 unchunked = 34;
constexpr i32 distribute_first = 91;
constexpr i32 of_a_loop = 0x200;  ///< in an ident's flags; sections have another

/// Whether it asks for one block of a loop. Sections and the distribute forms ask by the same functions.
bool asks_for_block(const ident* where, i32 schedule) noexcept {
  return (schedule & ~modifiers) == unchunked && where != nullptr && (where->flags & of_a_loop) != 0;
}

/// Whether bounds of an empty block exist: one step beyond the loop's end.
template <class T>
bool has_room_behind(T upper, std::make_signed_t<T> step) noexcept {
  return step > 0 ? upper < std::numeric_limits<T>::max() : upper > std::numeric_limits<T>::min();
}

/// Whether its members may be told blocks.
template <class T>
bool is_dealable(const bounds& loop, T lower, T upper, std::make_signed_t<T> step) noexcept {
  return has_room_behind(upper, step) && countable(loop, lower, upper, step);
}

/// The block of this member, in place of that which its runtime has told.
template <class T>
void tell(const bounds& loop, dealt::block mine, std::make_signed_t<T> step, i32* last, T* lower, T* upper) noexcept {
  const auto [first, behind] = mine;
  if (first == behind) {
    *upper = static_cast<T>(loop.end);
    *lower = static_cast<T>(loop.end + (step > 0 ? 1 : ~std::uint64_t{0}));
  } else {
    *lower = static_cast<T>(loop.start + first * loop.increment);
    *upper = static_cast<T>(loop.start + (behind - 1) * loop.increment);
  }
  if (last != nullptr) *last = first != behind && behind == loop.iterations ? 1 : 0;
}

/// Where something is reported, or no loop of the region is dealt.
template <class T>
[[gnu::noinline]] void watch_static(site& at, ident* where, i32 thread, i32 schedule, i32* last, T* lower, T* upper,
                                    std::make_signed_t<T>* stride, std::make_signed_t<T> step,
                                    std::make_signed_t<T> chunk) {
  auto* const native = at.native->entry<static_type<T>>(static_init + width_of<T>);
  if (!config.watching || schedule >= distribute_first) {
    return native(where, thread, schedule, last, lower, upper, stride, step, chunk);
  }
  const bounds loop = bounds_of(*lower, *upper, step);
  const bool dealable = is_dealable(loop, *lower, *upper, step);
  native(where, thread, schedule, last, lower, upper, stride, step, chunk);
  implicit_task& in = current_implicit_task();
  if (!seen(in, *at.native)) return note_passed(in, {&at, clause::fixed, 0, true, loop}, "static");
  if (in.members == 0) learn_team(in);
  share mine = own_block("static", false);
  if (config.static_loops && dealable && asks_for_block(where, schedule)) mine = find_share(in, at, loop.iterations);
  if (mine.is_told) tell(loop, mine.block, step, last, lower, upper);
  if (config.reporting) enter_static(in, {&at, clause::fixed, 0, true, loop}, mine.kept, mine.only_here);
  begin_block(in, mine);
}

template <class T>
[[gnu::noinline]] void init_static(ident* where, i32 thread, i32 schedule, i32* last, T* lower, T* upper,
                                   std::make_signed_t<T>* stride, std::make_signed_t<T> step,
                                   std::make_signed_t<T> chunk) {
  site& at = site_of(self.caller, api, source_of(where));
  if (__builtin_expect(config.reporting || !self.deals || !asks_for_block(where, schedule), 0)) {
    return watch_static<T>(at, where, thread, schedule, last, lower, upper, stride, step, chunk);
  }
  const T first = *lower;
  const T end = *upper;
  at.native->entry<static_type<T>>(static_init + width_of<T>)(where, thread, schedule, last, lower, upper, stride, step,
                                                              chunk);
  implicit_task& in = *self.top;
  if (!seen(in, *at.native)) return;
  if (in.members == 0) learn_team(in);
  const bounds loop = bounds_of(first, end, step);
  if (!is_dealable(loop, first, end, step)) return;
  const share mine = find_share(in, at, loop.iterations);
  if (mine.is_told) tell(loop, mine.block, step, last, lower, upper);
  begin_block(in, mine);
}

[[gnu::noinline]] void end_static(ident* where, i32 thread) {
  const runtime& native = *site_of(self.caller, api, source_of(where)).native;
  implicit_task* const in = self.top;
  if (in != nullptr && seen(*in, native)) {
    end_block(*in);
    if (in->loop.from == source::observed && in->loop.at->stated.get() == clause::fixed) leave(*in);
  }
  native.entry<void(ident*, i32)>(static_fini)(where, thread);
}

}  // namespace
}  // namespace steelyard::openmp::kmp

using namespace steelyard::openmp;

#define CALLER __builtin_return_address(0)

// One for each counter type; S is its signed form. The entries are in entries.cpp.
#define STEELYARD_STATIC(suffix, T, S)                                                                       \
  extern "C" [[gnu::visibility("hidden"), gnu::used]] void steelyard_static_init_##suffix(                   \
      kmp::ident* where, std::int32_t thread, std::int32_t schedule, std::int32_t* last, T* lower, T* upper, \
      S* stride, S step, S chunk) {                                                                          \
    self.caller = CALLER;                                                                                    \
    kmp::init_static<T>(where, thread, schedule, last, lower, upper, stride, step, chunk);                   \
  }

STEELYARD_STATIC(4, std::int32_t, std::int32_t)
STEELYARD_STATIC(4u, std::uint32_t, std::int32_t)
STEELYARD_STATIC(8, std::int64_t, std::int64_t)
STEELYARD_STATIC(8u, std::uint64_t, std::int64_t)

STEELYARD_EXPORT void __kmpc_for_static_fini(kmp::ident* where, std::int32_t thread) {
  if (__builtin_expect(!self.deals || self.top->in_dealt == nullptr, 1)) {
    return forward_or<kmp::api, kmp::static_fini, kmp::end_static, need::reports>(CALLER, where, thread);
  }
  self.caller = CALLER;
  kmp::end_static(where, thread);
}
