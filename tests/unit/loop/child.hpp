// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <ostream>
#include <string>
#include <thread>

namespace loop_tests {

#if defined(__has_feature)
#define LOOP_TESTS_HAS(feature) __has_feature(feature)
#else
#define LOOP_TESTS_HAS(feature) 0
#endif
#if defined(__SANITIZE_THREAD__) || LOOP_TESTS_HAS(thread_sanitizer)
inline constexpr bool under_thread_sanitizer = true;
#else
inline constexpr bool under_thread_sanitizer = false;
#endif
#if defined(__SANITIZE_ADDRESS__) || LOOP_TESTS_HAS(address_sanitizer)
inline constexpr bool under_sanitizer = true;
#else
inline constexpr bool under_sanitizer = under_thread_sanitizer;
#endif

/// How a child process ended.
struct ending {
  int status = -1;     ///< its exit status; -1: none
  int signal = 0;      ///< that ended it; SIGKILL too when it took too long
  std::string errors;  ///< its standard error
  [[nodiscard]] bool fine() const { return status == 0 && signal == 0; }
};

inline std::ostream& operator<<(std::ostream& out, const ending& how) {
  out << "status " << how.status << ", signal " << how.signal << '\n' << how.errors;
  return out;
}

using variables = std::map<std::string, std::string>;

inline ending wait_for(pid_t child, int errors) {
  ending how;
  int status = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (WIFEXITED(status)) how.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) how.signal = WTERMSIG(status);
  char block[4096];
  lseek(errors, 0, SEEK_SET);
  for (ssize_t got = 0; (got = read(errors, block, sizeof block)) > 0;)
    how.errors.append(block, static_cast<std::size_t>(got));
  return how;
}

/// Calls `main` in a child of this process, with these environment variables; what it returns is the exit status. The
/// parent must not have used the library, so that the child finds it new.
template <class Main>
ending in_child(const variables& environment, Main&& main) {
  std::fflush(nullptr);
  const int errors = memfd_create("stderr", 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(errors, STDERR_FILENO);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    int status = 99;
    try {
      status = main();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "exception: %s\n", error.what());
    }
    std::exit(status);
  }
  const ending how = wait_for(child, errors);
  close(errors);
  return how;
}

/// In a child: a condition that is not met names its line and ends the child.
#define REQUIRE(condition)                                                         \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (false)

/// In a child: no more address space than it has, and so much.
inline void limit_address_space(std::size_t more) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t most = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + more;
  const rlimit limit{most, most};
  REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0);
}

}  // namespace loop_tests
