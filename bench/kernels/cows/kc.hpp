// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "cost.hpp"
#include "network.hpp"

namespace cows {

// K-committees: groups of nodes no two of which are further apart than K. In each of K phases the free nodes look for the
// least free node within K/2 steps; a node that finds itself leads, and those that found it and are joined to it through
// such nodes are its committee. Values: the leader. The number of loops depends on K alone.
template <class Loops>
class committees {
 public:
  static constexpr unsigned K = 4;

  committees(const csr& graph, Loops& loops)
      : graph_(graph), loops_(loops), committee_(graph.vertex_count()), joined_(committee_), least_(committee_),
        heard_(committee_) {}

  outcome run() {
    loops_.for_each(0, cost::equal{}, [this](vertex v) { committee_[v] = nobody; });
    for (unsigned phase = 1; phase <= K; ++phase) {
      find_leaders();
      invite();
      settle(phase == K);
    }
    return {widened(committee_), K};
  }

 private:
  bool free(vertex v) const { return committee_[v] == nobody; }

  void find_leaders() {
    loops_.for_each(1, cost::equal{}, [this](vertex v) { least_[v] = free(v) ? v : nobody; });
    for (unsigned step = 0; step < K / 2; ++step) {
      loops_.for_each(2, cost::degree{graph_}, [this](vertex v) {
        vertex least = least_[v];
        if (free(v)) {
          for (const vertex u : graph_.neighbours(v)) least = std::min(least, least_[u]);
        }
        heard_[v] = least;
      });
      least_.swap(heard_);
    }
  }

  // The first step of an invitation comes from the leaders, further ones from those who joined.
  void invite() {
    loops_.for_each(3, cost::degree{graph_}, [this](vertex v) {
      const vertex leader = least_[v];
      const auto near = graph_.neighbours(v);
      const bool leads = leader == v || (leader != nobody && least_[leader] == leader &&
                                         std::find(near.begin(), near.end(), leader) != near.end());
      joined_[v] = leads ? leader : nobody;
    });
    for (unsigned step = 1; step < K / 2; ++step) {
      loops_.for_each(4, cost::degree{graph_}, [this](vertex v) {
        heard_[v] = joined_[v];
        if (joined_[v] != nobody || least_[v] == nobody) return;
        const auto near = graph_.neighbours(v);
        const auto hands_on = [this, v](vertex u) { return joined_[u] == least_[v]; };
        if (std::any_of(near.begin(), near.end(), hands_on)) heard_[v] = least_[v];
      });
      joined_.swap(heard_);
    }
  }

  // Who joined is free no longer; nor is a node that has no free neighbour left, which becomes a committee of its own.
  void settle(bool last) {
    loops_.for_each(5, cost::degree{graph_}, [this, last](vertex v) {
      if (least_[v] == nobody) return;  // was not free: else least_[v] <= v
      const auto near = graph_.neighbours(v);
      const auto left = [this](vertex u) { return least_[u] != nobody && joined_[u] == nobody; };
      const bool alone = std::none_of(near.begin(), near.end(), left);
      committee_[v] = joined_[v] != nobody ? joined_[v] : (alone || last ? v : nobody);
    });
  }

  const csr& graph_;
  Loops& loops_;
  std::vector<vertex> committee_;
  std::vector<vertex> joined_;  // in this phase
  std::vector<vertex> least_;   // free node heard of; `nobody` for nodes that are not free
  std::vector<vertex> heard_;
};

}  // namespace cows
