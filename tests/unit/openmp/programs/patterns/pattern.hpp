// SPDX-License-Identifier: Apache-2.0
// Patterns of OpenMP programs that static loops with other blocks than equal ones must not disturb. Each runs its regions several
// times, so that shares are learnt or dealt, and what it computes does not depend on which thread runs which iteration, or a rule
// of OpenMP's fixes that.
#pragma once

#include <cstdint>
#include <vector>

namespace patterns {

struct sizes {
  long n = 600;     ///< iterations of most loops; a multiple of 100
  int rounds = 6;   ///< how often a region runs
  long work = 400;  ///< steps of the last iteration of a loop; the first has none
};
extern sizes size;

/// A number that follows from i, and takes the longer the larger i is.
inline std::uint64_t cost(long i) {
  auto value = static_cast<std::uint64_t>(i) + 1;
  for (long step = size.work * i / size.n; step > 0; --step)
    value = value * 6364136223846793005U + 1442695040888963407U;
  return value;
}

/// What a pattern has computed, and how it was dealt.
struct outcome {
  std::uint64_t digest = 14695981039346656037U;
  double sum = 0;  ///< of floating-point reductions, which may be grouped in another way if that is allowed
  long first = 0;  ///< how many iterations from the first on one thread has run; 0: not told
  long last = 0;   ///< the same from the last one backwards

  void add(std::uint64_t value) { digest = (digest ^ value) * 1099511628211U; }
  template <class T>
  void add_all(const std::vector<T>& values) {
    for (const T& value : values) add(static_cast<std::uint64_t>(value));
  }
};

/// Which thread has run each iteration, by the address of a variable of its own: asking for its number would be another pattern.
class owners {
 public:
  owners() : who_(static_cast<std::size_t>(size.n)) {}
  void note(long i, const void* mine) { who_[static_cast<std::size_t>(i)] = mine; }
  /// 0 when it is its own, else 1.
  std::uint64_t foreign(long i, const void* mine) const { return who_[static_cast<std::size_t>(i)] != mine ? 1 : 0; }
  void tell(outcome& of) const {
    const auto n = who_.size();
    std::size_t run = 1;
    while (run < n && who_[run] == who_[0]) ++run;
    of.first = static_cast<long>(run);
    for (run = 1; run < n && who_[n - 1 - run] == who_[n - 1];) ++run;
    of.last = static_cast<long>(run);
  }

 private:
  std::vector<const void*> who_;
};

struct pattern {
  const char* name;
  void (*run)(outcome&);
};

using numbers = std::vector<std::uint64_t>;

/// `patterns` without a name run all of them.
int run_named(const std::vector<pattern>& all, int argc, char** argv);

extern const std::vector<pattern> chains, values, bounds, teams, libraries;

}  // namespace patterns
