// SPDX-License-Identifier: Apache-2.0
#include "learn/sketch.hpp"

#include <algorithm>

#include "learn/density.hpp"

namespace steelyard::learn {

sketch::sketch(const density& of) noexcept {
  std::array<double, bins> ends;
  std::array<double, bins> costs;
  for (std::uint32_t bin = 0; bin < bins; ++bin) ends[bin] = (bin + 1.0) / bins;
  of.parts(ends.data(), bins, costs.data());
  const double highest = *std::max_element(costs.begin(), costs.end());
  for (std::uint32_t bin = 0; bin < bins; ++bin) cost_[bin] = static_cast<std::uint16_t>(costs[bin] / highest * 65535);
}

void sketch::parts(const double* ends, std::uint32_t blocks, double* parts) const noexcept {
  double all = 0;
  for (const auto cost : cost_) all += cost;
  double before = 0;  // what whole bins cost
  std::uint32_t bin = 0;
  double begun = 0;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const double end = block + 1 == blocks ? bins : std::clamp(ends[block], 0.0, 1.0) * bins;
    while (bin + 1 < bins && bin + 1 <= end) before += cost_[bin++];
    const double sum = std::max(before + cost_[bin] * (end - bin), begun);
    parts[block] = (sum - begun) / all;
    begun = sum;
  }
}

}  // namespace steelyard::learn
