// SPDX-License-Identifier: Apache-2.0
#include "learn/cost_profile.hpp"

#include <algorithm>
#include <numeric>

#include "schedules/roots.hpp"

namespace steelyard::learn {
namespace {

using wide = unsigned __int128;

constexpr std::uint64_t at_most(wide value) noexcept {
  constexpr wide most = ~std::uint64_t{0};
  return static_cast<std::uint64_t>(std::min(value, most));
}

std::uint64_t read(const sync::real::atomic<std::uint64_t>& of) noexcept {
  return of.load(sync::relaxed, sync::site{"A21"});
}

}  // namespace

/// The iteration with which a part begins.
std::uint64_t cost_profile::begin_of(std::uint64_t bin) const noexcept {
  return static_cast<std::uint64_t>((wide{iterations_} * bin + bins - 1) / bins);
}

void cost_profile::begin(std::uint64_t n) noexcept {
  iterations_ = n;
  for (part& each : parts_) {
    for (const auto of : sums) (each.*of).store(0, sync::relaxed, sync::site{"A21"});
  }
}

void cost_profile::took(std::uint64_t first, std::uint64_t count, std::uint64_t ticks) noexcept {
  const auto add = [](sum& to, std::uint64_t what) { to.fetch_add(what, sync::relaxed, sync::site{"A21"}); };
  const auto end = first + count;
  std::uint64_t noted = 0;
  for (auto bin = static_cast<std::uint64_t>(wide{first} * bins / iterations_); noted != ticks && bin != bins; ++bin) {
    const auto until = std::min(begin_of(bin + 1), end);
    const auto by_then = static_cast<std::uint64_t>(wide{ticks} * (until - first) / count);
    add(parts_[bin].ticks, by_then - noted);
    noted = by_then;
    if (until - first != count || first < begin_of(bin)) continue;
    add(parts_[bin].chunks, 1);
    add(parts_[bin].whole_ticks, ticks);
    add(parts_[bin].iterations, count);
    add(parts_[bin].squares, at_most(wide{ticks} * ticks / count));
  }
}

std::uint64_t cost_profile::work() const noexcept {
  std::uint64_t all = 0;
  for (const part& each : parts_) all += read(each.ticks);
  return all;
}

/// Parts differ by chance, too, where iterations do. If they differed by nothing else, each would be as unlike its neighbour as unlike all others, and as iterations that
/// deviate so say. Neither says more than there is: a step is between neighbours, and what comes in turn deviates. So the lesser of both is taken for chance, and
/// each part is as much nearer to the mean of all as makes the expected error least (Wiener).
void cost_profile::leave_out_chance(std::array<double, bins>& found) const noexcept {
  const double mean = std::accumulate(found.begin(), found.end(), 0.0) / bins;
  double squares = 0;
  double variance = 0;
  double of_neighbours = 0;
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    const auto apart = found[bin] - (bin != 0 ? found[bin - 1] : found[bin]);
    squares += found[bin] * found[bin];
    variance += (found[bin] - mean) * (found[bin] - mean);
    of_neighbours += apart * apart / 2;
  }
  const auto deviates = static_cast<double>(deviation()) / 1024;
  const auto of_iterations = squares * deviates * deviates * bins / static_cast<double>(iterations_);
  const auto chance = std::min(of_neighbours, of_iterations);
  if (!(chance > 0)) return;
  const auto believed = chance < variance ? 1 - chance / variance : 0;
  for (double& each : found) each = mean + believed * (each - mean);
}

/// Where iterations are fewer than parts, a part without any costs as much as the one before it: they share that iteration.
bool cost_profile::spread(density& costs) const noexcept {
  if (work() == 0) return false;
  std::array<double, bins> found{};
  for (std::uint32_t bin = 0; bin < bins;) {
    std::uint32_t next = bin + 1;
    while (next < bins && begin_of(next + 1) == begin_of(next)) ++next;
    const auto each = static_cast<double>(read(parts_[bin].ticks)) / (next - bin);
    std::fill(found.begin() + bin, found.begin() + next, each);
    bin = next;
  }
  leave_out_chance(found);
  costs.set(found.data());
  return true;
}

/// In each part the chunks' squares, less those of its mean, are the variance times the chunks but one.
std::uint64_t cost_profile::deviation() const noexcept {
  double squares = 0;
  double means = 0;
  for (const part& each : parts_) {
    const auto chunks = static_cast<double>(read(each.chunks));
    if (chunks < 2) continue;
    const auto ticks = static_cast<double>(read(each.whole_ticks));
    const auto mean = ticks / static_cast<double>(read(each.iterations));
    squares += static_cast<double>(read(each.squares)) - ticks * mean;
    means += (chunks - 1) * mean * mean;
  }
  return squares > 0 && means > 0 ? static_cast<std::uint64_t>(schedules::square_root(squares / means) * 1024) : 0;
}

}  // namespace steelyard::learn
