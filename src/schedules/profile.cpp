// SPDX-License-Identifier: Apache-2.0
#include "schedules/profile.hpp"

#include <algorithm>
#include <limits>

#include "cost/source.hpp"

namespace steelyard::schedules {

void profile::set(const weights& of_bins) noexcept {
  std::uint64_t all = 0;
  std::uint64_t most = 0;
  for (std::uint32_t b = 0; b < bins; ++b) {
    sums_[b].store(all, sync::relaxed, sync::site{"W2"});
    all += of_bins[b];
    most = std::max(most, of_bins[b]);
  }
  sums_[bins].store(all, sync::relaxed, sync::site{"W2"});
  most_.store(most, sync::relaxed, sync::site{"W2"});
}

bool profile::set(double (*cost)(void* context, std::int64_t index), void* context, std::int64_t first,
                  std::int64_t stride, std::uint64_t n) {
  std::array<double, bins> of_bins{};
  for (std::uint32_t b = 0; b < bins; ++b) {
    for (auto i = first_of(b, n); i < first_of(b + 1, n); ++i) {
      // As the program counts: modulo 2^64.
      const auto index = static_cast<std::uint64_t>(first) + i * static_cast<std::uint64_t>(stride);
      of_bins[b] += cost::valid(cost(context, static_cast<std::int64_t>(index)));
    }
  }
  return set(of_bins);
}

void profile::move(double* work, double* bin) noexcept {
  *bin += *work;
  *work = 0;
}

bool profile::set(const std::array<double, bins>& of_bins) noexcept {
  double all = 0;
  for (const double of : of_bins) all += of;
  const bool usable = all > 0 && all <= std::numeric_limits<double>::max();  // not so for NaN and infinity
  if (!usable) return false;
  constexpr double full = 0x1.0p62;
  weights scaled{};
  for (std::uint32_t b = 0; b < bins; ++b) scaled[b] = static_cast<std::uint64_t>(of_bins[b] / all * full);
  set(scaled);
  return true;
}

std::uint32_t profile::reaching(double work, std::uint32_t n) const noexcept {
  std::uint32_t low = 0;  // sum(low) <= work
  for (std::uint32_t high = bins; high - low > 1;) {
    const auto middle = low + (high - low) / 2;
    (sum(middle) <= work ? low : high) = middle;
  }
  const double begin = sum(low);
  const double of_bin = sum(low + 1) - begin;
  const double within = of_bin > 0 ? std::clamp((work - begin) / of_bin, 0.0, 1.0) : 0;
  return static_cast<std::uint32_t>(std::min((low + within) * n / bins, static_cast<double>(n)));
}

}  // namespace steelyard::schedules
