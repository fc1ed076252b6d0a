// SPDX-License-Identifier: Apache-2.0
#include "learn/serial_costs.hpp"

#include <algorithm>
#include <cmath>

namespace steelyard::learn {
namespace {

/// More than instances of one phase differ by.
constexpr double large = 0.1;
/// On a machine that does other work shares are often unequal, and two instances on one member are dear.
constexpr std::uint32_t least_apart = 16;

}  // namespace

serial_costs::pass serial_costs::begin(std::uint64_t n) noexcept {
  const bool like_before = next_ == pass::differences ? n == iterations_ : n / 2 <= iterations_ && iterations_ / 2 <= n;
  if (!like_before) next_ = pass::total;
  if (next_ == pass::none) return next_;
  iterations_ = n;
  sum_ = 0;
  at_ = 0;
  bin_ = 0;
  border_ = n;
  return next_;
}

void serial_costs::took(std::uint64_t ticks) noexcept {
  total_ = ticks;
  next_ = pass::differences;
}

/// A bin ends within the iteration that took so long, or with it.
void serial_costs::pass_border(std::uint64_t ticks) noexcept {
  const double behind = static_cast<double>(at_ - border_) / density::bins;
  before_[bin_++] = static_cast<double>(sum_) - behind * static_cast<double>(ticks);
  border_ = bin_ != density::bins ? border_ + iterations_ : ~std::uint64_t{0};
}

void serial_costs::took_all() noexcept {
  next_ = pass::none;
  usual_ = -1;
  shared_ = 0;
  doubted_ = false;
}

void serial_costs::shared(double imbalance) noexcept {
  if (usual_ < 0) usual_ = imbalance;
  ++shared_;
  const bool unequal = imbalance > usual_ + large;
  if (unequal && doubted_ && shared_ >= least_apart) next_ = pass::total;
  doubted_ = unequal && !doubted_;
}

void serial_costs::stopped() noexcept { next_ = pass::total; }

density serial_costs::spread() const noexcept {
  std::array<double, density::bins> costs;
  for (std::uint32_t bin = 0; bin < density::bins; ++bin) costs[bin] = before_[bin] - (bin != 0 ? before_[bin - 1] : 0);
  density found;
  found.set(costs.data());
  return found;
}

double serial_costs::error() const noexcept {
  const auto total = static_cast<double>(total_);
  return next_ == pass::none && total > 0 ? 100 * std::abs(total - static_cast<double>(sum_)) / total : 0;
}

}  // namespace steelyard::learn
