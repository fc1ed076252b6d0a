// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

/// Children of fork in programs with threads.
namespace regress {

// ThreadSanitizer starts no threads in the child of a process that had some.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool children_have_threads = false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool children_have_threads = false;
#else
inline constexpr bool children_have_threads = true;
#endif
#else
inline constexpr bool children_have_threads = true;
#endif

/// So long a child may take: far longer than it does, unless it hangs.
inline constexpr unsigned deadline = 60;  // seconds

/// Whether main() returns true in a child of this process, before the deadline.
template <class Main>
bool fine_in_child(Main main) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(deadline);
    _exit(main() ? 0 : 3);
  }
  int status = -1;
  waitpid(child, &status, 0);
  if (status != 0) {
    std::printf("a child: %s %d\n", WIFSIGNALED(status) ? "signal" : "status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  }
  return status == 0;
}

}  // namespace regress
