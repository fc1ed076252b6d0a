// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "openmp/program/site.hpp"
#include "openmp/team/team.hpp"

/// Regions that need nothing of this library begin without it (passing.md).
namespace steelyard::openmp {

/// What is known of the regions of one outlined body. entries.cpp knows where its members lie.
struct alignas(16) pass {
  remark<const void*> body;
  remark<std::uint32_t> left;  ///< so many may begin unseen
  remark<std::uint32_t>
      idle;  ///< so many were seen, one behind the other, that needed nothing; `served`: one needed something
  static constexpr std::uint32_t served = ~std::uint32_t{0};
};

/// By where the body lies: those of one program lie near each other, so few share a place.
inline constexpr std::size_t pass_count = 1024;
extern constinit pass passes[pass_count];

[[nodiscard]] inline pass& pass_of(const void* body) noexcept {
  return passes[reinterpret_cast<std::uintptr_t>(body) / sizeof(pass) % pass_count];
}

/// So many passes a thread takes at once for regions of one body that follow one another.
inline constexpr std::uint32_t passes_at_once = 32;

/// What is left of those goes back when another body comes.
[[gnu::always_inline]] inline void give_back_passes() noexcept {
  pass& of = pass_of(self.passed);
  if (of.body.get() == self.passed) of.left.set(of.left.get() + self.passes);
  self.passes = 0;
}

/// Whether the region that this thread is about to fork begins unseen. Then nothing has to be done for it. Not within a loop of ours: what
/// the region's members ask for next would be taken for that loop's.
[[nodiscard, gnu::always_inline]] inline bool may_pass(const void* body) noexcept {
  if (self.learns || self.taken != nullptr) return false;
  if (self.passes != 0) {
    if (self.passed == body) {
      --self.passes;
      return true;
    }
    give_back_passes();
  }
  pass& of = pass_of(body);
  if (__builtin_expect(of.body.get() != body, 1)) return false;
  const std::uint32_t left = of.left.get();
  if (left == 0) return false;
  const bool again = self.passed == body && left > passes_at_once;
  self.passes = again ? passes_at_once : 0;
  of.left.set(left - 1 - self.passes);
  self.passed = body;
  return true;
}

/// So many regions have to need nothing before others may pass.
inline constexpr std::uint32_t idle_at_least = 8;

/// A region was seen that needed nothing. True: others may pass, so many as `let_pass` then says, and none of earlier ones is left.
[[nodiscard]] bool is_idle(const void* body) noexcept;
void let_pass(const void* body, std::uint32_t regions) noexcept;

/// All regions of that body are seen from now on, but those that threads may fork without asking.
void see_all(const void* body) noexcept;
[[nodiscard]] inline bool sees_all(const void* body) noexcept {
  const pass& of = pass_of(body);
  return of.body.get() == body && of.idle.get() == pass::served;
}

/// The same of the body of the last region that this thread has forked unseen.
void see_what_passed() noexcept;

/// An object was unloaded: other bodies may come to lie there.
void forget_passes() noexcept;

}  // namespace steelyard::openmp
