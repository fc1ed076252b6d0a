// SPDX-License-Identifier: Apache-2.0
#include "learn/cost_profile.hpp"

#include <algorithm>

#include "learn/sum_over.hpp"
#include "schedules/roots.hpp"

namespace steelyard::learn {
namespace {

using wide = unsigned __int128;

/// Bits behind the point of what an iteration takes.
constexpr std::uint32_t fraction = 32;

constexpr std::uint64_t at_most(wide value) noexcept {
  constexpr wide most = ~std::uint64_t{0};
  return static_cast<std::uint64_t>(std::min(value, most));
}

std::uint64_t read(const sync::real::atomic<std::uint64_t>& of) noexcept {
  return of.load(sync::relaxed, sync::site{"A21"});
}

void add(sync::real::atomic<std::uint64_t>& to, std::uint64_t what) noexcept {
  to.fetch_add(what, sync::relaxed, sync::site{"A21"});
}

}  // namespace

/// The iteration with which a part begins.
std::uint64_t cost_profile::begin_of(std::uint64_t bin) const noexcept {
  return static_cast<std::uint64_t>((wide{iterations_} * bin + bins - 1) / bins);
}

void cost_profile::begin(std::uint64_t n) noexcept {
  const auto clear = [](sum& each) { each.store(0, sync::relaxed, sync::site{"A21"}); };
  iterations_ = n;
  for (sum& each : ticks_) clear(each);
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    if (read(chunks_[bin]) == 0) continue;
    clear(chunks_[bin]);
    for (const auto of : {&whole::ticks, &whole::iterations, &whole::squares}) clear(wholes_[bin].*of);
  }
}

/// A part that lies in the chunk whole is nobody else's, so its time is stored: a store waits for no line. To others it is added.
void cost_profile::took(std::uint64_t first, std::uint64_t count, std::uint64_t ticks) noexcept {
  const auto end = first + count;
  const auto rate = (wide{ticks} << fraction) / count;
  std::uint64_t noted = 0;
  auto bin = static_cast<std::uint32_t>(wide{first} * bins / iterations_);
  for (auto begin = begin_of(bin); noted != ticks && bin != bins; ++bin) {
    const auto next = begin_of(bin + 1);
    const auto until = std::min(next, end);
    const auto by_then = until == end ? ticks : static_cast<std::uint64_t>(rate * (until - first) >> fraction);
    if (first <= begin && next <= end && begin != next) {
      ticks_[bin].store(by_then - noted, sync::relaxed, sync::site{"A21"});
    } else {
      add(ticks_[bin], by_then - noted);
    }
    noted = by_then;
    if (begin <= first && until == end) note_whole(bin, count, ticks);
    begin = next;
  }
}

/// By a member whose chunk lies in that part.
void cost_profile::note_whole(std::uint32_t bin, std::uint64_t count, std::uint64_t ticks) noexcept {
  add(chunks_[bin], 1);
  add(wholes_[bin].ticks, ticks);
  add(wholes_[bin].iterations, count);
  add(wholes_[bin].squares, at_most(wide{ticks} * ticks / count));
}

std::uint64_t cost_profile::work() const noexcept {
  std::uint64_t all = 0;
  for (const sum& each : ticks_) all += read(each);
  return all;
}

/// Parts differ by chance, too, where iterations do. If they differed by nothing else, each would be as unlike its neighbour as unlike all others, and as iterations that
/// deviate so say. Neither says more than there is: a step is between neighbours, and what comes in turn deviates. So the lesser of both is taken for chance, and
/// each part is as much nearer to the mean of all as makes the expected error least (Wiener).
void cost_profile::leave_out_chance(std::array<double, bins>& found, summary all) const noexcept {
  const double mean = static_cast<double>(all.work) / bins;
  const double squares = sum_over<bins>([&](std::uint32_t bin) { return found[bin] * found[bin]; });
  const double variance = squares - mean * mean * bins;
  const double of_neighbours = sum_over<bins>([&](std::uint32_t bin) {
    const auto apart = bin != 0 ? found[bin] - found[bin - 1] : 0;
    return apart * apart / 2;
  });
  const auto deviates = static_cast<double>(all.deviation) / 1024;
  const auto of_iterations = squares * deviates * deviates * bins / static_cast<double>(iterations_);
  const auto chance = std::min(of_neighbours, of_iterations);
  if (!(chance > 0)) return;
  const auto believed = chance < variance ? 1 - chance / variance : 0;
  for (double& each : found) each = mean + believed * (each - mean);
}

/// Where iterations are fewer than parts, a part without any costs as much as the one before it.
void cost_profile::share_iterations(std::array<double, bins>& found) const noexcept {
  for (std::uint32_t bin = 0; bin < bins;) {
    std::uint32_t next = bin + 1;
    while (next < bins && begin_of(next + 1) == begin_of(next)) ++next;
    std::fill(found.begin() + bin, found.begin() + next, found[bin] / (next - bin));
    bin = next;
  }
}

cost_profile::summary cost_profile::sum_up(density& costs) const noexcept {
  const summary all{work(), deviation()};
  if (all.work == 0) return all;
  std::array<double, bins> found;
  for (std::uint32_t bin = 0; bin < bins; ++bin) found[bin] = static_cast<double>(read(ticks_[bin]));
  if (iterations_ < bins) share_iterations(found);
  leave_out_chance(found, all);
  costs.set(found.data());
  return all;
}

/// In each part the chunks' squares, less those of its mean, are the variance times the chunks but one.
std::uint64_t cost_profile::deviation() const noexcept {
  double squares = 0;
  double means = 0;
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    const auto chunks = static_cast<double>(read(chunks_[bin]));
    if (chunks < 2) continue;
    const auto ticks = static_cast<double>(read(wholes_[bin].ticks));
    const auto mean = ticks / static_cast<double>(read(wholes_[bin].iterations));
    squares += static_cast<double>(read(wholes_[bin].squares)) - ticks * mean;
    means += (chunks - 1) * mean * mean;
  }
  return squares > 0 && means > 0 ? static_cast<std::uint64_t>(schedules::square_root(squares / means) * 1024) : 0;
}

}  // namespace steelyard::learn
