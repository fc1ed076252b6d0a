// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "support/assert.hpp"
#include "sync/access.hpp"
#include "sync/hand_over.hpp"

namespace steelyard::runtime {

/// A task that may have to wait for others, any number of them. Protocol and invariants [I1]-[I3]: node.md.
template <class Sync>
class node {
 public:
  /// In the list of those who wait for a task: one of them.
  class edge {
   public:
    explicit edge(node& to) noexcept : to_(to) {}
    /// When that has ended nobody looks at this any more.
    [[nodiscard]] const node& to() const noexcept { return to_; }

   private:
    friend node;
    node& to_;
    typename Sync::template atomic<edge*> next_;
  };

  /// Before anybody knows of it: it waits until `ready_after`.
  void begin() noexcept {
    waiting_for_.store(many, sync::relaxed, sync::site{"N1"});
    after_.store(nullptr, sync::relaxed, sync::site{"N1"});
  }

  /// The one of `link`, by who called its begin, is to wait for this one, which owns the link until it has ended. False: it has.
  bool precede(edge& link) noexcept {
    STEELYARD_ASSERT(&link.to_ != this, "[I1] a node does not wait for itself");
    edge* found = after_.load(sync::acquire, sync::site{"N2"});
    do {
      if (found == ended()) {
        sync::receive(this);
        return false;
      }
      link.next_.store(found, sync::relaxed, sync::site{"N7"});
    } while (!after_.compare_exchange(found, &link, sync::release, sync::acquire, sync::site{"N3"}));
    return true;
  }

  /// After `count` times `precede` that returned true. True: all those have ended by now, and it may run; else the one that ends
  /// last is told so.
  bool is_ready_after(std::uint32_t count) noexcept {
    sync::hand_over(this);
    const auto before = waiting_for_.fetch_add(count - many, sync::acq_rel, sync::site{"N4"});
    STEELYARD_ASSERT(before <= many && many - before <= count, "[I1] only those have been told that it waits for");
    const bool ready = before + count == many;
    if (ready) sync::receive(this);
    return ready;
  }

  /// Whether it has ended, and what it has done can be seen.
  [[nodiscard]] bool has_ended() const noexcept {
    const bool has = after_.load(sync::acquire, sync::site{"N2"}) == ended();
    if (has) sync::receive(this);
    return has;
  }

  /// It has ended: calls ready(node) for each one that waited for nothing else.
  template <class Ready>
  void end(Ready ready) noexcept {
    sync::hand_over(this);
    edge* each = after_.exchange(ended(), sync::acq_rel, sync::site{"N5"});
    STEELYARD_ASSERT(each != ended(), "[I3] a node ends once");
    while (each != nullptr) {
      node& to = each->to_;
      each = each->next_.load(sync::relaxed, sync::site{"N8"});
      sync::hand_over(&to);
      const auto before = to.waiting_for_.fetch_add(~std::uint32_t{0}, sync::acq_rel, sync::site{"N6"});
      STEELYARD_ASSERT(before != 0, "[I1] a node is told once by each that it waits for");
      if (before != 1) continue;
      sync::receive(&to);
      ready(to);
    }
  }

 private:
  static constexpr std::uint32_t many = std::uint32_t{1} << 31;
  static edge* ended() noexcept { return reinterpret_cast<edge*>(~std::uintptr_t{0}); }

  typename Sync::template atomic<std::uint32_t> waiting_for_;
  typename Sync::template atomic<edge*> after_;
};

}  // namespace steelyard::runtime
