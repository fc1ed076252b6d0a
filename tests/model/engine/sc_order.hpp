// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <vector>

#include "event.hpp"

namespace steelyard::model {

/// The order S of the seq_cst operations and fences (C++20 [atomics.order]/4), kept as the constraints on it: an
/// execution is allowed iff they have no cycle. S need not follow the order in which the engine runs the operations: it
/// contains strongly-happens-before, not happens-before.
class sc_order {
 public:
  static constexpr unsigned capacity = 128;
  using nodes = std::bitset<capacity>;

  void reset() noexcept;
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] bool full() const noexcept { return count_ == capacity; }

  /// The nodes that stand for an operation as the first of a coherence-ordered pair: itself, and each fence before it.
  [[nodiscard]] nodes as_first(const std::vector<event>& events, const clock& when, int sc) const;
  /// The nodes that stand for an operation as the second of such a pair: itself, and each fence after it.
  [[nodiscard]] nodes as_second(const std::vector<event>& events, const event& b) const;
  /// The nodes that strongly happen before a new event of `thread`, whose clock before the event is `previous`.
  [[nodiscard]] nodes strongly_before(const std::vector<event>& events, unsigned thread, const clock& previous) const;

  /// Would edges `from` -> `to` close a cycle?
  [[nodiscard]] bool cyclic(const nodes& from, const nodes& to) const;
  void link(const nodes& from, const nodes& to);
  /// Makes event number `id` a node.
  int add(int id, bool fence);

 private:
  [[nodiscard]] nodes reachable(const nodes& from) const;

  unsigned count_ = 0;
  std::vector<int> events_;     ///< node -> event
  std::vector<int> fences_;     ///< nodes that are fences
  std::vector<nodes> reaches_;  ///< transitive closure
};

}  // namespace steelyard::model
