// SPDX-License-Identifier: Apache-2.0
#include "sc_order.hpp"

namespace steelyard::model {

void sc_order::reset() noexcept {
  count_ = 0;
  events_.clear();
  fences_.clear();
  reaches_.clear();
}

sc_order::nodes sc_order::as_first(const std::vector<event>& events, const clock& when, int sc) const {
  nodes result;
  if (sc >= 0) result.set(static_cast<std::size_t>(sc));
  for (const int node : fences_) {
    if (before(events[static_cast<std::size_t>(events_[static_cast<std::size_t>(node)])], when)) {
      result.set(static_cast<std::size_t>(node));
    }
  }
  return result;
}

sc_order::nodes sc_order::as_second(const std::vector<event>& events, const event& b) const {
  nodes result;
  if (b.sc >= 0) result.set(static_cast<std::size_t>(b.sc));
  for (const int node : fences_) {
    const auto& fence = events[static_cast<std::size_t>(events_[static_cast<std::size_t>(node)])];
    if (before(b, fence.when)) result.set(static_cast<std::size_t>(node));
  }
  return result;
}

sc_order::nodes sc_order::strongly_before(const std::vector<event>& events, unsigned thread,
                                          const clock& previous) const {
  nodes result;
  for (unsigned node = 0; node < count_; ++node) {
    const auto& a = events[static_cast<std::size_t>(events_[node])];
    // Across threads an event sequenced after `a` must happen before one sequenced before the new event. The remaining
    // case of the standard, `a` itself synchronises with the new event, is coherence order and comes from there.
    if (a.thread == thread || previous.at[a.thread] > a.index) result.set(node);
  }
  return result;
}

sc_order::nodes sc_order::reachable(const nodes& from) const {
  nodes result = from;
  for (unsigned node = 0; node < count_; ++node) {
    if (from[node]) result |= reaches_[node];
  }
  return result;
}

bool sc_order::cyclic(const nodes& from, const nodes& to) const { return (reachable(to) & from).any(); }

void sc_order::link(const nodes& from, const nodes& to) {
  const nodes target = reachable(to);
  for (unsigned node = 0; node < count_; ++node) {
    if (from[node] || (reaches_[node] & from).any()) reaches_[node] |= target;
  }
}

int sc_order::add(int id, bool fence) {
  const int node = static_cast<int>(count_++);
  events_.push_back(id);
  reaches_.emplace_back();
  if (fence) fences_.push_back(node);
  return node;
}

}  // namespace steelyard::model
