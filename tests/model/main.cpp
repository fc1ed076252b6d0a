// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cstdio>

// The model runs its threads as fibers of one machine thread: ThreadSanitizer has nothing to see there, and does not
// follow the switches of stacks.
#if defined(__SANITIZE_THREAD__)
constexpr bool thread_sanitizer = true;
#elif defined(__has_feature)
constexpr bool thread_sanitizer = __has_feature(thread_sanitizer);
#else
constexpr bool thread_sanitizer = false;
#endif

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (thread_sanitizer && !GTEST_FLAG_GET(list_tests)) {
    std::puts("skipped: the model does not run under ThreadSanitizer");
    return 77;  // CMakeLists.txt: what CTest takes for skipped
  }
  return RUN_ALL_TESTS();
}
