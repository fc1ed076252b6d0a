// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <steelyard/detail/task_core.h>

namespace steelyard::runtime {

/// Measures work and span, T1 and T-infinity, of what one thread runs: as if as many threads as it takes had run it, and nothing
/// cost but the program's own instructions. What lies between two calls of the library is a strand; it adds its time to the work, and to
/// the path on which the thread is. A task begins where it was forked, or where the last one it waits for has ended; who waits
/// goes on where the last one has ended. meter.md.
///
/// Times are nanoseconds on a processor: while the thread has none, no time passes. By the thread alone.
class meter {
 public:
  using time = std::uint64_t;

  meter() noexcept;

  /// The thread has tasks from now on; and has none any more.
  void start() noexcept;
  void stop() noexcept { end_strand(); }

  void begin_strand() noexcept;
  void end_strand() noexcept;

  /// While it exists no strand runs: where the library does what it would not do, or other threads would.
  class standing {
   public:
    explicit standing(meter& its) noexcept : its_(its) { its_.end_strand(); }
    ~standing() { its_.begin_strand(); }
    standing(const standing&) = delete;
    standing& operator=(const standing&) = delete;

   private:
    meter& its_;
  };

  // While no strand runs.

  /// How long the path is that has led here.
  [[nodiscard]] time here() const noexcept { return here_; }
  /// The next strand lies at the end of another path.
  void go_to(time when) noexcept { here_ = when; }
  /// And may not begin before that.
  void wait_for(time when) noexcept { here_ = here_ < when ? when : here_; }

  /// Of the thread's deques.
  enum class deque_kind : std::size_t { forks, spawned };
  /// There are so many tasks in the deque now; those that are new begin here, if nothing else was said.
  void pushed(deque_kind in, std::size_t count) noexcept;
  /// When that one, the youngest, may begin; it is in the deque no more.
  [[nodiscard]] time popped(deque_kind in, std::size_t which) noexcept;

  void ended_in(const steelyard_group* group) noexcept;
  void wait_for_all(const steelyard_group* group) noexcept;

  // Tasks that wait for others, see steelyard_node.

  void begin(const steelyard_node* node) noexcept;
  /// `node` begins behind `before`, which has ended, or has not.
  void precede(const steelyard_node* before, const steelyard_node* node, bool has_ended) noexcept;
  /// It begins here at the earliest.
  void forked(const steelyard_node* node) noexcept;
  /// It is what will be pushed next.
  void is_next(const steelyard_node* node) noexcept;
  void ended(const steelyard_node* node) noexcept;

  [[nodiscard]] time work() const noexcept { return work_; }
  [[nodiscard]] time span() const noexcept { return here_; }
  /// No memory was left for what has to be known.
  void fail() noexcept { failed_ = true; }
  [[nodiscard]] bool has_failed() const noexcept { return failed_; }

 private:
  struct job {
    time start = 0;  ///< or later
    time end = 0;
    std::vector<const steelyard_node*> after;
  };

  time work_ = 0;
  time here_ = 0;
  time began_ = 0;   ///< the strand, by the clock
  time looked_ = 0;  ///< by the clock, when the thread's own one was read last
  time used_ = 0;    ///< what that said
  time least_ = 0;   ///< what an empty strand takes
  time next_ = 0;    ///< when what will be pushed next may begin
  bool failed_ = false;
  std::vector<time> starts_[2];
  std::unordered_map<const steelyard_group*, time> groups_;
  std::unordered_map<const steelyard_node*, job> jobs_;
};

}  // namespace steelyard::runtime
