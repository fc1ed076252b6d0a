// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "runtime/asker.hpp"
#include "runtime/lineage.hpp"
#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/access.hpp"

#include <steelyard/detail/young_end.hpp>

namespace steelyard::runtime {

/// A worker's tasks: it pushes and pops at the young end with plain moves, and thieves get the oldest, from the owner or, if
/// it does not answer, by themselves. Protocol, invariants [I1]-[I7] and rejected designs: deque.md.
///
/// Slots lie in memory that never moves and belongs to the caller. Whoever hands a slot to thief `t` calls
/// slot.mark_stolen(t) first, and copy.assign(slot). A `Find` maps a thief's number to its asker.
template <class Sync, class Slot>
class deque {
 public:
  using thief = asker<Sync, Slot>;

  /// Slots [first, last). The first push finds the deque rung.
  void use(Slot* first, Slot* last) noexcept {
    last_.store(last, sync::relaxed, sync::site{"D0"});
    tail_.store(first, sync::relaxed, sync::site{"D0"});
    base_.store(first, sync::relaxed, sync::site{"D0"});
    limit_.store(nullptr, sync::relaxed, sync::site{"D0"});
    let_go();
  }

  // The owner's.

  /// Where the next task belongs. It is the owner's until `push`.
  [[nodiscard]] Slot* young() const noexcept { return tail_.load(sync::relaxed, sync::site{"D1"}); }

  /// Publishes the task in slot `young()`. False: `look_up` is due.
  bool push() noexcept { return v1::detail::push_to(*this, young() + 1); }

  /// After a push that returned false. Afterwards whoever announced that it goes to sleep before it rang can be seen.
  void look_up() noexcept { limit_.exchange(last() - 1, sync::acquire, sync::site{"D5"}); }

  /// After a push: there is no room for another, so this one has to be popped; no thief gets it.
  [[nodiscard]] bool is_full() const noexcept { return young() == last(); }

  /// How many more may be pushed before the deque is full. They may be filled first and published by one store of tail (D2).
  [[nodiscard]] std::uint64_t room() const noexcept { return static_cast<std::uint64_t>(last() - 1 - young()); }

  /// Takes back the task pushed last, which is in slot `young()` then. False: it is a thief's, and so are all older ones;
  /// the deque is empty, and `young()` as before.
  template <class Find>
  bool pop(Find&& find) noexcept {
    Slot* const mine = young() - 1;
    return v1::detail::pop_to(*this, mine) || pop_slowly(mine, find);
  }

  /// What `pop` comes to when `mine`, which is `young()`, lies below the bound it has read.
  template <class Find>
  bool pop_slowly(Slot* mine, Find&& find) noexcept {
    const auto queue = hold();
    Slot* const base = base_.load(sync::relaxed, sync::site{"D9"});
    const bool is_mine = base <= mine;
    if (is_mine) {
      give(queue, mine, find);
    } else {
      STEELYARD_ASSERT(base == mine + 1, "[I6] thieves have taken what was there, and no more");
      tail_.store(base, sync::relaxed, sync::site{"D10"});
      refuse_all(queue, find);
    }
    let_go();
    return is_mine;
  }

  /// The tasks from `first` on, all of them taken by thieves, have ended; their slots are free again.
  template <class Find>
  void free_from(Slot* first, Find&& find) noexcept {
    refuse_all(hold(), find);
    tail_.store(first, sync::relaxed, sync::site{"D10"});
    base_.store(first, sync::relaxed, sync::site{"D11"});
    let_go();
  }

  /// The tasks pushed from now on descend from `what`, and those that are in it already do not. Returns the floor of before.
  template <class Find>
  Slot* begin(const lineage& what, Find&& find) noexcept {
    Slot* const before = floor();
    be(what, young(), find);
    return before;
  }
  /// As it was before `begin`.
  template <class Find>
  void be(const lineage& what, Slot* floor, Find&& find) noexcept {
    give(hold(), young(), find);
    floor_.store(floor, sync::relaxed, sync::site{"D38"});
    for (std::size_t i = 0; i < lineage::most; ++i) {
      roots_[i].store(what.roots[i], sync::relaxed, sync::site{"D39"});
      if (what.roots[i] == nullptr) break;
    }
    frames_ = what.frames;
    let_go();
  }

  // What <steelyard/detail/young_end.hpp> needs.

