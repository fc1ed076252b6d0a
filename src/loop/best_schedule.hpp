// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "learn/automatic.hpp"
#include "learn/choosers.hpp"
#include "learn/cost_profile.hpp"
#include "learn/forecast_debt.hpp"
#include "learn/shares.hpp"
#include "loop/remembered.hpp"

namespace steelyard::loop {

/// Which schedule the loops of one place run by under `automatic`: a learn::automatic for each trip count, made when the first of them
/// asks, and what their forecasts may cost (learn::forecast_debt).
class best_schedule {
 public:
  /// `code`: what runs the iterations of the place's loops.
  explicit best_schedule(const void* code) noexcept : where_(code) {}

  /// Of loops of so many iterations by so many members, which chooses among these schedules. One that is new begins with what earlier
  /// processes know of such loops, and `shares` are taught that. nullptr: there is no memory.
  [[nodiscard]] learn::automatic* chooser(std::uint64_t n, std::uint32_t members, const schedules::candidates& among,
                                          learn::shares& shares) noexcept;
  /// To note what the chunks of an instance take that is observed. nullptr: there is no memory.
  [[nodiscard]] learn::cost_profile* profile(std::uint64_t n) noexcept;

  /// What the instance took that this chooser has planned, 0: it was stopped, and what was seen of it. What it learns of the costs `shares`
  /// are taught, too.
  void ended(learn::automatic& chooser, std::uint64_t ticks, const learn::observation& seen,
             learn::shares& shares) noexcept;

  /// What this process has found: calls say(lesson) for each trip count of which it has found anything.
  template <class Say>
  void each_lesson(Say say) const noexcept {
    choosers_.each([&](const learn::automatic& each) {
      learn::lesson found;
      if (each.teach(found)) say(found);
    });
  }
  [[nodiscard]] const remembered_place& where() const noexcept { return where_; }

 private:
  void recall(learn::automatic& fresh, std::uint64_t n, std::uint32_t members, learn::shares& shares) noexcept;
  void forecast(learn::automatic& chooser, learn::shares& shares) noexcept;

  remembered_place where_;
  learn::choosers<std::unique_ptr<learn::automatic>> choosers_;
  std::unique_ptr<learn::cost_profile> profile_;
  learn::forecast_debt debt_;
};

}  // namespace steelyard::loop
