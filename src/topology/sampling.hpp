// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "support/cache_line.hpp"
#include "sync/real.hpp"
#include "topology/calibrate.hpp"
#include "topology/processors.hpp"

/// How calibrations take their samples (calibrate.md). For these alone.
namespace steelyard::topology {

using clock = std::chrono::steady_clock;
using word = sync::real::atomic<std::uint32_t>;

/// All accesses here are measured objects, not a protocol of the library: one tag.
inline constexpr sync::site sampled{"calibrate"};

/// A word alone on its line.
struct alignas(support::line_size) lone_word {
  word value;
};

inline double nanoseconds_since(clock::time_point start) {
  return std::chrono::duration<double, std::nano>(clock::now() - start).count();
}

/// What a sample returns when something else ran on the cores meanwhile.
inline constexpr double disturbed = -1;

/// Calls `sample`, which returns nanoseconds of one operation, until the time is over, and longer while fewer than 15
/// samples were undisturbed. Nothing when the cores are too busy for that.
template <class Sample>
std::optional<cost> measure(std::chrono::nanoseconds budget, Sample&& sample) {
  std::vector<double> found;
  const auto start = clock::now();
  for (auto now = start; now < start + budget || (found.size() < 15 && now < start + 4 * budget); now = clock::now()) {
    const double one = sample();
    if (one >= 0) found.push_back(one);
  }
  if (found.size() < 15) return std::nullopt;
  std::sort(found.begin(), found.end());
  return cost{found[found.size() / 2], found[found.size() * 9 / 10]};
}

/// Mean cost of an operation over a batch that hides the clock's own.
template <class Operation>
double batch(int size, Operation&& operation) {
  const auto start = clock::now();
  for (int i = 0; i < size; ++i) operation();
  return nanoseconds_since(start) / size;
}

/// Busy-waits; gives the core away when the other side seems not to be running.
template <class Condition>
void spin_until(Condition&& condition) {
  for (std::uint32_t turn = 1; !condition(); ++turn) {
    if (turn % 65536 == 0) {
      sched_yield();
    } else {
      sync::real::pause();
    }
  }
}

inline void pin(int core) {
  processors only;
  only.add(static_cast<unsigned>(core));
  static_cast<void>(only.bind_this_thread());
}

/// The processors of this thread's mask.
inline std::vector<int> usable_processors() {
  const auto mask = processors::of_thread(0);
  std::vector<int> usable;
  for (unsigned i = 0; i < processors::most; ++i) {
    if (mask.holds(i)) usable.push_back(static_cast<int>(i));
  }
  return usable;
}

/// Returns when the partner has just been seen running.
inline std::uint32_t await_beat(const lone_word& beat) {
  const auto before = beat.value.load(sync::relaxed, sampled);
  spin_until([&] { return beat.value.load(sync::relaxed, sampled) != before; });
  return beat.value.load(sync::relaxed, sampled);
}

/// A sample taken while the partner was seen running before and during it.
template <class Sample>
double while_running(const lone_word& beat, Sample&& sample) {
  const auto before = await_beat(beat);
  const double took = sample();
  return beat.value.load(sync::relaxed, sampled) == before ? disturbed : took;
}

}  // namespace steelyard::topology
