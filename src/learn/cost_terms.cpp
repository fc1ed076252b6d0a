// SPDX-License-Identifier: Apache-2.0
#include "learn/cost_terms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cost/source.hpp"
#include "support/assert.hpp"

namespace steelyard::learn {
namespace {

constexpr std::uint32_t most = cost_terms::most;
using vector = std::array<double, most>;
using matrix = std::array<vector, most>;

/// What is left of a column, beside what it was, where the others explain it.
constexpr double nothing_left = 1e-9;

std::uint64_t size_of(std::uint32_t bin, std::uint64_t n) noexcept {
  return schedules::profile::first_of(bin + 1, n) - schedules::profile::first_of(bin, n);
}

/// Eliminates column k from the other rows.
void eliminate(matrix& a, vector& b, std::uint32_t k) noexcept {
  for (std::uint32_t row = 0; row < most; ++row) {
    const double factor = row != k ? a[row][k] / a[k][k] : 0;
    if (factor == 0) continue;
    for (std::uint32_t i = 0; i < most; ++i) a[row][i] -= factor * a[k][i];
    b[row] -= factor * b[k];
  }
}

/// a x = b for the columns that are wanted; 0 elsewhere, and where a column says nothing beside those before.
vector solve(matrix a, vector b, const std::array<bool, most>& wanted) noexcept {
  const matrix whole = a;
  vector found{};
  std::array<bool, most> used{};
  for (std::uint32_t k = 0; k < most; ++k) {
    used[k] = wanted[k] && a[k][k] > nothing_left * whole[k][k];
    if (used[k]) eliminate(a, b, k);
  }
  for (std::uint32_t k = 0; k < most; ++k) found[k] = used[k] ? b[k] / a[k][k] : 0;
  return found;
}

/// The same, with none below 0: the lowest of these is left out, and so on.
vector solve_without_negative(const matrix& a, const vector& b, std::uint32_t terms) noexcept {
  std::array<bool, most> wanted{};
  std::fill_n(wanted.begin(), terms, true);
  vector found = solve(a, b, wanted);
  for (std::uint32_t round = 0; round < most; ++round) {
    const auto lowest = std::min_element(found.begin(), found.end());
    if (!(*lowest < 0)) break;
    wanted[static_cast<std::size_t>(lowest - found.begin())] = false;
    found = solve(a, b, wanted);
  }
  return found;
}

}  // namespace

void cost_terms::begin(std::uint32_t terms, const double* iteration, const double* seeds) noexcept {
  STEELYARD_ASSERT(terms < most, "cost_terms.hpp: there are so many terms at most");
  terms_ = terms + 1;
  constants_ = {cost::valid(*iteration)};
  for (std::uint32_t k = 0; k < terms; ++k) constants_[k + 1] = cost::valid(seeds[k]);
}

void cost_terms::set(std::span<const row> of_bins, std::uint64_t n) noexcept {
  iterations_ = n;
  std::copy_n(of_bins.begin(), std::min(of_bins.size(), numbers_.size()), numbers_.begin());
}

vector cost_terms::numbers_of(std::uint32_t bin) const noexcept {
  vector all{static_cast<double>(size_of(bin, iterations_))};
  for (std::uint32_t k = 1; k < terms_; ++k) all[k] = numbers_[k - 1][bin];
  return all;
}

bool cost_terms::weigh(schedules::profile& into) const noexcept {
  std::array<double, bins> work{};
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    const vector x = numbers_of(bin);
    for (std::uint32_t k = 0; k < terms_; ++k) work[bin] += constants_[k] * x[k];
  }
  return into.set(work);
}

void cost_terms::refine(const std::uint64_t* ticks) noexcept {
  for (auto& equation : products_) {
    for (double& product : equation) product /= 2;
  }
  for (double& result : results_) result /= 2;
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    const vector x = numbers_of(bin);
    for (std::uint32_t k = 0; k < terms_; ++k) {
      for (std::uint32_t i = 0; i < terms_; ++i) products_[k][i] += x[k] * x[i];
      results_[k] += x[k] * static_cast<double>(ticks[bin]);
    }
  }
  const vector found = solve_without_negative(products_, results_, terms_);
  const bool usable = std::all_of(found.begin(), found.end(), [](double c) { return std::isfinite(c); }) &&
                      std::any_of(found.begin(), found.end(), [](double c) { return c > 0; });
  if (usable) constants_ = found;
}

bool is_guess(const double* iteration) noexcept { return *iteration > 0; }

std::uint64_t guessed_ticks(std::span<const cost_terms::row> of_bins, std::uint64_t n, std::uint32_t first,
                            std::uint32_t behind, const double* iteration, const double* seeds) noexcept {
  using schedules::profile;
  constexpr double in_a_tick = 4;
  constexpr double most_told = 1e18;
  const auto count = profile::first_of(behind, n) - profile::first_of(first, n);
  double operations = cost::valid(*iteration) * static_cast<double>(count);
  for (std::size_t k = 0; k < of_bins.size(); ++k) {
    for (auto bin = first; bin < behind; ++bin) operations += cost::valid(seeds[k]) * of_bins[k][bin];
  }
  return static_cast<std::uint64_t>(std::min(operations / in_a_tick, most_told));
}

void spread(double* sums, std::uint64_t count, std::uint32_t first, std::uint32_t behind, std::uint64_t n,
            std::span<cost_terms::row> to) noexcept {
  for (std::size_t k = 0; k < to.size(); ++k) {
    const double mean = count != 0 ? cost::valid(sums[k]) / static_cast<double>(count) : 0;
    for (auto bin = first; bin < behind; ++bin) to[k][bin] = mean * static_cast<double>(size_of(bin, n));
    sums[k] = 0;
  }
}

}  // namespace steelyard::learn
