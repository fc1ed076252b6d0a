// SPDX-License-Identifier: Apache-2.0
// The methods of Auto4OMP as LB4OMP has them: exhaustive, random and expert (Mohammed, Korndörfer, Eleliemy & Ciorba, IEEE TPDS 2022).
#include <algorithm>
#include <cmath>
#include <optional>

#include "simulator/selection/methods.hpp"
#include "simulator/selection/portfolio.hpp"

namespace steelyard::simulator::selection {
namespace {

/// Each technique once, then the fastest; all again when the imbalance has grown by ten points.
class exhaustive_search final : public method {
 public:
  way next(std::uint64_t, std::uint32_t members) override {
    now_ = tried_ < techniques ? tried_ : best_;
    return of_portfolio(now_, members);
  }

  void took(const measured& it) override {
    const bool is_worse = imbalance_ && it.imbalance > *imbalance_ + 10;
    imbalance_ = it.imbalance;
    if (tried_ < techniques) {
      if (tried_ == 0 || it.seconds < least_) {
        least_ = it.seconds;
        best_ = now_;
      }
      ++tried_;
    } else if (is_worse) {
      tried_ = 0;
    }
  }

  [[nodiscard]] bool is_settled() const override { return tried_ == techniques; }

 private:
  std::uint32_t tried_ = 0;
  std::uint32_t now_ = 0;
  std::uint32_t best_ = 0;
  double least_ = 0;
  std::optional<double> imbalance_;
};

/// Another technique at random, the more likely the larger the imbalance: at 10 % always, and in the beginning.
class random_search final : public method {
 public:
  explicit random_search(std::uint64_t seed) : draw_(seed) { jump(); }

  way next(std::uint64_t, std::uint32_t members) override { return of_portfolio(now_, members); }
  void took(const measured& it) override {
    if (it.imbalance / 10 > draw_()) jump();
  }
  [[nodiscard]] bool is_settled() const override { return false; }

 private:
  void jump() { now_ = static_cast<std::uint32_t>(draw_() * techniques); }

  cost::uniform_sequence draw_;
  std::uint32_t now_ = 0;
};

/// How much a value belongs to a fuzzy set: nothing at `none`, all at `all`, steadily between.
double belongs(double value, double none, double all) { return std::clamp((value - none) / (all - none), 0.0, 1.0); }

double both(double a, double b) { return std::min(a, b); }

/// What an instance is like.
struct impression {
  double quick, middling, slow;        ///< its time
  double even, uneven, far_from_even;  ///< its imbalance

  explicit impression(const measured& it)
      : quick(belongs(it.seconds, 0.03, 0.01)), middling(both(belongs(it.seconds, 0, 0.1), belongs(it.seconds, 10, 1))),
        slow(belongs(it.seconds, 1, 10)), even(belongs(it.imbalance, 2, 1)),
        uneven(both(belongs(it.imbalance, 1, 2), belongs(it.imbalance, 5, 4))),
        far_from_even(belongs(it.imbalance, 4, 10)) {}
};

/// How something differs from the instance before, in percent of it or points: by more than `much` it certainly has changed.
struct change {
  double better, same, worse;

  change(double by, double nothing, double little, double much)
      : better(belongs(-by, nothing, much)), same(belongs(std::abs(by), 2 * little, little)),
        worse(belongs(by, nothing, much)) {}
};

/// Fuzzy rules: the first from the time and imbalance of equal shares, then how much more or less adaptive a technique should be.
class expert_rules final : public method {
 public:
  way next(std::uint64_t, std::uint32_t members) override { return of_portfolio(now_, members); }

  void took(const measured& it) override {
    const auto wanted = before_ ? now_ + correction(*before_, it) : beginning(impression(it));
    now_ = static_cast<std::uint32_t>(std::clamp(wanted, 0.0, techniques - 1.0));
    before_ = it;
  }
  [[nodiscard]] bool is_settled() const override { return false; }

 private:
  static double beginning(const impression& is) {
    const double simple = std::max(is.quick, is.even) * 0.75;  // by the areas of these sets
    const double moderate =
        std::max(both(is.middling, std::max(is.far_from_even, is.uneven)), both(is.slow, is.uneven)) * 3.75;
    const double adaptive = both(is.far_from_even, is.slow) * 8.5;
    const double all = simple + moderate + adaptive;
    return all > 0 ? (adaptive * 14 + moderate * 3 + all - simple) / all : 0;
  }

  static double correction(const measured& before, const measured& it) {
    const impression is(it);
    const change time((it.seconds - before.seconds) / it.seconds * 100, 0.5, 0.5, 3);
    const change imbalance(it.imbalance - before.imbalance, 0, 1.5, 3);
    const double stay = std::max({both(time.same, imbalance.same), is.even, time.better}) * 1.5;
    const double more = std::max({both(is.far_from_even, is.slow), both(time.worse, imbalance.worse),
                                  both(time.same, imbalance.worse)}) *
                        2.75;
    const double less = std::max({both(time.worse, std::max(imbalance.better, imbalance.same)),
                                  both(time.same, imbalance.better), is.quick, both(time.worse, is.even)}) *
                        2.75;
    const double all = stay + more + less;
    return all > 0 ? std::round((more - less) / all * 4) : 0;
  }

  std::optional<measured> before_;
  std::uint32_t now_ = 0;
};

}  // namespace

std::unique_ptr<method> exhaustive() { return std::make_unique<exhaustive_search>(); }
std::unique_ptr<method> random(std::uint64_t seed) { return std::make_unique<random_search>(seed); }
std::unique_ptr<method> expert() { return std::make_unique<expert_rules>(); }

}  // namespace steelyard::simulator::selection
