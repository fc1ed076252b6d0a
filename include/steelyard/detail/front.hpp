// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace steelyard {
inline namespace v1 {
namespace detail {

/// A program's atomics, as the front of a scan uses them. The model checker has others, with these same members.
struct program_atomics {
  /// Names an access: a row in scan.md.
  struct site {
    explicit constexpr site(const char*) noexcept {}
  };
  template <class T>
  class atomic {
   public:
    constexpr atomic() noexcept : value_(T{}) {}
    explicit constexpr atomic(T initial) noexcept : value_(initial) {}
    [[nodiscard]] T load(std::memory_order how, site) const noexcept { return value_.load(how); }
    void store(T desired, std::memory_order how, site) noexcept { value_.store(desired, how); }
    T exchange(T desired, std::memory_order how, site) noexcept { return value_.exchange(desired, how); }

   private:
    std::atomic<T> value_;
  };
};

inline constexpr std::uint64_t no_leaf = ~std::uint64_t{0};

/// What a leaf has for the front; the base of `Leaf`.
template <class Atomics>
struct front_link {
  enum phase : std::uint8_t { fresh, summed, reached };

  std::uint64_t next = no_leaf;  ///< of those that a member is still to write
  typename Atomics::template atomic<phase> state{fresh};
};

/// A scan in one pass by whoever is at the front, while the others go ahead. Protocol, invariants [I1]-[I5] and rejected designs:
/// scan.md. Programs and the model checker compile this one source.
///
/// A `Work` knows the leaves' values, and where they come from and go:
/// - `add_up(l)`: the sum of leaf l;
/// - `comes_before(l, sum)`: of all before leaf l; `before(l)`: what was said; `over(l, before)`: with the leaf's own sum, too;
/// - `write(l)`: the output of l, behind `comes_before`; `write_at_front(l)`: the same for one that has not been added up. Returns
///   what `over` would.
template <class Atomics, class Leaf>
class front {
 public:
  /// Leaves that a member has added up and not written, in ascending order.
  struct list {
    std::uint64_t first = no_leaf;
    std::uint64_t last = no_leaf;
  };

  explicit front(std::uint64_t count)
      : count_(count), leaves_(std::make_unique<Leaf[]>(count)), claimed_(std::make_unique<flag[]>(count)) {
    leaves_[0].state.store(link::reached, std::memory_order_relaxed, site{"U1"});
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] Leaf& operator[](std::uint64_t number) const noexcept { return leaves_[number]; }

  /// A member's turn; `count()` of them. Each claims a leaf: as long as one has found none, the others have not claimed all.
  template <class Work>
  void turn(Work& work, list& mine) {
    write_reached(work, mine);
    run(work, claim(), mine);
  }

  // The two halves of a turn.

  /// The leaf at the front, else the second one behind it that nobody has claimed, else any.
  std::uint64_t claim() noexcept {
    const auto at = front_.load(std::memory_order_relaxed, site{"U2"});
    if (try_claim(at)) return at;
    bool left_one = false;
    for (auto l = at + 1; l < count(); ++l) {
      if (is_claimed(l)) continue;
      if (left_one && try_claim(l)) return l;
      left_one = true;
    }
    for (auto l = at;; l = l + 1 == count() ? 0 : l + 1) {
      if (try_claim(l)) return l;
    }
  }

  /// A leaf that this member has claimed.
  template <class Work>
  void run(Work& work, std::uint64_t number, list& mine) {
    auto& state = leaves_[number].state;
    if (state.load(std::memory_order_acquire, site{"U4"}) == link::reached) {
      return move(work, number + 1, work.write_at_front(number));
    }
    work.add_up(number);
    if (state.exchange(link::summed, std::memory_order_acq_rel, site{"U5"}) == link::reached) {
      move(work, number + 1, work.over(number, work.before(number)));
      work.write(number);
    } else {
      keep(number, mine);
    }
  }

  /// After all turns: f(l) for the leaves of a member that are still to be written.
  template <class F>
  void for_each(const list& of, F f) const {
    for (auto l = of.first; l != no_leaf; l = leaves_[l].next) f(l);
  }

 private:
  using link = front_link<Atomics>;
  using site = typename Atomics::site;
  using flag = typename Atomics::template atomic<bool>;

  /// To leaf `number`, with what comes before it, and over all that are added up.
  template <class Work, class T>
  void move(Work& work, std::uint64_t number, T before) {
    for (; number != count(); ++number) {
      work.comes_before(number, before);
      front_.store(number, std::memory_order_relaxed, site{"U3"});
      auto& state = leaves_[number].state;
      if (state.exchange(link::reached, std::memory_order_acq_rel, site{"U6"}) != link::summed) return;
      before = work.over(number, std::move(before));
    }
  }

  template <class Work>
  void write_reached(Work& work, list& mine) {
    for (; mine.first != no_leaf && is_reached(mine.first); mine.first = leaves_[mine.first].next) {
      work.write(mine.first);
    }
  }

  [[nodiscard]] bool is_reached(std::uint64_t number) const noexcept {
    return leaves_[number].state.load(std::memory_order_acquire, site{"U7"}) == link::reached;
  }

  [[nodiscard]] bool is_claimed(std::uint64_t number) const noexcept {
    return claimed_[number].load(std::memory_order_relaxed, site{"U8"});
  }
  [[nodiscard]] bool try_claim(std::uint64_t number) noexcept {
    return !is_claimed(number) && !claimed_[number].exchange(true, std::memory_order_relaxed, site{"U9"});
  }

  void keep(std::uint64_t number, list& mine) noexcept {
    (mine.first == no_leaf ? mine.first : leaves_[mine.last].next) = number;
    mine.last = number;
  }

  std::uint64_t count_;
  std::unique_ptr<Leaf[]> leaves_;
  std::unique_ptr<flag[]> claimed_;  ///< close together: who looks for one looks at many
  alignas(64) typename Atomics::template atomic<std::uint64_t> front_{};  ///< a hint: the last leaf that was reached
};

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
