// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cost/distributions.hpp"
#include "simulator/replay.hpp"

/// Ways to choose the schedule of a loop that runs again and again, in virtual time: ours (`automatic`), and those of the literature to
/// compare it with. None but ours is offered for use.
namespace steelyard::simulator::selection {

/// How an instance is to run.
struct way {
  const schedules::operations* schedule = nullptr;  ///< one of `simulator::all`
  std::uint64_t chunk = 0;                          ///< 0: its own default
  std::uint32_t members = 1;
  std::vector<std::uint64_t> ends;  ///< of the members' shares, as `shape::known.ends`; empty: not known
  double variation = 0;             ///< that `fac` is told, σ / μ; 0: what earlier instances have shown
  bool observed = false;            ///< what its chunks take is noted
};

/// What an instance took, as a clock shows it.
struct measured {
  std::uint64_t ticks = 0;
  std::uint64_t finished = 0;  ///< until a member was through, the sum over all
  double seconds = 0;
  double imbalance = 0;  ///< percent: how much earlier members were through on average than the last one
  /// Where it was observed, in turn: which iterations were run, in how many ticks.
  struct chunk {
    std::uint64_t first;
    std::uint64_t count;
    std::uint64_t ticks;
  };
  std::vector<chunk> chunks;
};

class method {
 public:
  virtual ~method() = default;
  /// How the next instance is to run, of n > 0 iterations by so many members.
  [[nodiscard]] virtual way next(std::uint64_t n, std::uint32_t members) = 0;
  /// The one that was planned last.
  virtual void took(const measured& it) = 0;
  /// Whether it has stopped trying, as far as it ever does.
  [[nodiscard]] virtual bool is_settled() const = 0;
  /// In words, if it has some.
  [[nodiscard]] virtual std::string why() const { return {}; }
};

/// What a loop meets, the same for all methods.
struct conditions {
  double call = 0.8;          ///< what a call of a schedule costs, in the unit of the iterations' costs
  double ticks_of_unit = 75;  ///< of the clock
  double seconds_of_unit = 25e-9;
  double noise = 0.02;  ///< of what is measured, at most
  /// Forecasts of `automatic` wait until loops have run a hundred times as long as is guessed for one, as in a front end.
  bool pays_for_forecasts = true;
};

/// The method of that name, of `names`; nullptr: there is none. Methods that draw at random do so from the seed.
[[nodiscard]] std::unique_ptr<method> make(std::string_view name, const conditions& under, std::uint64_t seed = 1);
[[nodiscard]] std::span<const std::string_view> names() noexcept;

/// A loop that runs again and again, chosen for by a method.
class repeated_loop {
 public:
  repeated_loop(method& by, const conditions& under) : by_(by), under_(under) {}
  /// An instance of these costs (`cost::prefix_sums`). How long it takes, in their unit.
  double run(std::span<const double> sums, std::uint32_t members, std::uint64_t seed);

 private:
  [[nodiscard]] std::uint64_t clock(double time);
  [[nodiscard]] measured seen(const outcome& found, const way& how, std::span<const double> sums);

  method& by_;
  conditions under_;
  cost::uniform_sequence noise_{5};
  /// Of schedules that learn over instances, by their names.
  std::vector<std::pair<std::string_view, std::unique_ptr<schedules::loop_record>>> records_;
};

}  // namespace steelyard::simulator::selection
