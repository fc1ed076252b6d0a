// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "learn/cost_profile.hpp"
#include "loop/pace.hpp"
#include "loop/progress.hpp"
#include "loop/requests.hpp"
#include "loop/shares_in_use.hpp"
#include "loop/sums.hpp"
#include "runtime/callers_pool.hpp"
#include "schedules/contract.hpp"
#include "sync/real.hpp"

#include <steelyard/steelyard.h>

namespace steelyard::loop {
class team;
}

/// A thread inside a loop; lives on its stack while it runs iterations.
struct steelyard_member {
  steelyard::loop::team* of;  ///< nullptr: it runs the loop alone
  std::uint32_t number;
  bool stopped_alone = false;
  steelyard::loop::pace claims{1};  ///< from its open range
};

namespace steelyard::loop {

/// A thread while it is a member of a loop of that pool: what it forks is the loop's, and has ended when this goes.
class member_here {
 public:
  member_here(steelyard_pool& pool, std::uint32_t number) noexcept;
  ~member_here();
  member_here(const member_here&) = delete;
  member_here& operator=(const member_here&) = delete;

 private:
  runtime::pool_in_use pool_;
  bool in_no_task_;
};

/// Who wants to know what the parts of a loop take; nullptr, false: nobody.
struct listeners {
  shares_in_use* shares = nullptr;                         ///< of blocks
  bool fetches = false;                                    ///< the caller, of fetches of chunks
  const schedules::feedback_operations* chunks = nullptr;  ///< of both, for each chunk: the schedule
  learn::cost_profile* costs = nullptr;                    ///< of chunks
  bool ends = false;                                       ///< the caller, of when members were through
};

/// The members of one loop, and the schedule that binds them. Lives on the caller's stack.
class team final : public runtime::shared_work {
 public:
  /// Iterations `first` … of the loop that `asked` describes, under the schedule whose state lies at `memory` with this
  /// shape, which it opens; behind it requests::bytes(members) more when the shape is open. `told` is told what its parts take; what is
  /// nullptr is not.
  team(steelyard_pool& pool, const steelyard_loop& asked, std::uint64_t first, const schedules::operations& schedule,
       const schedules::shape& shape, void* memory, const listeners& told) noexcept;

  void run(std::uint32_t number) noexcept override;

  void stop() noexcept;
  [[nodiscard]] bool stopped() const noexcept;

  [[nodiscard]] std::uint32_t members() const noexcept { return members_; }
  [[nodiscard]] steelyard_range range_of(const steelyard_member& self) noexcept;
  [[nodiscard]] steelyard_piece claim(std::uint32_t number, steelyard_piece wanted) noexcept {
    return requests_.claim_slowly(number, wanted);
  }

  /// When it was opened, in ticks.
  [[nodiscard]] std::uint64_t opened() const noexcept { return opened_; }
  /// Of all members, behind the loop.
  [[nodiscard]] of_member all() const noexcept { return sums_.all(); }
  /// Ticks from its opening until the caller began, and until the first worker came (0: none did).
  [[nodiscard]] std::uint64_t opening() const noexcept { return opening_; }
  [[nodiscard]] std::uint64_t first_arrival() const noexcept { return arrival_.load(sync::relaxed, sync::site{"M2"}); }

 private:
  void run_as(std::uint32_t number, of_member& its) noexcept;
  void run_chunks(steelyard_member& self, of_member& its) noexcept;
  void run_open(steelyard_member& self) noexcept;
  void run_for_a_while(steelyard_member& self) noexcept;
  void report_progress(std::uint32_t number) noexcept;
  [[nodiscard]] std::uint64_t taken_from_ranges() const noexcept;

  steelyard_pool& pool_;
  const steelyard_loop& asked_;
  std::uint64_t first_;
  const schedules::operations& schedule_;
  void* state_;
  std::uint64_t iterations_;
  std::uint32_t members_;
  std::uint64_t opened_;
  std::uint64_t opening_ = 0;  ///< from then until the caller itself began, in ticks
  std::uint64_t grain_;        ///< iterations worth claiming at once in the beginning
  std::uint64_t step_;         ///< iterations to claim at once from an open range; 0: as many as the clock says
  bool open_;                  ///< the members have open ranges
  requests requests_;          ///< of these
  listeners told_;
  progress progress_;  ///< the caller's
  sync::real::atomic<std::uint64_t>
      taken_{};  ///< iterations that have run, where that is asked for and nobody has an open range
  sync::real::atomic<bool> stopped_{};
  sync::real::atomic<std::uint64_t> arrival_{};
  sums sums_;
};

}  // namespace steelyard::loop
