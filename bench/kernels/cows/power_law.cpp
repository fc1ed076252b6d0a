// SPDX-License-Identifier: Apache-2.0
#include "power_law.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "graph/random.hpp"

namespace cows {

namespace {

using graph::vertex;

// The curve D (1 + x/s)^-a from D at 0 to `least` at n.
struct curve {
  double n, most, least, exponent;

  double scale() const { return n / std::expm1(std::log(most / least) / exponent); }
  double at(double x) const { return most * std::pow(1 + x / scale(), -exponent); }
  double sum() const {
    const double rest = 1 - exponent;
    const double logarithm = std::log(most / least) / exponent;  // of 1 + n/s
    if (std::abs(rest) < 1e-9) return most * scale() * logarithm;
    return most * scale() * std::expm1(rest * logarithm) / rest;
  }
};

// A generator of its own for each use of a seed.
class draws {
 public:
  explicit draws(std::uint64_t seed) : counter_(seed << 48) {}
  std::uint64_t below(std::uint64_t bound) { return graph::random_bits(counter_++) % bound; }

 private:
  std::uint64_t counter_;
};

using arc = std::pair<vertex, vertex>;
using arcs = std::vector<arc>;

arcs joined_ends(const std::vector<std::uint64_t>& degrees, draws& draw) {
  std::vector<vertex> ends;
  ends.reserve(std::accumulate(degrees.begin(), degrees.end(), std::uint64_t{0}));
  for (std::size_t v = 0; v < degrees.size(); ++v) ends.insert(ends.end(), degrees[v], static_cast<vertex>(v));
  for (std::size_t left = ends.size(); left > 1; --left) std::swap(ends[left - 1], ends[draw.below(left)]);
  arcs all(ends.size() / 2);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {ends[2 * i], ends[2 * i + 1]};
  return all;
}

arc ordered(vertex u, vertex v) { return u < v ? arc{u, v} : arc{v, u}; }

// Sorts the edges and returns the places of loops and of those that were there before.
std::vector<std::size_t> flaws(arcs& all) {
  for (auto& each : all) each = ordered(each.first, each.second);
  std::sort(all.begin(), all.end());
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].first == all[i].second || (i > 0 && all[i] == all[i - 1])) found.push_back(i);
  }
  return found;
}

// Exchanges ends of each flawed edge with a random one, such that neither of the two was there before if that can be had.
arcs exchanged(const arcs& all, const std::vector<std::size_t>& flawed, draws& draw) {
  constexpr int tries = 50;
  const auto fresh = [&](const arc& edge) {
    return edge.first != edge.second && !std::binary_search(all.begin(), all.end(), edge);
  };
  arcs next = all;
  for (const std::size_t i : flawed) {
    for (int attempt = 0; attempt < tries; ++attempt) {
      const std::size_t j = draw.below(next.size());
      const arc one = ordered(next[i].first, next[j].second);
      const arc other = ordered(next[j].first, next[i].second);
      if (!fresh(one) || !fresh(other)) continue;
      next[i] = one;
      next[j] = other;
      break;
    }
  }
  return next;
}

}  // namespace

std::vector<std::uint64_t> power_law_degrees(const graph_size& size) {
  const auto wanted = 2 * static_cast<double>(size.edges);
  const auto vertices = static_cast<double>(size.vertices);
  curve law{vertices, static_cast<double>(size.most), std::max(1.0, wanted / vertices / 5), 1};
  double low = 0.05, high = 50;  // the sum grows with the exponent
  for (int step = 0; step < 200; ++step) {
    law.exponent = (low + high) / 2;
    (law.sum() < wanted ? low : high) = law.exponent;
  }
  std::vector<std::uint64_t> degrees(size.vertices);
  double left = 0;  // what rounding down has taken, handed on
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    const double exact = law.at(static_cast<double>(v)) + left;
    degrees[v] = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(exact));
    left = exact - static_cast<double>(degrees[v]);
  }
  return degrees;
}

graph::edge_list configuration_model(const std::vector<std::uint64_t>& degrees, std::uint64_t seed) {
  constexpr int most_passes = 30;
  draws draw(seed);
  arcs all = joined_ends(degrees, draw);
  for (int pass = 0; pass < most_passes; ++pass) {
    const auto flawed = flaws(all);
    if (flawed.size() * 1000 < all.size()) break;
    all = exchanged(all, flawed, draw);
  }
  graph::edge_list list;
  list.vertices = static_cast<vertex>(degrees.size());
  list.edges.reserve(all.size());
  for (const auto& [from, to] : all) list.edges.push_back({from, to});
  return list;
}

}  // namespace cows
