// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "learn/chooser.hpp"
#include "learn/serial_costs.hpp"
#include "learn/shares.hpp"
#include "loop/best_schedule.hpp"
#include "schedules/loop_record.hpp"

namespace steelyard::loop {

/// What loops of one place in the program have learnt beyond its `learn::history`: of those schedules that have something learnt.
struct place {
  explicit place(const void* of) noexcept : key(of), best(of) {}

  /// Who chooses for such loops (best_schedule.hpp).
  [[nodiscard]] learn::automatic* chooser(std::uint64_t n, std::uint32_t by, const schedules::candidates& among) {
    return best.chooser(n, by, among, shares);
  }

  const void* key;          ///< the code that runs the iterations
  std::uint64_t loops = 0;  ///< with shares that were not given
  learn::shares shares;
  learn::chooser ways;
  learn::serial_costs serial;
  schedules::loop_record times;
  best_schedule best;
};

struct place_record;

/// A loop's use of that, for as long as it runs. Of loops of one place that run at the same time, all but one do without.
class place_in_use {
 public:
  /// `key`: the code that runs the iterations.
  explicit place_in_use(const void* key) noexcept;
  ~place_in_use();
  place_in_use(const place_in_use&) = delete;
  place_in_use& operator=(const place_in_use&) = delete;

  /// nullptr: another loop uses it, there is no memory, or there are too many places.
  [[nodiscard]] place* get() const noexcept;

 private:
  place_record* held_ = nullptr;
};

/// Calls f(place) for each place that no loop uses now, while none does.
void each_free_place(void (*f)(void* to, const place& at), void* to) noexcept;
template <class F>
void each_free_place(F f) noexcept {
  each_free_place([](void* to, const place& at) { (*static_cast<F*>(to))(at); }, &f);
}

}  // namespace steelyard::loop
