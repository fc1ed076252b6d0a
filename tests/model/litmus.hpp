// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/door.hpp"
#include "engine/explore.hpp"

namespace steelyard::model {

using sync::acq_rel;
using sync::acquire;
using sync::relaxed;
using sync::release;
using sync::seq_cst;
using sync::site;

/// The shared state of a litmus test: a few words and the registers the threads read into.
struct words {
  door::atomic<int> x, y, z;
  int r[6] = {-1, -1, -1, -1, -1, -1};
};

/// A litmus test in two lines: one function for each thread, and how many registers make the outcome.
struct litmus {
  std::string name;
  unsigned registers;
  std::vector<std::function<void(words&)>> threads;
};

class litmus_world : public world {
 public:
  explicit litmus_world(const litmus& test) : test_(test) {}
  void run(unsigned thread) override { test_.threads[thread](words_); }
  void finish() override {
    std::string text;
    for (unsigned i = 0; i < test_.registers; ++i) {
      if (i != 0) text += ' ';
      text += std::to_string(words_.r[i]);
    }
    outcome(text);
  }

 private:
  const litmus& test_;
  words words_;
};

inline scenario scenario_of(const litmus& test) {
  return {test.name, static_cast<unsigned>(test.threads.size()),
          [&test] { return std::make_unique<litmus_world>(test); }};
}

using outcomes = std::set<std::string>;

/// The test has exactly these outcomes; both strategies find the same graphs, and `graphs` finds each once.
inline void expect_outcomes(const litmus& test, const outcomes& expected) {
  SCOPED_TRACE(test.name);
  options how;
  how.count_graphs = true;
  const auto graphs = explore(scenario_of(test), how);
  how.how = strategy::interleavings;
  const auto interleavings = explore(scenario_of(test), how);
  for (const auto* found : {&graphs, &interleavings}) {
    ASSERT_FALSE(found->failed) << found->failed->message << "\n" << found->failed->trace;
    EXPECT_TRUE(found->exhausted);
    EXPECT_EQ(found->outcomes, expected);
  }
  EXPECT_EQ(graphs.graphs, interleavings.graphs);
  EXPECT_EQ(graphs.executions, graphs.graphs.size());
}

}  // namespace steelyard::model
