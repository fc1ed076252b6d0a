// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/access.hpp"

#include <steelyard/detail/young_end.hpp>

namespace steelyard::dataflow {

/// The tasks of a frame, which one task has forked, in the order of the program. The frame's owner runs them in that order with
/// plain moves, and knows of no dependency; when a visitor comes, whatever the owner has not begun is handed over to whoever
/// finds out, under the frame's lock, what may run at once. Protocol and invariants [I1]-[I4]: program_order.md.
///
/// Records lie behind each other in memory that belongs to the caller; record->next() is where the next one begins.
template <class Sync, class Record>
class program_order {
 public:
  /// An empty one, of which nobody else knows yet. Its first push returns false.
  void begin(Record* start) noexcept {
    restart(start);
    gate_.store(open, sync::relaxed, sync::site{"G0"});
    limit_.store(nullptr, sync::relaxed, sync::site{"G0"});
  }

  // The owner's.

  /// Where the next record belongs. It is the owner's until `push`.
  [[nodiscard]] Record* young() const noexcept { return tail_.load(sync::relaxed, sync::site{"G1"}); }

  /// Publishes the record at young(), which ends at `next`. False: nobody may have been invited, or memory is used up.
  bool push(Record* next) noexcept { return v1::detail::push_to(*this, next); }

  // What <steelyard/detail/young_end.hpp> needs.
  void push_tail(Record* end) noexcept { tail_.store(end, sync::release, sync::site{"G2"}); }
  static void fence_of_push() noexcept { Sync::light_fence(sync::site{"G3"}); }
  [[nodiscard]] Record* limit() const noexcept { return limit_.load(sync::relaxed, sync::site{"G4"}); }

  /// The next record in order, which is the owner's to run; nullptr: there is none, or the frame is handed over.
  struct taken {
    Record* record = nullptr;
    bool is_last = false;  ///< no other record is left, and its own may as well be pushed here
    bool is_rung = false;  ///< nobody may be invited
  };
  [[nodiscard]] taken take() noexcept {
    Record* const first = head_.load(sync::relaxed, sync::site{"G5"});
    Record* const end = young();
    if (first == end) return {};
    STEELYARD_ASSERT(first < end, "[I1] head is no further than tail");
    Record* const next = first->next();
    STEELYARD_ASSERT(next <= end, "[I1] a record has been pushed as a whole");
    const bool is_last = next == end;
    running_.store(is_last ? nullptr : first, sync::release, sync::site{"G6"});
    head_.store(next, sync::release, sync::site{"G7"});
    Sync::light_fence(sync::site{"G8"});
    if (gate_.load(sync::relaxed, sync::site{"G9"}) == open) return {first, is_last, false};
    return take_slowly(first, is_last);
  }

  /// Whether a visitor has been here since the frame was begun, or open_again.
  [[nodiscard]] bool is_handed_over() const noexcept { return gate_.load(sync::relaxed, sync::site{"G9"}) == closed; }

  /// Under the lock: what was handed over has ended, and the owner goes on in order.
  void open_again() noexcept {
    head_.store(cut(), sync::relaxed, sync::site{"G10"});
    running_.store(nullptr, sync::relaxed, sync::site{"G10"});
    gate_.store(open, sync::relaxed, sync::site{"G10"});
  }

  /// Under the lock, or when nobody is invited: an empty frame that is not handed over begins anew at `start`.
  [[nodiscard]] bool is_empty() const noexcept { return head_.load(sync::relaxed, sync::site{"G5"}) == young(); }
  void restart(Record* start) noexcept {
    tail_.store(start, sync::relaxed, sync::site{"G0"});
    head_.store(start, sync::relaxed, sync::site{"G0"});
    running_.store(nullptr, sync::relaxed, sync::site{"G0"});
  }

  // Anybody's who was invited, and the owner's.

  /// Hints: how far the owner has come, with running its records and with pushing them.
  struct progress {
    Record* head;
    Record* tail;
  };
  [[nodiscard]] progress seen_from_afar() const noexcept {
    return {head_.load(sync::relaxed, sync::site{"G26"}), tail_.load(sync::relaxed, sync::site{"G26"})};
  }

  void lock() noexcept {
    for (std::uint32_t turn = 0;; ++turn) {
      std::uint32_t found = lock_.load(sync::relaxed, sync::site{"G11"});
      if (found == 0 && lock_.compare_exchange(found, 1, sync::acquire, sync::relaxed, sync::site{"G22"})) return;
      Sync::relax(turn);
    }
  }
  void unlock() noexcept { lock_.store(0, sync::release, sync::site{"G12"}); }

  // Under the lock.

