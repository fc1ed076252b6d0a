// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The sanitizers' runtimes replace calls of libc. This library starts before them (-z initfirst), and those of threads
/// and of leaks crash in a call that comes before their start. Names of theirs, present in programs that have one;
/// starting twice does nothing. Address and memory sanitizers start themselves in their first call.
extern "C" {
[[gnu::weak]] void __tsan_init();
[[gnu::weak]] void __lsan_init();
}

namespace steelyard::openmp {

inline void start_sanitizers() noexcept {
  if (__tsan_init != nullptr) __tsan_init();
  if (__lsan_init != nullptr) __lsan_init();
}

}  // namespace steelyard::openmp
