// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "schedules/contract.hpp"
#include "sync/real.hpp"

#include <steelyard/steelyard.h>

namespace steelyard::loop {

/// What members with open ranges do for each other: they deliver requests and answer them, by whatever delivery.hpp says.
/// The schedule's `open_ranges` row is there, and its loop is open; without members nothing of this is used.
class requests {
 public:
  /// Memory for it behind the schedule's state.
  [[nodiscard]] static std::size_t bytes(std::uint32_t members) noexcept { return members * sizeof(thread_number); }

  requests(const schedules::operations& schedule, void* state, std::uint32_t members, void* memory) noexcept;

  /// On the member's thread, before it calls the others.
  void enter(std::uint32_t m) noexcept;
  /// On the member's thread: it runs nothing more.
  void leave(std::uint32_t m) noexcept { does_->leave(state_, m); }

  /// Where m's range stands.
  [[nodiscard]] std::uint64_t at(std::uint32_t m) const noexcept { return does_->at(state_, m); }

  /// Has the victim asked, after the schedule said so, and waits for its reply.
  void deliver(std::uint32_t thief, std::uint32_t victim) noexcept;

  /// Answers what m is asked; also in a signal handler on its thread.
  void answer(std::uint32_t m) noexcept;

  /// The range of m as C code claims from it, without `base`, `until` and `step`.
  [[nodiscard]] steelyard_range range(std::uint32_t m) noexcept;
  /// Claims from it without the words of `range`.
  [[nodiscard]] steelyard_piece claim(std::uint32_t m, std::uint64_t count) noexcept;
  /// What a claim from it comes to when it met the end.
  [[nodiscard]] steelyard_piece claim_slowly(std::uint32_t m, steelyard_piece wanted) noexcept;

  /// No member claims anything more, from its next claim on.
  void stop() noexcept;
  [[nodiscard]] bool stopped() const noexcept { return stopped_.load(sync::relaxed, sync::site{"M7"}); }

 private:
  using thread_number = sync::real::atomic<pid_t>;
  void interrupt(std::uint32_t victim) noexcept;
  void await_reply(std::uint32_t thief, std::uint32_t victim, bool may_take) noexcept;

  const schedules::sharing_operations* does_;  ///< nullptr: never used, see above
  void* state_;
  std::uint32_t members_;
  thread_number* threads_;
  sync::real::atomic<bool> stopped_{};
};

}  // namespace steelyard::loop
