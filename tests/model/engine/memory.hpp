// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "event.hpp"
#include "sc_order.hpp"

namespace steelyard::model {

/// One atomic object, from its construction until its storage is used again.
struct location {
  const char* address = nullptr;
  unsigned extent = 0;  ///< of the object
  unsigned bytes = 0;   ///< of its value
  bool live = true;
  std::vector<int> order;     ///< the writes, in modification order
  std::vector<int> accesses;  ///< all events, in the order they ran
};

/// The execution graph so far, and which operations may be added to it. The axioms are those of C++20 plus "no cycle in
/// sequenced-before and reads-from" (no load reads a store that runs later): coherence, atomicity of read-modify-writes,
/// synchronisation through release sequences and fences, and the order S of seq_cst.
///
/// A write may enter the modification order before writes that ran earlier: 2+2W is allowed.
class memory {
 public:
  void reset();

  [[nodiscard]] const std::vector<event>& events() const noexcept { return events_; }
  [[nodiscard]] const event& at(int id) const noexcept { return events_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const location& place(int id) const noexcept { return locations_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] int places() const noexcept { return static_cast<int>(locations_count_); }
  [[nodiscard]] const clock& now(unsigned thread) const noexcept { return threads_[thread].now; }

  /// The clock of everything that leads to the thread's next event.
  [[nodiscard]] const clock& leading(unsigned thread) const noexcept { return threads_[thread].leading; }
  /// The index-th event of the thread, -1 if there is none.
  [[nodiscard]] int find(unsigned thread, std::uint32_t index) const noexcept;

  /// Adds an atomic object. An earlier one in its storage ends; returns an access to that one which does not happen
  /// before (a race), or -1.
  int construct(unsigned thread, const void* address, unsigned extent, unsigned bytes, std::uint64_t value,
                int& created);

  /// The writes that coherence lets the thread read, newest in modification order first. Ask `may_read` or `may_update`
  /// about each.
  void writes_from(unsigned thread, int place, std::vector<int>& out) const;
  [[nodiscard]] bool may_read(unsigned thread, int place, int write, order how) const;
  [[nodiscard]] bool may_update(unsigned thread, int place, int write, order how) const;
  /// The lowest position in modification order that the thread may still read.
  [[nodiscard]] int floor(unsigned thread, int place) const;
  /// The positions where a plain store may enter the modification order, last first.
  void writable(unsigned thread, int place, order how, std::vector<int>& out) const;

  int load(event e, int write);
  int store(event e, int position);
  int update(event e, int write, std::uint64_t value);
  /// A read-modify-write in two halves: a load, then at once, for other threads, the write of the same event.
  [[nodiscard]] bool may_complete(int id) const;
  void complete(int id, std::uint64_t value, std::uint32_t stamp);
  int fence(event e);
  /// An event without an effect on atomics; its clock is the thread's.
  int note(event e);

  /// Two threads agree: everything of `from` happens before whatever `thread` does next.
  void join(unsigned thread, const clock& from) noexcept;
  /// As `join`, and also for whoever acquires a later relaxed store of the thread.
  void join_as_fence(unsigned thread, const clock& from) noexcept;
  /// What a fence of the thread would publish here.
  [[nodiscard]] clock published(unsigned thread) const noexcept;

  /// S can hold no further operation; the caller reports it.
  [[nodiscard]] bool overflow() const noexcept { return sc_.full(); }

  /// Names the graph independently of the order in which it was built.
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  struct thread_state {
    clock now;
    clock leading;
    clock pending;   ///< acquired by relaxed loads; an acquire fence makes it count
    clock released;  ///< at the last release fence
    std::uint64_t history = 0;
    std::vector<int> events;
  };

  [[nodiscard]] event& mutable_at(int id) noexcept { return events_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] int position_of(const event& e) const noexcept { return e.writes ? e.position : at(e.source).position; }
  [[nodiscard]] bool consistent(const event& e, int place, int position, bool writes) const;
  struct edges {
    sc_order::nodes into, from, to;
  };
  [[nodiscard]] edges edges_of(const event& e, int place, int position, bool writes) const;
  [[nodiscard]] bool has_update(const location& where, int position) const;
  int add(event& e, int position, bool writes, const clock& acquired);
  int append(event& e, const clock& acquired);
  void insert(int id, int position);
  void publish(int id, const clock& inherited);
  [[nodiscard]] sc_order::nodes sources_before(const clock& now) const;
  [[nodiscard]] std::uint64_t places_name(const event& e) const;
  [[nodiscard]] clock when_reading(unsigned thread, int write, order how) const;

  std::vector<event> events_;
  std::vector<location> locations_;  ///< reused from one execution to the next
  std::size_t locations_count_ = 0;
  std::array<thread_state, max_threads> threads_{};
  sc_order sc_;
};

}  // namespace steelyard::model
