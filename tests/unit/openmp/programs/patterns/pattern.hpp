// SPDX-License-Identifier: Apache-2.0
// Patterns of OpenMP programs that static loops with other blocks than equal ones must not disturb. Each runs its regions several
// times, so that shares are learnt or dealt, and what it computes does not depend on which thread runs which iteration, or a rule
// of OpenMP's fixes that.
#pragma once

#include <algorithm>
#include <cerrno>
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

/// A summand that does not come out exactly.
inline double part(long i) { return 1.0 / static_cast<double>(1 + cost(i) % 1000 + static_cast<std::uint64_t>(i)); }

/// What a pattern has computed, and which thread has run each iteration, if that is noted.
class outcome {
 public:
  std::uint64_t digest = 14695981039346656037U;
  double sum = 0;  ///< of floating-point reductions, which may be grouped in another way if that is allowed

  void add(std::uint64_t value) { digest = (digest ^ value) * 1099511628211U; }
  template <class T>
  void add_all(const std::vector<T>& values) {
    for (const T& value : values) add(static_cast<std::uint64_t>(value));
  }

  /// The thread that calls this runs iteration i.
  void note(long i) { who_[static_cast<std::size_t>(i)] = own(); }
  /// The same, and its cost.
  std::uint64_t noted(long i) {
    note(i);
    return cost(i);
  }
  /// 0 when that thread calls this, else 1.
  std::uint64_t foreign(long i) const { return who_[static_cast<std::size_t>(i)] != own() ? 1 : 0; }

  /// How many iterations from the first on one thread has run; 0: none was noted.
  long first() const { return run(who_.begin(), who_.end()); }
  /// The same from the last one backwards.
  long last() const { return run(who_.rbegin(), who_.rend()); }

 private:
  /// Tells threads apart by the address of a variable of their own: asking for their numbers would be another pattern, and so would be
  /// such a variable of the program's.
  static const void* own() { return &errno; }

  template <class Iterator>
  static long run(Iterator begin, Iterator end) {
    if (*begin == nullptr) return 0;
    return std::find_if(begin, end, [begin](const void* who) { return who != *begin; }) - begin;
  }

  std::vector<const void*> who_ = std::vector<const void*>(static_cast<std::size_t>(size.n));
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
