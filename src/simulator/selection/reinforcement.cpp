// SPDX-License-Identifier: Apache-2.0
// Reinforcement learning as LB4OMP has it (Korndörfer, Mohammed, Boulmier, Kury, Eleliemy & Ciorba): the state is the technique that ran,
// an action the one that runs next. Constants are LB4OMP's own.
#include <algorithm>
#include <array>
#include <cmath>

#include "simulator/selection/methods.hpp"
#include "simulator/selection/portfolio.hpp"

namespace steelyard::simulator::selection {
namespace {

constexpr std::uint32_t pairs = techniques * techniques;

/// First each technique after each other one, then the one with the best expectation.
class agent final : public method {
 public:
  explicit agent(bool follows_policy) : follows_policy_(follows_policy) {}

  way next(std::uint64_t, std::uint32_t members) override {
    action_ = planned_ == none ? choose(state_) : planned_;
    planned_ = none;
    explored_ += visited_[state_][action_] ? 0 : 1;
    visited_[state_][action_] = true;
    return of_portfolio(action_, members);
  }

  void took(const measured& it) override {
    const auto reward = reward_of(it.seconds);
    const auto& then = expectation_[action_];
    if (follows_policy_) planned_ = choose(action_);
    const double promise = follows_policy_ ? then[planned_] : *std::max_element(then.begin(), then.end());
    auto& its = expectation_[state_][action_];
    its += rate_ * (reward + discount * promise - its);
    if (explored_ == pairs) rate_ = std::max(least_rate, first_rate * std::exp(-decay * ++settled_for_));
    state_ = action_;
  }
  [[nodiscard]] bool is_settled() const override { return explored_ == pairs; }

 private:
  static constexpr std::uint32_t none = techniques;
  static constexpr double first_rate = 0.85;
  static constexpr double least_rate = 0.10;
  static constexpr double decay = 0.01;
  static constexpr double discount = 0.95;

  using row = std::array<double, techniques>;

  [[nodiscard]] bool is_exhausted(std::uint32_t state) const {
    return std::all_of(visited_[state].begin(), visited_[state].end(), [](bool was) { return was; });
  }

  /// An action that was not tried here, if possible one behind which there are such, too.
  [[nodiscard]] std::uint32_t to_explore(std::uint32_t state) const {
    std::uint32_t found = none;
    for (std::uint32_t action = techniques; action-- != 0;) {
      if (visited_[state][action]) continue;
      if (found == none || !is_exhausted(action)) found = action;
    }
    if (found != none) return found;
    std::uint32_t elsewhere = 0;
    while (elsewhere + 1 < techniques && is_exhausted(elsewhere)) ++elsewhere;
    return elsewhere;
  }

  [[nodiscard]] std::uint32_t choose(std::uint32_t state) const {
    if (explored_ < pairs) return to_explore(state);
    const row& here = expectation_[state];
    return static_cast<std::uint32_t>(std::max_element(here.begin(), here.end()) - here.begin());
  }

  /// Nothing for about the shortest time so far, the worst for about the longest.
  double reward_of(double seconds) {
    if (seconds < 1.05 * shortest_) {
      shortest_ = std::min(shortest_, seconds);
      return 0;
    }
    if (seconds <= 0.9 * longest_) return -2;
    longest_ = std::max(longest_, seconds);
    return -4;
  }

  bool follows_policy_;  ///< SARSA expects what it is going to do, Q-learning the best
  std::array<row, techniques> expectation_{};
  std::array<std::array<bool, techniques>, techniques> visited_{};
  std::uint32_t state_ = 0;
  std::uint32_t action_ = 0;
  std::uint32_t planned_ = none;
  std::uint32_t explored_ = 0;
  double rate_ = first_rate;
  double settled_for_ = 0;
  double shortest_ = 999;
  double longest_ = 0;
};

}  // namespace

std::unique_ptr<method> q_learning() { return std::make_unique<agent>(false); }
std::unique_ptr<method> sarsa() { return std::make_unique<agent>(true); }

}  // namespace steelyard::simulator::selection
