// SPDX-License-Identifier: Apache-2.0
// K-committees and dominating set as plain OpenMP: see plain.hpp, and kc.hpp and ds.hpp for what they do.
#pragma once

#include <algorithm>
#include <bit>

#include "network.hpp"

namespace cows::plain {

class committees {
 public:
  static constexpr unsigned K = 4;

  explicit committees(const csr& graph)
      : n_(graph.vertex_count()), first_(graph.offset.data()), to_(graph.neighbour.data()), committee_(n_), joined_(n_),
        least_(n_), heard_(n_) {}

  outcome run(std::uint64_t& loops) {
    loops_ = &loops;
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) committee_[v] = nobody;
    for (unsigned phase = 1; phase <= K; ++phase) {
      find_leaders();
      invite();
      settle(phase == K);
    }
    return {widened(committee_), K};
  }

 private:
  void find_leaders() {
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) least_[v] = committee_[v] == nobody ? v : nobody;
    for (unsigned step = 0; step < K / 2; ++step) {
      ++*loops_;
#pragma omp parallel for schedule(runtime)
      for (vertex v = 0; v < n_; ++v) {
        vertex least = least_[v];
        if (committee_[v] == nobody) {
          for (std::uint64_t k = first_[v]; k < first_[v + std::size_t{1}]; ++k)
            least = std::min(least, least_[to_[k]]);
        }
        heard_[v] = least;
      }
      least_.swap(heard_);
    }
  }

  void invite() {
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) {
      const vertex leader = least_[v];
      bool leads = leader == v;
      if (!leads && leader != nobody && least_[leader] == leader) {
        for (std::uint64_t k = first_[v]; k < first_[v + std::size_t{1}]; ++k) {
          leads = to_[k] == leader;
          if (leads) break;
        }
      }
      joined_[v] = leads ? leader : nobody;
    }
    for (unsigned step = 1; step < K / 2; ++step) {
      ++*loops_;
#pragma omp parallel for schedule(runtime)
      for (vertex v = 0; v < n_; ++v) {
        heard_[v] = joined_[v];
        if (joined_[v] != nobody || least_[v] == nobody) continue;
        for (std::uint64_t k = first_[v]; k < first_[v + std::size_t{1}]; ++k) {
          if (joined_[to_[k]] != least_[v]) continue;
          heard_[v] = least_[v];
          break;
        }
      }
      joined_.swap(heard_);
    }
  }

  void settle(bool last) {
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) {
      if (least_[v] == nobody) continue;
      bool alone = true;
      for (std::uint64_t k = first_[v]; k < first_[v + std::size_t{1}]; ++k) {
        alone = least_[to_[k]] == nobody || joined_[to_[k]] != nobody;
        if (!alone) break;
      }
      committee_[v] = joined_[v] != nobody ? joined_[v] : (alone || last ? v : nobody);
    }
  }

  vertex n_;
  std::uint64_t* loops_ = nullptr;  // run so far
  const std::uint64_t* first_;
  const vertex* to_;
  std::vector<vertex> committee_, joined_, least_, heard_;
};

class dominating_set {
 public:
  explicit dominating_set(const csr& graph)
      : n_(graph.vertex_count()), first_(graph.offset.data()), to_(graph.neighbour.data()), span_(n_), rounded_(n_),
        most_(n_), within_two_(n_), support_(n_), vote_(n_), chosen_(n_), covered_(n_), beside_(n_), candidate_(n_) {}

  outcome run(std::uint64_t& loops) {
    loops_ = &loops;
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) chosen_[v] = covered_[v] = 0;
    std::uint64_t rounds = 0;
    do {
      find_spans();
      choose_candidates();
      support();
      vote();
      cover();
      ++rounds;
    } while (left_.take());
    return {widened(chosen_), rounds};
  }

 private:
  void find_spans() {
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) {
      std::uint32_t span = covered_[v] == 0;
      for (std::uint64_t k = first_[v]; k < first_[v + std::size_t{1}]; ++k) span += covered_[to_[k]] == 0;
      span_[v] = span;
    }
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) rounded_[v] = std::bit_floor(span_[v]);
  }

  void choose_candidates() {
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) {
      std::uint32_t most = rounded_[v];
      for (std::uint64_t k = first_[v]; k < first_[v + std::size_t{1}]; ++k) most = std::max(most, rounded_[to_[k]]);
      most_[v] = most;
    }
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) {
      std::uint32_t most = most_[v];
      for (std::uint64_t k = first_[v]; k < first_[v + std::size_t{1}]; ++k) most = std::max(most, most_[to_[k]]);
      within_two_[v] = most;
    }
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) candidate_[v] = rounded_[v] != 0 && rounded_[v] == within_two_[v];
  }

  void support() {
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) {
      std::uint32_t all = 0;
      if (covered_[v] == 0) {
        all = candidate_[v];
        for (std::uint64_t k = first_[v]; k < first_[v + std::size_t{1}]; ++k) all += candidate_[to_[k]];
      }
      support_[v] = all;
    }
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) {
      vertex best = nobody;
      if (support_[v] != 0) {
        best = candidate_[v] != 0 ? v : nobody;
        for (std::uint64_t k = first_[v]; k < first_[v + std::size_t{1}]; ++k) {
          const vertex u = to_[k];
          if (candidate_[u] != 0 && (best == nobody || before(u, best))) best = u;
        }
      }
      vote_[v] = best;
    }
  }

  void vote() {
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) {
      if (candidate_[v] == 0) continue;
      std::uint64_t votes = vote_[v] == v, supports = support_[v];
      for (std::uint64_t k = first_[v]; k < first_[v + std::size_t{1}]; ++k) {
        votes += vote_[to_[k]] == v;
        supports += support_[to_[k]];
      }
      if (votes * supports >= std::uint64_t{span_[v]} * span_[v]) chosen_[v] = 1;
    }
  }

  void cover() {
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) {
      std::uint32_t choosers = 0;
      if (covered_[v] == 0) {
        choosers = chosen_[v];
        for (std::uint64_t k = first_[v]; k < first_[v + std::size_t{1}]; ++k) choosers += chosen_[to_[k]];
      }
      beside_[v] = choosers != 0;
    }
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) {
      if (beside_[v] != 0) covered_[v] = 1;
    }
    ++*loops_;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n_; ++v) {
      std::uint32_t uncovered = covered_[v] == 0;
      for (std::uint64_t k = first_[v]; k < first_[v + std::size_t{1}]; ++k) uncovered += covered_[to_[k]] == 0;
      if (uncovered != 0) left_.raise();
    }
  }

  static bool before(vertex u, vertex v) {
    const auto a = graph::random_bits(u), b = graph::random_bits(v);
    return a != b ? a < b : u < v;
  }

  vertex n_;
  std::uint64_t* loops_ = nullptr;  // run so far
  const std::uint64_t* first_;
  const vertex* to_;
  std::vector<std::uint32_t> span_, rounded_, most_, within_two_;
  std::vector<std::uint32_t> support_;
  std::vector<vertex> vote_;
  std::vector<std::uint8_t> chosen_, covered_, beside_, candidate_;
  flag left_;
};

}  // namespace cows::plain
