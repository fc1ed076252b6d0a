// SPDX-License-Identifier: Apache-2.0
#include "support/quiet_write.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace steelyard::support {
namespace {

TEST(WriteAll, WritesMoreThanAPipeHoldsAtOnce) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string text(1 << 20, 'x');
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    _exit(write_all(ends[1], text.data(), text.size()));
  }
  close(ends[1]);
  std::size_t all = 0;
  char block[4096];
  for (ssize_t got = 0; (got = read(ends[0], block, sizeof block)) > 0;) all += static_cast<std::size_t>(got);
  close(ends[0]);
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(all, text.size());
}

TEST(WriteAll, APipeWithoutAReaderIsAnErrorAndNoSignal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  EXPECT_EQ(write_all(ends[1], "x", 1), EPIPE);
  close(ends[1]);
}

TEST(WriteAll, AFileThatMayNotGrowIsAnErrorAndNoSignal) {
  const pid_t child = fork();
  if (child == 0) {
    std::FILE* const file = std::tmpfile();
    const rlimit none{4, 4};
    setrlimit(RLIMIT_FSIZE, &none);
    _exit(write_all(fileno(file), "123456", 6) == EFBIG ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(WriteAll, ASignalThatWasPendingStays) {
  const pid_t child = fork();
  if (child == 0) {
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    sigprocmask(SIG_BLOCK, &pipes, nullptr);
    raise(SIGPIPE);
    int ends[2];
    if (pipe(ends) != 0) _exit(1);
    close(ends[0]);
    const int error = write_all(ends[1], "x", 1);
    sigset_t pending;
    sigpending(&pending);
    _exit(error == EPIPE && sigismember(&pending, SIGPIPE) == 1 ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace steelyard::support
