// SPDX-License-Identifier: Apache-2.0
// The course of every program here. A kernel has reset(), run(loop) and checksum(); run calls loop(n, body) for each of
// its parallel loops. RUNTIME_HEADER says who runs them: serial, OpenMP, oneTBB or Steelyard, one in a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/arguments.h"
#include "limit.hpp"

namespace idws {

struct settings {
  const char* schedule = nullptr;  ///< none: the runtime's default
  long threads = 2;
  long repeat = 1;
  int no_verify = 0;
  int list = 0;

  /// Fills this and the targets of the program's own options.
  void parse(int argc, char** argv, const char* summary, const std::vector<argument>& own = {});
};

/// One line that lists `schedules`, and exit status 2.
[[noreturn]] void refuse_schedule(const settings& chosen, const char* schedules);

/// The same where another schedule than this was asked for.
void accept_only(const settings& chosen, const char* schedule);

/// 64 bits of the values in their order.
class checksum {
 public:
  void add(std::uint64_t bits) noexcept {
    hash_ = (hash_ ^ bits) * 0x9e3779b97f4a7c15U;
    hash_ ^= hash_ >> 29;
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return hash_; }

 private:
  std::uint64_t hash_ = 0x5354454c59415244U;
};

/// A serial loop, for the check of the result and for what is not measured.
struct plain_loop {
  template <class Body>
  void operator()(std::int64_t n, const Body& body) const {
    for (std::int64_t i = 0; i < n; ++i) body(i);
  }
};

/// Times the loops that go through it, and nothing between them.
template <class Loop>
class stopwatch {
 public:
  explicit stopwatch(Loop& loop) : loop_(&loop) {}

  template <class Body>
  void operator()(std::int64_t n, const Body& body) {
    const auto start = clock::now();
    (*loop_)(n, body);
    seconds_ += seconds_since(start);
  }
  [[nodiscard]] double seconds() const noexcept { return seconds_; }

 private:
  Loop* loop_;
  double seconds_ = 0;
};

struct measured {
  std::vector<double> seconds;
  std::vector<limit> limits;  ///< of the serial program only
  std::uint64_t checksum = 0;
  bool same = true;  ///< all runs had that checksum
};

/// Prints the figures; the exit status is 1 when the runs differ, or differ from `expected`.
int report(const settings& chosen, const measured& taken, const std::uint64_t* expected);

/// The same of a result that is as the serial one but no sound mesh.
int report_flaw(const char* flaw);

/// Calls run, turning what it throws about its input into one line and exit status 2.
int guarded(int (*run)(int, char**), int argc, char** argv);

template <class Kernel, class Loop>
measured time_runs(const settings& chosen, Kernel& kernel, Loop& loop) {
  measured taken;
  for (long i = 0; i < chosen.repeat; ++i) {
    kernel.reset();
    stopwatch<Loop> watch(loop);
    kernel.run(watch);
    taken.seconds.push_back(watch.seconds());
    if constexpr (requires { loop.taken(); }) taken.limits.push_back(loop.taken());
    const std::uint64_t sum = kernel.checksum();
    if (i > 0 && sum != taken.checksum) taken.same = false;
    taken.checksum = sum;
  }
  return taken;
}

template <class Kernel>
std::uint64_t serial_checksum(Kernel& kernel) {
  kernel.reset();
  plain_loop loop;
  kernel.run(loop);
  return kernel.checksum();
}

}  // namespace idws
