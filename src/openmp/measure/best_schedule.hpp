// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "openmp/team/team.hpp"

namespace steelyard::learn {
struct lesson;
}

/// Which schedule serves the loops of a site best: `automatic` (learn/automatic.hpp; measuring.md).
namespace steelyard::openmp {

/// Whether that is what an instance is observed by: `steal`, or `dynamic`, with the clock read before and behind each chunk.
[[nodiscard]] bool observes(const schedules::operations& row) noexcept;

/// By what a loop runs that is about to be opened.
struct plan {
  const schedules::operations* schedule = nullptr;  ///< nullptr: the program's runtime schedules it
  std::uint64_t chunk = 0;                          ///< in iterations
  std::uint32_t members = 0;                        ///< the first so many get iterations
  std::uint64_t grain = 0;                          ///< shape::known.grain, in iterations
  std::uint64_t most_at_once = 0;                   ///< shape::known.most_at_once
  const std::uint64_t* ends = nullptr;  ///< shape::known.ends of granules, while the chooser is lent; or nullptr
  bool are_chunks = false;              ///< granules are chunks that the program hands out by schedule(dynamic, c)
  told_best* told = nullptr;            ///< `learn_best` is to tell it how long that takes; nullptr: nobody
  bool rated = false;                   ///< it is by name, and one of those of which now and then one …
  bool timed = false;                   ///< … tells `learn_rate` how long that takes

  /// What a granule takes (learn/rate.hpp), of so many.
  void know_rate(std::uint64_t rate, std::uint64_t granules, std::uint64_t granule) noexcept;
};

/// What is known of a site, for as long as this lives. For who opens a loop there, gives one back, or reports.
class lent_chooser {
 public:
  explicit lent_chooser(site& at) noexcept;
  /// nullptr: nothing is known.
  explicit lent_chooser(site_best* known) noexcept;
  ~lent_chooser();
  lent_chooser(const lent_chooser&) = delete;
  lent_chooser& operator=(const lent_chooser&) = delete;

  /// Another thread has it.
  [[nodiscard]] bool is_taken() const noexcept { return is_taken_; }
  /// nullptr: another thread has it, or there is no memory.
  [[nodiscard]] site_best* get() const noexcept { return held_; }

  /// Changes `next` to what was found to be best, of these schedules, for so many granules of so many iterations. While an instance of that trip count runs
  /// that is told, the others are not.
  void choose(const site& at, plan& next, const schedules::candidates& among, std::uint64_t granules,
              std::uint64_t granule) noexcept;
  /// Another member has opened what was planned to be told, or there is no memory for it.
  static void withdraw(const plan& by) noexcept;

 private:
  site_best* held_ = nullptr;
  bool is_taken_ = false;
};

/// From an ended instance that is told.
void learn_best(const region& team, instance& ended) noexcept;

/// What was found at a site by this process, for later ones: calls say(lesson, iterations that stay together). Not while another thread
/// plans there.
void each_lesson(const site& at, void (*say)(void* to, const learn::lesson& what, std::uint64_t granule),
                 void* to) noexcept;
template <class Say>
void each_lesson(const site& at, Say say) noexcept {
  const auto call = [](void* to, const learn::lesson& what, std::uint64_t granule) {
    (*static_cast<Say*>(to))(what, granule);
  };
  each_lesson(at, call, &say);
}

/// For the report.
struct best_told {
  char schedule[64] = {};  ///< with its chunk
  char reason[400] = {};
  bool is_settled = false;
  bool is_learnt = false;           ///< from an earlier process
  std::uint64_t settled_after = 0;  ///< 0: it is not, or was known from an earlier process
};
/// False: no loop there was left to `automatic`.
bool tell_best(const site& at, best_told& out) noexcept;

}  // namespace steelyard::openmp
