// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <cerrno>
#include <cstddef>
#include <ctime>
#include <initializer_list>

#include "openmp/host/files.hpp"

namespace steelyard::openmp {

/// write(2) that fails with an error only: SIGXFSZ (`ulimit -f`) and SIGPIPE (a terminal's or a pipe's other end is gone)
/// would end the program for a line of ours. Both are sent to the thread that writes. One that was pending before is the
/// program's own and stays.
inline ssize_t quiet_write(int file, const char* bytes, std::size_t count) noexcept {
  sigset_t ours;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&ours);
  sigaddset(&ours, SIGXFSZ);
  sigaddset(&ours, SIGPIPE);
  sigprocmask(SIG_BLOCK, &ours, &before);  // of this thread, in Linux
  sigpending(&pending);
  const ssize_t written = write_file(file, bytes, count);
  const int error = errno;
  for (const int raised : {SIGXFSZ, SIGPIPE}) {
    if (written >= 0 || sigismember(&pending, raised) == 1) continue;
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, raised);
    const timespec at_once{};
    while (sigtimedwait(&one, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

}  // namespace steelyard::openmp
