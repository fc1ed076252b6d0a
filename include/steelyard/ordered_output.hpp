// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include <steelyard/steelyard.h>
#include <steelyard/task_group.hpp>

/// @file
/// Pieces that are made in any order, and written in one.
namespace steelyard {
inline namespace v1 {

/// @addtogroup tasks
/// @{

/// A stream of pieces: tasks make them, on any thread of the pool, and they are written one at a time, in the order in which
/// they were appended. Who has made the next one that is missing writes it, and those behind it that are made already. No piece
/// waits for another: there is no task for writing, and whoever is not the next to be written goes on. The pieces are begun in
/// that order, too.
///
/// At most `window` of them are in memory. A piece is a T(), used again for every window-th one: who makes it finds there what
/// that has left, buffers for instance. When the window is full, who appends makes pieces, too. The window should be several
/// times as large as there are threads: while one piece takes long, others can be made ahead as far as it reaches.
///
///     steelyard::ordered_output<std::string> out(16, [&](std::string& piece) { file << piece; });
///     for (const auto& page : pages) out.append([&page](std::string& into) { into = render(page); });
///     out.wait();
///
/// What is written is what the sequential program writes, also when it throws: the pieces before the first that has thrown, and
/// none behind it. One thread makes the object, appends, waits and destroys it. Pieces may use joins, loops, groups, dataflow and
/// outputs of their own, but not append to this one.
template <class T>
class ordered_output {
 public:
  /// An output without pieces. Throws std::bad_alloc, and what making a T() throws.
  /// @param window pieces in memory at most; 0 counts as 1.
  /// @param write called with a T&, for one piece at a time, on any thread. It may take what it wants from the piece, and must
  ///   not use this object.
  template <class Write>
  ordered_output(std::size_t window, Write&& write)
      : window_(window == 0 ? 1 : window), slots_(new slot[window_]),
        most_helpers_(steelyard_pool_threads(nullptr) - 1) {
    constexpr bool is_writer =
        std::is_copy_constructible_v<std::decay_t<Write>> && std::is_invocable_v<std::decay_t<Write>&, T&>;
    static_assert(is_writer, "ordered_output: what writes cannot be called with a T&, or not be copied");
    if constexpr (is_writer) write_ = std::forward<Write>(write);
  }
  /// Waits; what is thrown is dropped.
  ~ordered_output() { finish(); }
  ordered_output(const ordered_output&) = delete;
  ordered_output& operator=(const ordered_output&) = delete;

  /// Calls make(piece), some time before `wait` returns, on any thread of the pool; at once where the pool has but one. Where
  /// the window is full, it first makes pieces here, the oldest first, until there is room. Not at all once a piece has
  /// thrown. What copying `make` throws is thrown, and nothing is appended. Takes a lock, and one allocation.
  /// @param make called with a T&, which it fills.
  template <class F>
  void append(F&& make) {
    constexpr bool is_maker =
        std::is_constructible_v<std::decay_t<F>, F&&> && std::is_invocable_v<std::decay_t<F>&, T&>;
    static_assert(is_maker, "append: the task cannot be called with a T&, or not be copied or moved");
    if constexpr (is_maker) {
      std::unique_ptr<maker> its(new maker_of<std::decay_t<F>>(std::forward<F>(make)));
      const detail::entered here(steelyard_forks == nullptr);
      append_maker(std::move(its));
    }
  }

  /// Returns when all pieces are made and written. Throws what the first of them that failed has thrown, by being made or
  /// written: an output that has failed stays so.
  void wait() {
    finish();
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

  /// Whether something has thrown.
  /// @return true: no piece is begun any more, and who appends may stop.
  [[nodiscard]] bool has_failed() const {
    const std::lock_guard locked(lock_);
    return stopped_;
  }

 private:
  struct maker {
    maker() = default;
    virtual ~maker() = default;
    maker(const maker&) = delete;
    maker& operator=(const maker&) = delete;
    virtual void call(T& into) = 0;
  };
  template <class F>
  struct maker_of final : maker {
    template <class G>
    explicit maker_of(G&& given) : f(std::forward<G>(given)) {}
    void call(T& into) override { f(into); }
    F f;
  };

  /// Pieces i, i + window, … go through the same one.
  struct slot {
    T piece{};
    std::unique_ptr<maker> make;
    std::exception_ptr thrown;
    bool is_made = false;
  };

  slot& slot_of(std::uint64_t piece) noexcept { return slots_[piece % window_]; }

  void append_maker(std::unique_ptr<maker> make) {
    if (!find_room()) return;
    slot_of(appended_).make = std::move(make);
    bool more = false;
    {
      const std::lock_guard locked(lock_);
      ++appended_;
      more = helpers_ < most_helpers_;
      if (more) ++helpers_;
    }
    if (more) {
      helping_.spawn([this] { make_pieces(true); });
    } else if (most_helpers_ == 0) {
      make_pieces(false);
    }
  }

  /// False: it is of no use any more. Else there is room until this thread has appended.
  bool find_room() {
    for (;;) {
      slot* mine = nullptr;
      {
        const std::lock_guard locked(lock_);
        if (stopped_) return false;
        if (appended_ - written_ < window_) return true;
        mine = begin_next();
        if (mine == nullptr) needs_room_.store(true, std::memory_order_relaxed);  // H13
      }
      if (mine != nullptr) {
        make(*mine);
      } else {
        wait_for_room();
      }
    }
  }

  /// All pieces of the window are made, or under way elsewhere: helps with those until one has been written.
  void wait_for_room() noexcept {
    const auto enough = [](const void* needs) {
      return static_cast<const std::atomic<bool>*>(needs)->load(std::memory_order_relaxed) ? 0 : 1;  // H13
    };
    steelyard_group_wait_until(&helping_.core_, enough, &needs_room_);
  }
  /// With the lock, by who is at work on pieces.
  void give_room() noexcept {
    if (!needs_room_.load(std::memory_order_relaxed)) return;  // H13
    needs_room_.store(false, std::memory_order_relaxed);       // H13
    steelyard_group_nudge(&helping_.core_);
  }

  /// The oldest that nobody has begun. With the lock.
  slot* begin_next() noexcept { return stopped_ || begun_ == appended_ ? nullptr : &slot_of(begun_++); }

  /// As long as there are any: who has made one need not look for another task.
  void make_pieces(bool as_helper) noexcept {
    for (;;) {
      slot* mine = nullptr;
      {
        const std::lock_guard locked(lock_);
        mine = begin_next();
        if (mine == nullptr && as_helper) --helpers_;
      }
      if (mine == nullptr) return;
      make(*mine);
    }
  }

  void make(slot& here) noexcept {
    try {
      const auto its = std::move(here.make);
      const detail::own_task task;
      its->call(here.piece);
      detail::own_task::end();
    } catch (...) {
      here.thrown = std::current_exception();
    }
    write_what_is_made(here);
  }

  void write_what_is_made(slot& last) noexcept {
    std::unique_lock locked(lock_);
    last.is_made = true;
    if (last.thrown != nullptr) stopped_ = true;  // those before it have begun: they are made, and written
    if (is_written_) return;                      // who writes looks once more before it leaves
    is_written_ = true;
    while (failure_ == nullptr && slot_of(written_).is_made) {
      slot& next = slot_of(written_);
      next.is_made = false;
      locked.unlock();
      if (next.thrown == nullptr) write(next);
      locked.lock();
      if (next.thrown == nullptr) {
        ++written_;
      } else {
        stopped_ = true;
        failure_ = std::move(next.thrown);
      }
      give_room();
    }
    is_written_ = false;
  }

  void write(slot& next) noexcept {
    try {
      const detail::own_task task;
      write_(next.piece);
      detail::own_task::end();
    } catch (...) {
      next.thrown = std::current_exception();
    }
  }

  void finish() noexcept {
    {
      const detail::entered here(steelyard_forks == nullptr);
      make_pieces(false);
    }
    helping_.wait();  // helpers throw nothing
    const std::lock_guard locked(lock_);
    if (!stopped_) return;
    for (; begun_ != appended_; ++begun_) slot_of(begun_).make = nullptr;
  }

  const std::size_t window_;
  std::function<void(T&)> write_;
  const std::unique_ptr<slot[]> slots_;
  const std::uint32_t most_helpers_;

  mutable std::mutex lock_;     ///< of all that follows, and of who has which slot; held for a few moves
  std::uint64_t appended_ = 0;  ///< only who appends changes it
  std::uint64_t begun_ = 0;
  std::uint64_t written_ = 0;
  std::uint32_t helpers_ = 0;            ///< tasks that make pieces, or have not begun to
  bool is_written_ = false;              ///< somebody is writing
  bool stopped_ = false;                 ///< no piece is begun any more
  std::atomic<bool> needs_room_{false};  ///< who appends waits; what it waits for lies under the lock
  std::exception_ptr failure_;

  task_group helping_;
};

/// @}

}  // namespace v1
}  // namespace steelyard
