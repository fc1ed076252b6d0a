// SPDX-License-Identifier: Apache-2.0
// What iterations cost, one by one, in a serial run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cost/limit.hpp"
#include "network.hpp"
#include "support/ticks.hpp"

namespace cows {

// The costs of one run of a loop, in nanoseconds.
struct recorded_loop {
  std::uint32_t site = 0;
  std::uint32_t instance = 0;  // which of the site's runs, from 0
  std::vector<float> costs;

  double work() const;
};

// Recorded loops in a file, as they lie in memory. Both throw graph::input_error.
void write_costs(const std::string& path, const std::vector<recorded_loop>& loops);
std::vector<recorded_loop> read_costs(const std::string& path);

// Takes the loops of a run as they end: adds their limits for a team of `members` up, and keeps the `kept` costliest
// runs of each site.
class recorder {
 public:
  recorder(std::uint32_t members, std::size_t kept) : members_(members), kept_(kept) {}

  // costs: in ticks.
  void add(unsigned site, std::vector<double>& costs);

  // In seconds, of all loops.
  double limit() const { return limit_; }
  double work() const { return work_; }
  const std::vector<recorded_loop>& loops() const { return loops_; }

 private:
  void keep(recorded_loop loop);

  std::uint32_t members_;
  std::size_t kept_;
  std::vector<std::uint32_t> instances_;  // of each site
  std::vector<recorded_loop> loops_;
  double limit_ = 0;
  double work_ = 0;
};

// Ticks that two readings of the clock take, one after the other.
double ticks_of_reading();

// Runs loops one iteration after the other and tells `to`. A vertex with many neighbours is timed alone; of the others
// sixteen together, each of which counts a sixteenth, so that reading the clock changes little.
class recording_loops {
 public:
  recording_loops(const csr& graph, recorder& to) : graph_(&graph), to_(&to), reading_(ticks_of_reading()) {}

  template <class Cost, class Body>
  void for_each(unsigned site, const Cost&, Body&& body) {
    constexpr std::uint64_t many = 32;
    constexpr vertex together = 16;
    ++count;
    const vertex n = graph_->vertex_count();
    std::vector<double> costs(n);
    for (vertex first = 0; first < n;) {
      vertex behind = first + 1;
      if (graph_->degree(first) < many) {
        while (behind < n && behind - first < together && graph_->degree(behind) < many) ++behind;
      }
      const auto began = steelyard::support::ticks();
      for (vertex v = first; v < behind; ++v) body(v);
      const auto taken = static_cast<double>(steelyard::support::ticks() - began) - reading_;
      std::fill(costs.begin() + first, costs.begin() + behind, std::max(taken, 0.0) / (behind - first));
      first = behind;
    }
    to_->add(site, costs);
  }

  std::uint64_t count = 0;

 private:
  const csr* graph_;
  recorder* to_;
  double reading_;
};

}  // namespace cows
