// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openmp/host/slab.hpp"
#include "support/assert.hpp"
#include "sync/access.hpp"
#include "sync/real.hpp"

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

/// The record that `place` points to, made where there is none. nullptr: there is no memory. See records.md.
template <class Record>
Record* record_at(sync::real::atomic<Record*>& place) noexcept {
  Record* known = place.load(sync::acquire, sync::site{"T5a"});
  if (known != nullptr) return known;
  auto* const fresh = slab_make<Record>();
  if (fresh == nullptr) return nullptr;
  if (place.compare_exchange(known, fresh, sync::release, sync::acquire, sync::site{"T5b"})) return fresh;
  slab_give(fresh, sizeof(Record));
  return known;
}

/// The same of a place where there was none: another one's record becomes its own, unless it has got one meanwhile.
template <class Record>
Record* take_over(sync::real::atomic<Record*>& place, Record* others) noexcept {
  Record* known = nullptr;
  return place.compare_exchange(known, others, sync::release, sync::acquire, sync::site{"T5b"}) ? others : known;
}

}  // namespace steelyard::openmp