  void push_tail(Slot* end) noexcept { tail_.store(end, sync::release, sync::site{"D2"}); }
  static void fence_of_push() noexcept { Sync::light_fence(sync::site{"D3"}); }
  [[nodiscard]] Slot* limit() const noexcept { return limit_.load(sync::relaxed, sync::site{"D4"}); }
  void pop_tail(Slot* task) noexcept { tail_.store(task, sync::relaxed, sync::site{"D6"}); }
  static void fence_of_pop() noexcept { Sync::light_fence(sync::site{"D7"}); }
  [[nodiscard]] Slot* bound() const noexcept { return bound_.load(sync::relaxed, sync::site{"D8"}); }

  // Anybody's.

  /// A hint: whether there is a task that no thief has, and that descends from `root`, unless that is nullptr.
  [[nodiscard]] bool has_some(const void* root = nullptr) const noexcept {
    Slot* const base = base_.load(sync::relaxed, sync::site{"D12"});
    return base < tail_.load(sync::relaxed, sync::site{"D13"}) &&
           (root == nullptr || (descends_from(root) && floor() <= base));
  }

  /// A hint: how many there are.
  [[nodiscard]] std::ptrdiff_t size() const noexcept {
    return tail_.load(sync::relaxed, sync::site{"D13"}) - base_.load(sync::relaxed, sync::site{"D12"});
  }

  /// What the tasks that descend from the roots lie above.
  [[nodiscard]] Slot* floor() const noexcept { return floor_.load(sync::relaxed, sync::site{"D37"}); }

  /// The owner's next push will return false. Then a membarrier, and one look more with `has_some`, before sleeping: if
  /// that sees nothing, the next push finds the ring.
  void ring_push() noexcept { limit_.exchange(nullptr, sync::release, sync::site{"D14"}); }

  // The thief's.

  /// Joins those who ask this victim; false: somebody answers just now. Then `ring`, and `hear` until there is an answer,
  /// or `take`, after which there is one, or will be at once.
  bool ask(thief& self, std::uint32_t number) noexcept {
    auto found = channel_.load(sync::relaxed, sync::site{"D15"});
    while (found != held) {
      self.behind_.store(found, sync::relaxed, sync::site{"D16"});
      if (channel_.compare_exchange(found, first_asker + number, sync::acq_rel, sync::relaxed, sync::site{"D17"}))
        return true;
    }
    return false;
  }

  /// Makes the owner look at its next pop.
  void ring() noexcept { bound_.store(highest(), sync::relaxed, sync::site{"D18"}); }

  /// Takes a task for each of those who ask, as many as there are, the oldest first.
  template <class Find>
  void take(Find&& find) noexcept {
    auto found = channel_.load(sync::relaxed, sync::site{"D15"});
    do {
      if (found < first_asker) return;  // somebody has begun to answer
    } while (!channel_.compare_exchange(found, held, sync::acquire, sync::relaxed, sync::site{"D19"}));
    Slot* const base = base_.load(sync::relaxed, sync::site{"D9"});
    const auto there = distance(base, tail_.load(sync::relaxed, sync::site{"D13"}));
    const auto most = std::min(length(found, find), there);
    std::uint64_t taken = 0;
    if (most != 0) {
      bound_.store(base + most, sync::relaxed, sync::site{"D20"});
      if (Sync::membarrier(sync::site{"D21"})) {
        taken = std::min(most, distance(base, tail_.load(sync::acquire, sync::site{"D22"})));
      }
    }
    give(found, base + taken, find);
    let_go();
  }

 private:
  // The channel.
  static constexpr std::uint32_t open = 0;         ///< nobody asks
  static constexpr std::uint32_t held = 1;         ///< the owner or a thief is at it
  static constexpr std::uint32_t first_asker = 2;  ///< 2 + t: thief t asks

  [[nodiscard]] Slot* last() const noexcept { return last_.load(sync::relaxed, sync::site{"D29"}); }
  static Slot* highest() noexcept { return reinterpret_cast<Slot*>(~std::uintptr_t{0}); }

  /// How many tasks there are from base on up to `tail`. That in the last slot is the owner's, see is_full.
  [[nodiscard]] std::uint64_t distance(Slot* base, Slot* tail) const noexcept {
    tail = std::min(tail, last() - 1);
    return tail > base ? static_cast<std::uint64_t>(tail - base) : 0;
  }

