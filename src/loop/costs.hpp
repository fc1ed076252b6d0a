// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "learn/history.hpp"
#include "runtime/callers_pool.hpp"
#include "schedules/work_sums.hpp"
#include "sync/real.hpp"

#include <steelyard/steelyard.h>

/// Costs that a program has declared, and their sums.
struct steelyard_costs {
  steelyard_costs(steelyard_cost_function reads, void* its_context, std::uint32_t flags) noexcept;

  steelyard_cost_function evaluate;
  void* context;
  steelyard::schedules::known_costs known;  ///< of who uses them
  /// Their version; also while a loop uses the last one.
  steelyard::sync::real::atomic<std::uint64_t> version{};
  std::unique_ptr<double[]> memory;
  std::size_t room = 0;  ///< in it
  steelyard::schedules::work_sums sums;
  /// Ticks so far: of reading costs and adding them up, and of the loops that used these costs, that not included. Written by
  /// who uses them.
  steelyard::sync::real::atomic<std::uint64_t> reading{};
  steelyard::sync::real::atomic<std::uint64_t> running{};
  /// Loops that could have known them, and that did.
  steelyard::sync::real::atomic<std::uint64_t> loops{};
  steelyard::sync::real::atomic<std::uint64_t> loops_that_know{};
  steelyard::learn::history* reader = nullptr;  ///< the place whose loop read them; of who uses them
  steelyard::sync::real::atomic<bool> in_use{};

  /// See steelyard_costs_changed, _overhead and _known.
  void changed() noexcept;
  [[nodiscard]] double overhead() const noexcept;
  [[nodiscard]] double known_part() const noexcept;
};

namespace steelyard::loop {

/// A loop's use of its costs, for as long as it runs.
class costs_in_use {
 public:
  /// Makes the sums unless they are there: `loop`, which is all that was asked, has them then, unless another loop uses these
  /// costs just now, there is no memory, or it does not pay. It pays where the debt of this history (nullptr: none is kept) will
  /// be paid by this loop, which is expected to take so many ticks: docs/decisions/014.
  costs_in_use(steelyard_pool& pool, const steelyard_loop& asked, schedules::shape& loop, learn::history* known,
               std::uint64_t expected) noexcept;
  ~costs_in_use();
  costs_in_use(const costs_in_use&) = delete;
  costs_in_use& operator=(const costs_in_use&) = delete;

 private:
  void read(steelyard_pool& pool, const steelyard_loop& asked, schedules::shape& loop) noexcept;
  [[nodiscard]] bool has_room(const schedules::shape& loop) noexcept;

  steelyard_costs* held_ = nullptr;
  learn::history* known_;
  bool knows_ = false;
  std::uint64_t began_ = 0;  ///< the loop
};

}  // namespace steelyard::loop
