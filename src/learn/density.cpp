// SPDX-License-Identifier: Apache-2.0
#include "learn/density.hpp"

#include <algorithm>

#include "learn/sum_over.hpp"

namespace steelyard::learn {
namespace {

constexpr double width = 1.0 / density::bins;
/// No bin is ever believed to cost nothing, or it could never be found to cost something.
constexpr auto least = static_cast<float>(1e-6 * width);

template <std::uint32_t Count, class Number>
double sum_of(const Number* numbers) noexcept {
  return sum_over<Count>([numbers](std::uint32_t each) { return numbers[each]; });
}

/// Far more or less than any ratio of costs, and its square is a number, too: programs may have made the processor stop where a number
/// becomes too large.
double bounded(double value) noexcept { return std::clamp(value, 1e-100, 1e100); }

double power(double base, int exponent) noexcept {
  if (exponent < 0) return 1 / power(base, -exponent);
  double all = 1;
  for (; exponent != 0; exponent /= 2, base = bounded(base * base)) {
    if (exponent % 2 != 0) all = bounded(all * base);
  }
  return all;
}

/// What has to be multiplied with itself so often to give `value`; for the drop-in, which has no mathematics but that of processors.
double root(double value, int times) noexcept {
  double low = std::min(value, 1.0);
  double high = std::max(value, 1.0);
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (power(middle, times) < value ? low : high) = middle;
  }
  return low;
}

/// What costs are like between the middles of two neighbours, and beyond them where one is the first or the last: on a line. Where
/// that would fall below nothing, they rise or fall by the same factor everywhere.
class curve {
 public:
  struct point {
    double at, height;
  };
  curve(point left, point right, double from, double to) noexcept
      : left_(left), slope_(right.at > left.at ? (right.height - left.height) / (right.at - left.at) : 0) {
    if (std::min(line(from), line(to)) >= negligible || bin_of(left.at) == bin_of(right.at)) return;
    const double ratio = std::clamp(right.height / std::max(left.height, least_height), least_height, 1 / least_height);
    left_.height = std::max(left.height, least_height);
    factor_ = root(ratio, bin_of(right.at) - bin_of(left.at));
  }

  /// What bins cost, in parts of the whole, from one to before another.
  void draw(std::uint32_t from, std::uint32_t to, double* costs) const noexcept {
    double height = 0;
    if (factor_ != 0) height = left_.height * power(factor_, static_cast<int>(from) - bin_of(left_.at));
    for (std::uint32_t bin = from; bin < to; ++bin, height *= factor_) {
      const double at = factor_ != 0 ? height : line((bin + 0.5) * width);
      costs[bin] = std::max(at * width, double{least});
    }
  }

 private:
  static constexpr double negligible = -0.1;
  static constexpr double least_height = 1e-3;
  [[nodiscard]] static int bin_of(double at) noexcept { return static_cast<int>(at * density::bins); }
  [[nodiscard]] double line(double at) const noexcept { return left_.height + slope_ * (at - left_.at); }

  point left_;
  double slope_;
  double factor_ = 0;  ///< from one bin to the next; 0: it is a line
};

/// What lies between the ends of blocks of several instances. All bins of a segment are scaled alike, however often, so a fit of many
/// rounds looks at segments, and at the bins once.
class segments {
 public:
  explicit segments(std::span<const density::finding> found) noexcept {
    for (const density::finding& each : found) {
      for (std::uint32_t m = 0; m + 1 < each.blocks; ++m) ends_[count_++] = each.ends[m];
    }
    ends_[count_++] = 1;
    std::sort(ends_.begin(), ends_.begin() + count_);
    count_ = static_cast<std::uint32_t>(std::unique(ends_.begin(), ends_.begin() + count_) - ends_.begin());
  }

  [[nodiscard]] const double* ends() const noexcept { return ends_.data(); }
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  [[nodiscard]] double* costs() noexcept { return costs_.data(); }

  /// What each bin costs, times the factors of the segments that it lies in.
  void scale(const std::array<float, density::bins>& costs, std::array<float, density::bins>& scaled) const noexcept {
    double at = 0;  // in bins
    std::uint32_t bin = 0;
    double begun = 0;  // of that bin, what lies in segments before
    for (std::uint32_t segment = 0; segment < count_; ++segment) {
      const double factor = factors_[segment];
      const double end = std::max(segment + 1 == count_ ? 1 : ends_[segment], at * width) / width;
      const auto whole_bins = static_cast<std::uint32_t>(end);
      if (whole_bins > bin) {
        scaled[bin] = static_cast<float>(begun + costs[bin] * (bin + 1 - at) * factor);
        while (++bin < whole_bins) scaled[bin] = costs[bin] * static_cast<float>(factor);
        begun = 0;
        at = bin;
      }
      if (end > at) begun += costs[bin] * (end - at) * factor;
      at = end;
    }
  }

  /// The costs are filled in; from them the factors.
  void fit(std::span<const density::finding> found, int rounds) noexcept {
    std::fill_n(factors_.begin(), count_, 1.0);
    for (int round = 0; round < rounds; ++round) {
      for (const density::finding& each : found) meet(each);
    }
  }

 private:
  /// No segment falls to nothing: it could never be found to cost something.
  void meet(const density::finding& by) noexcept {
    std::uint32_t segment = 0;
    for (std::uint32_t block = 0; block < by.blocks; ++block) {
      const std::uint32_t first = segment;
      const double end = block + 1 == by.blocks ? 1 : by.ends[block];
      double known = 0;
      for (; segment < count_ && ends_[segment] <= end; ++segment) known += costs_[segment] * factors_[segment];
      if (known <= 0) continue;
      const double factor = by.parts[block] / known;
      for (std::uint32_t each = first; each < segment; ++each) {
        factors_[each] = std::max(factors_[each] * factor, least_factor);
      }
    }
  }

