// SPDX-License-Identifier: Apache-2.0
// bosched (Kim, Kim & Park, "Towards robust data-driven parallel loop scheduling using Bayesian optimization", 2019, and its successor of
// 2022): factoring whose parameter θ, in place of σ / μ, is chosen by a Gaussian process over the times that were measured.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "simulator/selection/methods.hpp"

namespace steelyard::simulator::selection {
namespace {

constexpr std::size_t grid = 65;
constexpr std::size_t warm_up = 4;
constexpr std::size_t instances = 20;  ///< that it tries, warm-up included

double at(std::size_t point) { return static_cast<double>(point) / (grid - 1); }
double theta(double x) { return std::exp2(15 * x - 8); }

/// Matérn's covariance, ν = 5/2.
double covariance(double a, double b, double length) {
  const double r = std::sqrt(5.0) * std::abs(a - b) / length;
  return (1 + r + r * r / 3) * std::exp(-r);
}

double density_of_normal(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }
double below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

struct belief {
  double mean = 0;
  double deviation = 1;
};

/// A Gaussian process over [0, 1] with unit variance: the posterior of observations that are standardised.
class process {
 public:
  process(const std::vector<double>& x, const std::vector<double>& y, double length, double noise)
      : x_(x), length_(length), factor_(x.size() * x.size()) {
    decompose(noise);
    auto half = forward(y);
    for (std::size_t i = 0; i < x.size(); ++i) evidence_ -= half[i] * half[i] / 2 + std::log(factor_[i * x.size() + i]);
    weights_ = backward(std::move(half));
  }

  /// Logarithm of the likelihood of what was observed, up to a constant.
  [[nodiscard]] double evidence() const { return evidence_; }

  [[nodiscard]] belief of(double position) const {
    std::vector<double> near(x_.size());
    double mean = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      near[i] = covariance(position, x_[i], length_);
      mean += near[i] * weights_[i];
    }
    double variance = 1;
    for (const double each : forward(std::move(near))) variance -= each * each;
    return {mean, std::sqrt(std::max(variance, 1e-9))};
  }

 private:
  /// Cholesky's lower factor.
  void decompose(double noise) {
    const auto n = x_.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double rest = covariance(x_[i], x_[j], length_) + (i == j ? noise : 0);
        for (std::size_t k = 0; k < j; ++k) rest -= factor_[i * n + k] * factor_[j * n + k];
        factor_[i * n + j] = i == j ? std::sqrt(std::max(rest, 1e-12)) : rest / factor_[j * n + j];
      }
    }
  }
  [[nodiscard]] std::vector<double> forward(std::vector<double> b) const {
    const auto n = b.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) b[i] -= factor_[i * n + k] * b[k];
      b[i] /= factor_[i * n + i];
    }
    return b;
  }
  [[nodiscard]] std::vector<double> backward(std::vector<double> b) const {
    const auto n = b.size();
    for (std::size_t i = n; i-- != 0;) {
      for (std::size_t k = i + 1; k < n; ++k) b[i] -= factor_[k * n + i] * b[k];
      b[i] /= factor_[i * n + i];
    }
    return b;
  }

  std::vector<double> x_;
  double length_;
  std::vector<double> factor_;
  std::vector<double> weights_;
  double evidence_ = 0;
};

/// That under which the observations are the most likely. The papers average over such processes.
process likeliest(const std::vector<double>& x, const std::vector<double>& y) {
  process best(x, y, 0.2, 0.01);
  for (const double length : {0.05, 0.1, 0.2, 0.4, 0.8}) {
    for (const double noise : {0.001, 0.01, 0.1}) {
      process other(x, y, length, noise);
      if (other.evidence() > best.evidence()) best = std::move(other);
    }
  }
  return best;
}

using beliefs = std::array<belief, grid>;

/// Where the greatest value of all is below so much, with that probability: by a point's chances to stay below it.
double greatest(const beliefs& all, double probability) {
  double low = -10;
  double high = 10;
  for (int step = 0; step < 50; ++step) {
    const double middle = (low + high) / 2;
    double chance = 1;
    for (const auto& each : all) chance *= below((middle - each.mean) / each.deviation);
    (chance < probability ? low : high) = middle;
  }
  return high;
}

/// Where looking tells most about the greatest value (max-value entropy search, Wang & Jegelka 2017, with Gumbel's distribution).
std::size_t most_telling(const beliefs& all) {
  const double q1 = greatest(all, 0.25);
  const double q2 = greatest(all, 0.5);
  const double q3 = greatest(all, 0.75);
  const double scale = std::max((q1 - q3) / (std::log(std::log(4.0 / 3)) - std::log(std::log(4.0))), 1e-6);
  const double location = q2 + scale * std::log(std::numbers::ln2);
  std::array<double, grid> told{};
  for (const double part : {0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95}) {
    const double top = location - scale * std::log(-std::log(part));
    for (std::size_t p = 0; p < grid; ++p) {
      const double gap = (top - all[p].mean) / all[p].deviation;
      const double chance = std::max(below(gap), 1e-12);
      told[p] += gap * density_of_normal(gap) / (2 * chance) - std::log(chance);
    }
  }
  return static_cast<std::size_t>(std::max_element(told.begin(), told.end()) - told.begin());
}

class bo_fss final : public method {
 public:
  way next(std::uint64_t, std::uint32_t members) override {
    const auto tried = x_.size();
    if (tried < warm_up) {
      now_ = std::array{0.5, 0.25, 0.75, 0.125}[tried];  // evenly spread, as by Sobol's sequence
    } else if (tried < instances) {
      now_ = at(most_telling(believed()));
    } else if (tried == instances && !settled_) {
      const auto all = believed();
      const auto is_less = [](const belief& a, const belief& b) { return a.mean < b.mean; };
      now_ = at(static_cast<std::size_t>(std::max_element(all.begin(), all.end(), is_less) - all.begin()));
      settled_ = true;
    }
    way how;
    how.schedule = find("fac");
    how.members = members;
    how.variation = theta(now_);
    return how;
  }

  void took(const measured& it) override {
    if (settled_) return;
    x_.push_back(now_);
    seconds_.push_back(it.seconds);
  }
  [[nodiscard]] bool is_settled() const override { return settled_; }

 private:
  /// Of the grid: the greater the shorter the loop is.
  [[nodiscard]] beliefs believed() const {
    double mean = 0;
    double squares = 0;
    for (const double each : seconds_) mean += each / static_cast<double>(seconds_.size());
    for (const double each : seconds_) squares += (each - mean) * (each - mean);
    const double deviation = std::max(std::sqrt(squares / static_cast<double>(seconds_.size())), mean * 1e-9);
    std::vector<double> y;
    y.reserve(seconds_.size());
    for (const double each : seconds_) y.push_back((mean - each) / deviation);
    const auto fitted = likeliest(x_, y);
    beliefs all;
    for (std::size_t p = 0; p < grid; ++p) all[p] = fitted.of(at(p));
    return all;
  }

  std::vector<double> x_;
  std::vector<double> seconds_;
  double now_ = 0.5;
  bool settled_ = false;
};

}  // namespace

std::unique_ptr<method> bayesian() { return std::make_unique<bo_fss>(); }

}  // namespace steelyard::simulator::selection
