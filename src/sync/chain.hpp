// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "support/assert.hpp"
#include "sync/access.hpp"

namespace steelyard::sync {

/// What an instance carries for its chain; the base of `Node`.
template <class Sync, class Node>
struct chain_link {
  typename Sync::template atomic<Node*> next{};
  typename Sync::template atomic<std::uint32_t> passed{};
};

/// The loop instances of one team, oldest first. Protocol, invariants [C1]-[C5] and rejected designs:
/// chain.md. `Node` derives from chain_link<Sync, Node>.
template <class Sync, class Node>
class chain {
 public:
  /// One member's position: the last instance it entered.
  using cursor = Node*;

  /// The instance behind `at`, or nullptr when nobody has opened it yet.
  [[nodiscard]] Node* behind(cursor at) noexcept { return link(at).load(acquire, site{"C2a"}); }

  /// Puts the completely prepared `fresh` behind `at`, unless another member was faster. Returns the instance that is
  /// there now: `fresh`, or the winner's (then `fresh` is still the caller's own).
  [[nodiscard]] Node* publish(cursor at, Node* fresh) noexcept {
    STEELYARD_ASSERT(fresh != nullptr && fresh != at, "[C2] what is published is a new instance");
    Node* found = nullptr;
    const bool won = link(at).compare_exchange(found, fresh, release, acquire, site{"C2b"});
    return won ? fresh : found;
  }

  /// Moves a member of a team of `members` from `at` to the instance found behind it. Returns the instance the caller
  /// must give back now (the one it left, when all others have left it too), else nullptr.
  [[nodiscard]] Node* move(cursor& at, Node* to, std::uint32_t members) noexcept {
    STEELYARD_ASSERT(to != nullptr && to != at, "[C1] behind an instance lies another one");
    Node* const left = at;
    at = to;
    if (left == nullptr) {
      return nullptr;
    }
    const std::uint32_t before = left->passed.fetch_add(1, acq_rel, site{"C3a"});
    STEELYARD_ASSERT(before < members, "[C3] a member counts itself out once");
    if (before + 1 != members) return nullptr;
    STEELYARD_ASSERT(oldest_ == nullptr || oldest_ == left, "[C4] instances are given back in the order of the list");
    oldest_ = to;  // [C4]
    return left;
  }

  /// After the join, by one thread: hands every instance that is left to `give_back`.
  template <class GiveBack>
  void drain(GiveBack give_back) noexcept {
    Node* node = oldest_ != nullptr ? oldest_ : behind(nullptr);
    while (node != nullptr) {
      Node* const next = behind(node);
      give_back(node);
      node = next;
    }
  }

 private:
  auto& link(cursor at) noexcept { return at != nullptr ? at->next : first_; }

  typename Sync::template atomic<Node*> first_{};
  Node* oldest_ = nullptr;  // first instance not given back; nullptr: none was given back yet
};

}  // namespace steelyard::sync
