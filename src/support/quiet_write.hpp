// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <cerrno>
#include <cstddef>
#include <ctime>
#include <initializer_list>

#include "support/files.hpp"

namespace steelyard::support {

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

/// All of it; returns why it could not (errno), or 0.
inline int write_all(int file, const char* bytes, std::size_t count) noexcept {
  for (std::size_t done = 0; done < count;) {
    const ssize_t written = quiet_write(file, bytes + done, count - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    done += static_cast<std::size_t>(written);
  }
  return 0;
}

}  // namespace steelyard::support