  static constexpr double least_factor = 1e-6;
  std::array<double, density::most_ends> ends_;
  std::array<double, density::most_ends> costs_;
  std::array<double, density::most_ends> factors_;
  std::uint32_t count_ = 0;
};

}  // namespace

density::density() noexcept {
  cost_.fill(static_cast<float>(width));
  for (std::size_t group = 0; group <= groups; ++group) before_[group] = width * in_group * static_cast<double>(group);
}

/// One for each bin, no less than nothing, and not all of them nothing; from now on they add up to 1.
template <class Number>
void density::take(const Number* costs) noexcept {
  double all = 0;
  for (std::size_t group = 0; group < groups; ++group) all += sum_of<in_group>(&costs[group * in_group]);
  const auto scale = static_cast<Number>(1 / all);
  for (std::uint32_t bin = 0; bin < bins; ++bin) cost_[bin] = std::max(static_cast<float>(costs[bin] * scale), least);
  before_[0] = 0;
  for (std::size_t group = 0; group < groups; ++group)
    before_[group + 1] = before_[group] + sum_of<in_group>(&cost_[group * in_group]);
}

void density::set(const double* costs) noexcept {
  const bool nothing = std::all_of(costs, costs + bins, [](double cost) { return cost <= 0; });
  if (nothing) {
    *this = density();
  } else {
    take(costs);
  }
}

/// What all that lies before a position costs.
double density::before(double at) const noexcept {
  const double in_bins = std::clamp(at, 0.0, 1.0) * bins;
  const auto bin = static_cast<std::uint32_t>(in_bins);
  if (bin >= bins) return before_[groups];
  double sum = before_[bin / in_group];
  for (std::uint32_t each = bin / in_group * in_group; each < bin; ++each) sum += cost_[each];
  return sum + cost_[bin] * (in_bins - bin);
}

void density::parts(const double* ends, std::uint32_t blocks, double* parts) const noexcept {
  double begun = 0;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const double end = block + 1 == blocks ? before_[groups] : std::max(before(ends[block]), begun);
    parts[block] = end - begun;
    begun = end;
  }
}

void density::scaled(std::uint16_t most, std::array<std::uint16_t, bins>& into) const noexcept {
  const float highest = *std::max_element(cost_.begin(), cost_.end());
  const auto twice = static_cast<float>(2 * std::uint32_t{most});
  for (std::uint32_t bin = 0; bin < bins; ++bin)
    into[bin] = static_cast<std::uint16_t>((static_cast<std::uint32_t>(cost_[bin] / highest * twice) + 1) / 2);
}

void density::cut(std::uint32_t blocks, double* ends) const noexcept {
  const double all = before_[groups];
  std::uint32_t group = 0;
  for (std::uint32_t block = 0; block + 1 < blocks; ++block) {
    const double wanted = all * (block + 1) / blocks;
    while (group + 1 < groups && before_[group + 1] < wanted) ++group;
    double sum = before_[group];
    std::uint32_t bin = group * in_group;
    while (bin + 1 < bins && sum + cost_[bin] < wanted) sum += cost_[bin++];
    ends[block] = std::min((bin + (wanted - sum) / cost_[bin]) * width, 1.0);
  }
  ends[blocks - 1] = 1;
}

void density::cut(std::uint32_t blocks, std::uint64_t n, std::uint64_t* ends) const noexcept {
  std::array<double, most_blocks> at;
  cut(blocks, at.data());
  for (std::uint32_t block = 0; block + 1 < blocks; ++block) {
    ends[block] = std::min(static_cast<std::uint64_t>(at[block] * static_cast<double>(n)), n);
  }
  ends[blocks - 1] = n;
}

void density::fit(const double* ends, const double* parts, std::uint32_t blocks) noexcept {
  const finding once{ends, parts, blocks};
  fit({&once, 1}, 1, *this);
}

void density::fit(std::span<const finding> found, int rounds, density& into) const noexcept {
  segments between(found);
  parts(between.ends(), between.count(), between.costs());
  between.fit(found, rounds);
  std::array<float, bins> fitted;
  between.scale(cost_, fitted);
  into.take(fitted.data());
}

void density::draw(const double* ends, const double* parts, std::uint32_t blocks) noexcept {
  const auto middle = [&](std::uint32_t m) -> curve::point {
    const double begin = m == 0 ? 0 : ends[m - 1];
    const double length = ends[m] - begin;
    return {begin + length / 2, length > 0 ? parts[m] / length : 1.0};
  };
  const auto from = [&](std::uint32_t left) {
    const std::uint32_t right = std::min(left + 1, blocks - 1);
    return curve(middle(left), middle(right), left == 0 ? 0 : middle(left).at,
                 left + 2 >= blocks ? 1 : middle(right).at);
  };
  std::array<double, bins> drawn;
  std::uint32_t bin = 0;
  for (std::uint32_t left = 0; bin < bins; ++left) {
    const bool last = left + 2 >= blocks;
    const double right = middle(std::min(left + 1, blocks - 1)).at;
    std::uint32_t until = bin;
    while (until < bins && (last || (until + 0.5) * width <= right)) ++until;
    if (until > bin) from(left).draw(bin, until, drawn.data());
    bin = until;
  }
  take(drawn.data());
  fit(ends, parts, blocks);
}

}  // namespace steelyard::learn