  /// Makes the channel the owner's; the queue of those who ask is returned. Waits for a thief inside `take`.
  std::uint32_t hold() noexcept {
    for (std::uint32_t turn = 0;; ++turn) {
      auto found = channel_.load(sync::relaxed, sync::site{"D23"});
      if (found != held && channel_.compare_exchange(found, held, sync::acquire, sync::relaxed, sync::site{"D24"})) {
        return found;
      }
      Sync::relax(turn);
    }
  }

  void let_go() noexcept {
    bound_.store(base_.load(sync::relaxed, sync::site{"D9"}), sync::relaxed, sync::site{"D25"});
    channel_.store(open, sync::release, sync::site{"D26"});
  }

  template <class Find>
  static thief& next_asker(std::uint32_t& queue, Find&& find) noexcept {
    thief& first = find(queue - first_asker);
    queue = first.behind_.load(sync::relaxed, sync::site{"D27"});
    return first;
  }

  template <class Find>
  static std::uint64_t length(std::uint32_t queue, Find&& find) noexcept {
    std::uint64_t all = 0;
    for (; queue != open; ++all) next_asker(queue, find);
    return all;
  }

  /// To each of the queue the oldest task below `end`, as long as there are any.
  template <class Find>
  void give(std::uint32_t queue, Slot* end, Find&& find) noexcept {
    Slot* base = base_.load(sync::relaxed, sync::site{"D9"});
    STEELYARD_ASSERT(base <= end, "[I1] thieves get tasks below the cut");
    while (queue != open) {
      const auto number = queue - first_asker;
      thief& to = next_asker(queue, find);
      if (base == end || !is_for(to, base)) {
        to.say(thief::answer::refused, nullptr);
      } else {
        Slot* const task = base++;
        task->mark_stolen(number);
        base_.store(base, sync::relaxed, sync::site{"D28"});
        tell_lineage(task, to.above_);
        to.say(thief::answer::given, task);
      }
    }
  }

  /// Whether a task is what the thief asks for.
  [[nodiscard]] bool is_for(const thief& to, Slot* task) const noexcept {
    const void* const wanted = to.root_.load(sync::relaxed, sync::site{"D40"});
    return wanted == nullptr || (descends_from(wanted) && floor_.load(sync::relaxed, sync::site{"D42"}) <= task);
  }

  /// Whether what its owner runs descends from that; a hint for who has not got the channel.
  [[nodiscard]] bool descends_from(const void* wanted) const noexcept {
    for (const auto& each : roots_) {
      const void* const root = each.load(sync::relaxed, sync::site{"D41"});
      if (root == wanted || root == nullptr) return root != nullptr;
    }
    return false;
  }

  void tell_lineage(Slot* task, lineage& to) const noexcept {
    to.frames = {};
    to.roots[0] = nullptr;
    if (task < floor_.load(sync::relaxed, sync::site{"D42"})) return;
    to.frames = frames_;
    for (std::size_t i = 0; i < lineage::most; ++i) {
      to.roots[i] = roots_[i].load(sync::relaxed, sync::site{"D43"});
      if (to.roots[i] == nullptr) break;
    }
  }

  template <class Find>
  static void refuse_all(std::uint32_t queue, Find&& find) noexcept {
    while (queue != open) next_asker(queue, find).say(thief::answer::refused, nullptr);
  }

  template <class T>
  using atomic = typename Sync::template atomic<T>;

  // The owner's line; steelyard_tasks in <steelyard/detail/task_core.h> begins with these three.
  alignas(support::line_size) atomic<Slot*> tail_{};  ///< behind the youngest task
  atomic<Slot*> limit_{};  ///< a push above it has to look: the slots are used up, or somebody is about to sleep
  atomic<Slot*> bound_{};  ///< a pop below it has to look: base, more, or the highest address
  atomic<Slot*> last_{};   ///< behind the last slot
  atomic<Slot*> floor_{};
  alignas(support::line_size) atomic<std::uint32_t> channel_{held};  ///< until `use`
  atomic<Slot*> base_{};  ///< the oldest task that no thief has; written by who has the channel
  stack_part frames_{};   ///< with the roots, for who has the channel
  /// What the tasks above the floor descend from, see lineage.
  alignas(support::line_size) std::array<atomic<const void*>, lineage::most> roots_{};
};

}  // namespace steelyard::runtime
