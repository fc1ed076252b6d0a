// SPDX-License-Identifier: Apache-2.0
// The seven kernels by name.
#pragma once

#include <string>
#include <string_view>

#include "bf.hpp"
#include "bfs.hpp"
#include "cc.hpp"
#include "ds.hpp"
#include "graph/input_error.hpp"
#include "kc.hpp"
#include "le.hpp"
#include "pr.hpp"

namespace cows {

template <class Loops>
struct kernel {
  std::string_view name;
  unsigned sites;  // parallel loops in its source
  outcome (*run)(const csr& graph, Loops& loops);
};

template <class Loops>
inline constexpr kernel<Loops> kernels[] = {
    {"kc", 6, [](const csr& graph, Loops& loops) { return committees<Loops>(graph, loops).run(); }},
    {"le", 3, [](const csr& graph, Loops& loops) { return leader_election(graph, loops); }},
    {"bfs", 2, [](const csr& graph, Loops& loops) { return bfs(graph, loops); }},
    {"bf", 3, [](const csr& graph, Loops& loops) { return bellman_ford(graph, loops); }},
    {"ds", 12, [](const csr& graph, Loops& loops) { return dominating_set<Loops>(graph, loops).run(); }},
    {"pr", 2, [](const csr& graph, Loops& loops) { return pagerank(graph, loops); }},
    {"cc", 2, [](const csr& graph, Loops& loops) { return components(graph, loops); }},
};

template <class Loops>
const kernel<Loops>& find_kernel(std::string_view name) {
  for (const auto& one : kernels<Loops>) {
    if (one.name == name) return one;
  }
  throw graph::input_error("--kernel " + std::string(name) + ": no such kernel; there are kc, le, bfs, bf, ds, pr, cc");
}

}  // namespace cows
