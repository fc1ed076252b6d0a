// SPDX-License-Identifier: Apache-2.0
// What iterations cost, one by one, in a serial run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cost.hpp"
#include "cost/limit.hpp"
#include "network.hpp"
#include "support/ticks.hpp"

namespace cows {

// The costs of one run of a loop, in nanoseconds.
struct recorded_loop {
  std::uint32_t site = 0;
  std::uint32_t instance = 0;            // which of the site's runs, from 0
  cost::kind known = cost::kind::equal;  // what the kernel says of its costs
  std::vector<float> costs;
  std::uint32_t ordinal = 0;  // which of all loops of the kernel's run
};

// Recorded loops in a file, as they lie in memory. Both throw graph::input_error.
void write_costs(const std::string& path, const std::vector<recorded_loop>& loops);
std::vector<recorded_loop> read_costs(const std::string& path);

// Takes the loops of a kernel's runs as they end. All runs do the same, so each iteration counts with its least time: what
// else the machine did meanwhile falls away. The first run only counts loops; of each site's, `kept` are kept, spread evenly.
class recorder {
 public:
  recorder(std::uint32_t members, std::uint64_t kept) : members_(members), kept_(kept) {}

  // Before each run of the kernel.
  void begin_run();
  // costs: in ticks.
  void add(unsigned site, cost::kind known, std::vector<double>& costs);

  // Over all loops, in seconds: the least time in which `members` could run them, and one.
  double limit() const;
  double work() const;
  const std::vector<recorded_loop>& loops() const { return loops_; }

 private:
  struct figures {
    double limit, work;
  };

  bool is_kept(unsigned site, std::uint32_t instance) const;
  void merge(recorded_loop loop);

  std::uint32_t members_;
  std::uint64_t kept_;
  unsigned run_ = 0;
  std::uint32_t added_ = 0;                      // loops of this run of the kernel
  std::vector<std::uint32_t> counted_;           // runs of each site in a run of the kernel
  std::vector<std::uint32_t> seen_;              // in this one
  std::vector<std::vector<figures>> instances_;  // of each site
  std::vector<recorded_loop> loops_;
};

// Ticks that two readings of the clock take, one after the other.
double ticks_of_reading();

// Runs loops one iteration after the other and tells `to`. A vertex with many neighbours is timed alone; of the others
// sixteen together, each of which counts a sixteenth, so that reading the clock changes little.
class recording_loops {
 public:
  recording_loops(const csr& graph, recorder& to) : graph_(&graph), to_(&to), reading_(ticks_of_reading()) {
    to.begin_run();
  }

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
    to_->add(site, Cost::what, costs);
  }

  std::uint64_t count = 0;

 private:
  const csr* graph_;
  recorder* to_;
  double reading_;
};

}  // namespace cows
