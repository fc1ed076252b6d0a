// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/event.hpp"

namespace steelyard::model::reference {

/// An operation of a straight-line program on two words.
struct instruction {
  operation what = operation::load;  ///< load, store, fetch_add, compare_exchange, fence
  int word = 0;
  sync::order how = sync::relaxed;
  sync::order failure = sync::relaxed;
  int value = 0;     ///< stored or added
  int expected = 0;  ///< compare_exchange
};

using program = std::vector<std::vector<instruction>>;

inline constexpr int words = 2;

[[nodiscard]] std::string text_of(const program& threads);

/// The outcomes C++20 allows, as "what each read read, in order | the final values": every reads-from relation, every
/// modification order and every order S is tried against the sentences of the standard, one by one. Slow, and as naive
/// as possible: it shares nothing with the engine but the type of an order. Executions with a cycle in sequenced-before
/// and reads-from are left out, as the engine leaves them out.
[[nodiscard]] std::set<std::string> outcomes_of(const program& threads);

}  // namespace steelyard::model::reference
