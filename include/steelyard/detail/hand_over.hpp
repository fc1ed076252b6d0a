// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

/// What ThreadSanitizer cannot see, because the library is not built with it: that what one thread did before it handed something
/// over has happened when another begins with it. In programs that are not built with it this is nothing.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STEELYARD_UNDER_TSAN 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define STEELYARD_UNDER_TSAN 1
#endif
#ifndef STEELYARD_UNDER_TSAN
#define STEELYARD_UNDER_TSAN 0
#endif

#if STEELYARD_UNDER_TSAN
extern "C" void __tsan_release(void* address);  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
#endif

namespace steelyard {
inline namespace v1 {
namespace detail {

/// Before the library may give it to another thread.
[[gnu::always_inline]] inline void hand_over([[maybe_unused]] void* at) noexcept {
#if STEELYARD_UNDER_TSAN
  if (at != nullptr) __tsan_release(at);
#endif
}

/// A fence of all loads and stores. ThreadSanitizer knows none, and g++ warns where one is asked for.
[[gnu::always_inline]] inline void full_fence() noexcept {
#if STEELYARD_UNDER_TSAN && defined(__x86_64__)
  asm volatile("mfence" ::: "memory");
#elif STEELYARD_UNDER_TSAN && defined(__aarch64__)
  asm volatile("dmb ish" ::: "memory");
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);  // R4
#endif
}

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