  /// What nobody has begun and nobody has looked at: [first, end). If there is any the frame is handed over now; if not, the
  /// owner's next push returns false.
  struct part {
    Record* first = nullptr;
    Record* end = nullptr;
  };
  [[nodiscard]] part unseen() noexcept {
    bool rung = false;
    if (!is_handed_over()) {
      gate_.store(closed, sync::relaxed, sync::site{"G13"});
      ring_push();
      rung = true;
      Sync::membarrier(sync::site{"G14"});
      Record* const from = head_.load(sync::acquire, sync::site{"G15"});
      Record* const last = running_.load(sync::acquire, sync::site{"G16"});
      STEELYARD_ASSERT(last == nullptr || last <= from, "[I2] running is from, what lies before it, or none");
      from_.store(from, sync::relaxed, sync::site{"G17"});
      cut_.store(from, sync::relaxed, sync::site{"G17"});
      begun_.store(last != from ? last : nullptr, sync::relaxed, sync::site{"G17"});
    }
    Record* end = tail_.load(sync::acquire, sync::site{"G18"});
    Record* const first = cut();
    STEELYARD_ASSERT(first <= end, "[I4] what has been seen had been pushed");
    if (end == first) {
      if (rung) {
        static_cast<void>(end_begun());
        gate_.store(open, sync::relaxed, sync::site{"G13"});
      } else {
        ring_push();
        Sync::membarrier(sync::site{"G19"});
        end = tail_.load(sync::acquire, sync::site{"G18"});
      }
    }
    return {first, end};
  }
  /// The same for the owner, of a frame that is handed over.
  [[nodiscard]] part rest() const noexcept { return {cut(), young()}; }
  /// Records before `end` have been seen.
  void seen_to(Record* end) noexcept { cut_.store(end, sync::relaxed, sync::site{"G17"}); }

  /// Where the part began that was handed over.
  [[nodiscard]] Record* from() const noexcept { return from_.load(sync::relaxed, sync::site{"G20"}); }
  /// The record that the owner had begun when the frame was handed over and may still be running; nullptr: none.
  [[nodiscard]] Record* begun() const noexcept { return begun_.load(sync::relaxed, sync::site{"G20"}); }

  /// By the owner, when it has ended what it had begun: who ran after it may have waited. nullptr: nobody can have.
  [[nodiscard]] Record* end_begun() noexcept {
    Record* const it = begun();
    begun_.store(nullptr, sync::relaxed, sync::site{"G17"});
    return it;
  }

  /// Who was invited goes: the owner's next push returns false, or its next `take` is rung.
  void ring() noexcept {
    ring_push();
    if (!is_handed_over()) gate_.store(rung_open, sync::relaxed, sync::site{"G24"});
  }

  /// From now on a push that ends beyond `limit` returns false.
  void allow(Record* limit) noexcept { limit_.store(limit, sync::relaxed, sync::site{"G21"}); }

 private:
  static constexpr std::uint32_t open = 0;
  static constexpr std::uint32_t closed = 1;
  static constexpr std::uint32_t rung_open = 2;

  void ring_push() noexcept { limit_.store(nullptr, sync::relaxed, sync::site{"G23"}); }
  [[nodiscard]] Record* cut() const noexcept { return cut_.load(sync::relaxed, sync::site{"G20"}); }

  /// The gate is closed, or about to be, or rung.
  taken take_slowly(Record* first, bool is_last) noexcept {
    lock();
    const bool is_rung = gate_.load(sync::relaxed, sync::site{"G9"}) == rung_open;
    if (is_rung) gate_.store(open, sync::relaxed, sync::site{"G25"});
    const bool is_open = !is_handed_over();
    const bool is_mine = is_open || first < from();
    STEELYARD_ASSERT(is_open || !is_mine || first->next() == from(),
                     "[I1] what is handed over begins behind the owner's");
    unlock();
    return {is_mine ? first : nullptr, is_open && is_last, is_rung};
  }

  template <class T>
  using atomic = typename Sync::template atomic<T>;

  // steelyard_frame in <steelyard/detail/dataflow_core.h> begins with these two.
  atomic<Record*> tail_{};   ///< behind the youngest record
  atomic<Record*> limit_{};  ///< a push that ends above it has to look
  atomic<Record*> head_{};   ///< while the gate is open: the next record in order
  atomic<Record*> running_{};
  atomic<std::uint32_t> gate_{};
  // Of who has the lock.
  alignas(support::line_size) atomic<std::uint32_t> lock_{};
  atomic<Record*> from_{};  ///< what was handed over
  atomic<Record*> cut_{};   ///< up to where it has been seen
  atomic<Record*> begun_{};
};

}  // namespace steelyard::dataflow
