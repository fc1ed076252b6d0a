// SPDX-License-Identifier: Apache-2.0
#pragma once

// clang-format off
#if defined(__SANITIZE_THREAD__)
#define STEELYARD_SEES_ITSELF 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STEELYARD_SEES_ITSELF 1
#endif
#endif
// clang-format on

#ifndef STEELYARD_SEES_ITSELF
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}
#endif

/// Tells a program's ThreadSanitizer, if there is one, what the library orders: hand_over.md. Where the library itself is built with
/// it, it sees that.
namespace steelyard::sync {

/// What this thread did happens before what others do once they have received this. Before the access that lets them.
inline void hand_over([[maybe_unused]] const volatile void* at) noexcept {
#ifndef STEELYARD_SEES_ITSELF
  if (__builtin_expect(__tsan_release != nullptr, 0)) __tsan_release(const_cast<void*>(at));
#endif
}

/// Behind the access that saw that it was handed over.
inline void receive([[maybe_unused]] const volatile void* at) noexcept {
#ifndef STEELYARD_SEES_ITSELF
  if (__builtin_expect(__tsan_acquire != nullptr, 0)) __tsan_acquire(const_cast<void*>(at));
#endif
}

}  // namespace steelyard::sync
