// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>

#include "cost.hpp"
#include "network.hpp"

namespace cows {

// Dominating set: every node is in it or beside one that is. A node's span is how many it would cover that are not covered
// yet. Those whose span, rounded down to a power of two, is the greatest within two steps are candidates; each uncovered
// node votes for one, and a candidate joins that gets as many votes as it could expect. (The algorithm of Jia, Rajaraman
// and Suel with votes in place of coins, so that it always does the same.) Values: 1 for the set.
template <class Loops>
class dominating_set {
 public:
  dominating_set(const csr& graph, Loops& loops)
      : graph_(graph), loops_(loops), span_(graph.vertex_count()), rounded_(span_), most_(span_),
        most_within_two_(span_), support_(span_), vote_(span_), chosen_(span_.size()), covered_(chosen_),
        beside_(chosen_), candidate_(chosen_) {}

  outcome run() {
    loops_.for_each(0, cost::equal{}, [this](vertex v) { chosen_[v] = covered_[v] = 0; });
    std::uint64_t rounds = 0;
    do {
      find_spans();
      choose_candidates();
      vote();
      cover();
      ++rounds;
    } while (left_.take());
    return {widened(chosen_), rounds};
  }

 private:
  // Calls visit(u) for v and its neighbours.
  template <class Visit>
  void around(vertex v, Visit visit) const {
    visit(v);
    for (const vertex u : graph_.neighbours(v)) visit(u);
  }

  void find_spans() {
    loops_.for_each(1, cost::degree{graph_}, [this](vertex v) {
      std::uint32_t span = 0;
      around(v, [&](vertex u) { span += covered_[u] == 0; });
      span_[v] = span;
    });
    loops_.for_each(2, cost::equal{}, [this](vertex v) { rounded_[v] = std::bit_floor(span_[v]); });
  }

  void choose_candidates() {
    loops_.for_each(3, cost::degree{graph_}, [this](vertex v) { most_[v] = greatest(rounded_, v); });
    loops_.for_each(4, cost::degree{graph_}, [this](vertex v) { most_within_two_[v] = greatest(most_, v); });
    loops_.for_each(5, cost::equal{},
                    [this](vertex v) { candidate_[v] = rounded_[v] != 0 && rounded_[v] == most_within_two_[v]; });
  }

  void vote() {
    loops_.for_each(6, cost::degree{graph_}, [this](vertex v) {
      support_[v] = 0;
      if (covered_[v] != 0) return;
      around(v, [&](vertex u) { support_[v] += candidate_[u]; });
    });
    loops_.for_each(7, cost::degree{graph_}, [this](vertex v) {
      vote_[v] = nobody;
      if (support_[v] == 0) return;
      around(v, [&](vertex u) {
        if (candidate_[u] != 0 && (vote_[v] == nobody || before(u, vote_[v]))) vote_[v] = u;
      });
    });
    loops_.for_each(8, cost::degree{graph_}, [this](vertex v) {
      if (candidate_[v] == 0) return;
      std::uint64_t votes = 0, supports = 0;
      around(v, [&](vertex u) {
        votes += vote_[u] == v;
        supports += support_[u];
      });
      // The candidate that is before all others gets the vote of all it would cover: at least one joins in every round.
      if (votes * supports >= std::uint64_t{span_[v]} * span_[v]) chosen_[v] = 1;
    });
  }

  void cover() {
    loops_.for_each(9, cost::degree{graph_}, [this](vertex v) {
      std::uint32_t choosers = 0;
      if (covered_[v] == 0) around(v, [&](vertex u) { choosers += chosen_[u]; });
      beside_[v] = choosers != 0;
    });
    loops_.for_each(10, cost::equal{}, [this](vertex v) {
      if (beside_[v] != 0) covered_[v] = 1;
    });
    loops_.for_each(11, cost::degree{graph_}, [this](vertex v) {
      std::uint32_t uncovered = 0;
      around(v, [&](vertex u) { uncovered += covered_[u] == 0; });
      if (uncovered != 0) left_.raise();
    });
  }

  std::uint32_t greatest(const std::vector<std::uint32_t>& of, vertex v) const {
    std::uint32_t most = 0;
    around(v, [&](vertex u) { most = std::max(most, of[u]); });
    return most;
  }

  // A strict order of the vertices that has nothing to do with their numbers.
  static bool before(vertex u, vertex v) {
    const auto a = graph::random_bits(u), b = graph::random_bits(v);
    return a != b ? a < b : u < v;
  }

  const csr& graph_;
  Loops& loops_;
  std::vector<std::uint32_t> span_, rounded_, most_, most_within_two_;
  std::vector<std::uint32_t> support_;  // candidates that would cover this node
  std::vector<vertex> vote_;
  std::vector<std::uint8_t> chosen_, covered_, beside_, candidate_;
  flag left_;
};

}  // namespace cows
