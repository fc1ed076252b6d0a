// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/assert.hpp"
#include "sync/access.hpp"

namespace steelyard::openmp {

/// Puts `fresh` in front of a list, unless it holds its like by then: threads that meet a place first at the same time
/// agree on one record. Returns the record that is in the list. See records.md.
template <class Sync, class Node, class Alike>
Node* push(typename Sync::template atomic<Node*>& head, Node* fresh, Alike alike) noexcept {
  STEELYARD_ASSERT(fresh != nullptr && fresh->next == nullptr, "records.md: what is on a list is not put there again");
  Node* first = head.load(sync::acquire, sync::site{"T2a"});
  const Node* checked = nullptr;
  do {
    for (Node* known = first; known != checked; known = known->next) {
      if (alike(*known)) return known;
    }
    checked = first;
    fresh->next = first;
  } while (!head.compare_exchange(first, fresh, sync::release, sync::acquire, sync::site{"T2b"}));
  return fresh;
}

}  // namespace steelyard::openmp
