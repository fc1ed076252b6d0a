// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/selection/method.hpp"

/// One function for each kind of method; `make` chooses among them by name.
namespace steelyard::simulator::selection {

std::unique_ptr<method> ours(const conditions& under);
// auto4omp.cpp:
std::unique_ptr<method> exhaustive();
std::unique_ptr<method> random(std::uint64_t seed);
std::unique_ptr<method> expert();
// reinforcement.cpp:
std::unique_ptr<method> q_learning();
std::unique_ptr<method> sarsa();
// bayesian.cpp:
std::unique_ptr<method> bayesian();

}  // namespace steelyard::simulator::selection
