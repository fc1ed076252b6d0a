// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "simulator/selection/methods.hpp"

namespace steelyard::simulator::selection {
namespace {

constexpr std::array<std::string_view, 7> all_names{"automatic",  "exhaustive", "random", "expert",
                                                    "q-learning", "sarsa",      "bo-fss"};

}  // namespace

std::span<const std::string_view> names() noexcept { return all_names; }

std::unique_ptr<method> make(std::string_view name, const conditions& under, std::uint64_t seed) {
  if (name == "automatic") return ours(under);
  if (name == "exhaustive") return exhaustive();
  if (name == "random") return random(seed);
  if (name == "expert") return expert();
  if (name == "q-learning") return q_learning();
  if (name == "sarsa") return sarsa();
  if (name == "bo-fss") return bayesian();
  return nullptr;
}

}  // namespace steelyard::simulator::selection
