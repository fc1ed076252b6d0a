// SPDX-License-Identifier: Apache-2.0
#include "learn/density.hpp"

#include <algorithm>

namespace steelyard::learn {
namespace {

constexpr double width = 1.0 / density::bins;
/// No bin is ever believed to cost nothing, or it could never be found to cost something.
constexpr double least = 1e-6 * width;

/// Calls piece(bin, block, length) for each piece of the space that lies in one bin and one block, in order.
template <class Piece>
void for_each_piece(const double* ends, std::uint32_t blocks, Piece piece) noexcept {
  double at = 0;
  std::uint32_t bin = 0;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const double end = block + 1 == blocks ? 1 : std::clamp(ends[block], at, 1.0);
    while (bin < density::bins) {
      const double next = std::min((bin + 1) * width, end);
      if (next > at) piece(bin, block, next - at);
      at = std::max(at, next);
      if ((bin + 1) * width > end) break;
      ++bin;
    }
  }
}

}  // namespace

density::density() noexcept { cost_.fill(1.0F / bins); }

void density::set(const double* costs) noexcept {
  double all = 0;
  for (std::uint32_t bin = 0; bin < bins; ++bin) all += costs[bin];
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    cost_[bin] = static_cast<float>(all > 0 ? std::max(costs[bin] / all, least) : width);
  }
}

void density::parts(const double* ends, std::uint32_t blocks, double* parts) const noexcept {
  std::fill_n(parts, blocks, 0.0);
  for_each_piece(ends, blocks, [&](std::uint32_t bin, std::uint32_t block, double length) {
    parts[block] += cost_[bin] * (length / width);
  });
}

void density::cut(std::uint32_t blocks, double* ends) const noexcept {
  double all = 0;
  for (const float cost : cost_) all += cost;
  double before = 0;
  std::uint32_t bin = 0;
  for (std::uint32_t block = 0; block + 1 < blocks; ++block) {
    const double wanted = all * (block + 1) / blocks;
    while (bin + 1 < bins && before + cost_[bin] < wanted) before += cost_[bin++];
    ends[block] = std::min((bin + (wanted - before) / cost_[bin]) * width, 1.0);
  }
  ends[blocks - 1] = 1;
}

void density::fit(const double* ends, const double* parts, std::uint32_t blocks) noexcept {
  std::array<double, most_blocks> known;
  this->parts(ends, blocks, known.data());
  std::array<double, bins> fitted{};
  for_each_piece(ends, blocks, [&](std::uint32_t bin, std::uint32_t block, double length) {
    fitted[bin] += cost_[bin] * (length / width) * (parts[block] / known[block]);
  });
  double all = 0;
  for (double& cost : fitted) all += cost = std::max(cost, least);
  for (std::uint32_t bin = 0; bin < bins; ++bin) cost_[bin] = static_cast<float>(fitted[bin] / all);
}

void density::draw(const double* ends, const double* parts, std::uint32_t blocks) noexcept {
  // A line through the middles of two neighbours; the first and the last go on beyond.
  const auto middle = [&](std::uint32_t m) { return (ends[m] + (m == 0 ? 0 : ends[m - 1])) / 2; };
  const auto height = [&](std::uint32_t m) {
    const double length = ends[m] - (m == 0 ? 0 : ends[m - 1]);
    return length > 0 ? parts[m] / length : 1.0;
  };
  std::uint32_t left = 0;
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    const double at = (bin + 0.5) * width;
    while (left + 2 < blocks && at > middle(left + 1)) ++left;
    double here = height(left);
    if (left + 1 < blocks && middle(left + 1) > middle(left)) {
      here += (height(left + 1) - here) * (at - middle(left)) / (middle(left + 1) - middle(left));
    }
    cost_[bin] = static_cast<float>(std::max(here * width, least));
  }
  fit(ends, parts, blocks);
}

}  // namespace steelyard::learn
