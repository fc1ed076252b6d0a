// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/arithmetic.hpp"
#include "schedules/chunks/chunk_times.hpp"
#include "schedules/chunks/rest.hpp"
#include "schedules/chunks/weights.hpp"
#include "schedules/contract.hpp"
#include "schedules/seats.hpp"

namespace steelyard::schedules {

/// Performance-based loop scheduling (Shih, Yang & Tseng 2007): a part α of the loop is dealt, to each member as much as its speed says,
/// ⌈w_i α N/P⌉ when it comes first. The rest is handed out as `guided` does. α is how much of the longest iteration the shortest takes:
/// the paper samples some, LB4OMP takes 1/2. Here it is (1 - √3 σ/μ) / (1 + √3 σ/μ), as of times of that spread which are evenly
/// distributed, and 1/2 where no times are known. The weights are how fast the members were in earlier instances.
template <class Sync>
class alignas(support::line_size) pls {
  struct alignas(support::line_size) seat {
    explicit seat(std::uint64_t its) noexcept : dealt(its) {}
    std::uint64_t dealt;  ///< 0: it has come
    chunk_times took;
    run_by_member ran;
  };
  using lines = seats<seat>;

 public:
  static constexpr traits about{"pls", "a shared counter, a part by the members' speeds, then a P-th of the rest",
                                "least iterations per chunk (1)", true, false};
  static constexpr bool adapts = false;

  static std::size_t bytes(const shape& loop) noexcept { return lines::template bytes_with<pls>(loop); }

  explicit pls(const shape& loop) noexcept : pls(loop, weights_before(loop), dealt_part(loop)) {}

  step next(member m) noexcept {
    STEELYARD_ASSERT(m < members_, "contract.hpp: a member's number is below their number");
    auto& dealt = seats_[m].dealt;
    const auto first = dealt;
    dealt = 0;
    return rest_.take([&](std::uint64_t rest) { return first != 0 ? first : ceil_div<std::uint64_t>(rest, members_); });
  }

  /// Shared by all members: what nobody has taken yet.
  [[nodiscard]] std::uint64_t remaining(member) const noexcept { return rest_.remaining(); }
  [[nodiscard]] tally counts(member) const noexcept { return {}; }

  void completed(member m, const step& chunk, chunk_time took) noexcept {
    seats_[m].took.add(chunk.count, took);
    seats_[m].ran.add(chunk.count, static_cast<double>(took.work));
  }

  void learnt(loop_record& into) const noexcept { learn_of_chunks(into, seats_, members_); }

 private:
  pls(const shape& loop, weights_before weights, double part) noexcept
      : members_(loop.members),
        seats_(this + 1, loop.members,
               [&](void* place, member m) {
                 const auto share = part * static_cast<double>(loop.iterations) / loop.members;
                 ::new (place) seat(whole_up(share * weights.next(m) * nearly_one, loop.iterations));
               }),
        rest_(loop) {}

  /// α
  static double dealt_part(const shape& loop) noexcept {
    const auto* const known = loop.known.record;
    if (known == nullptr || !(known->mean > 0)) return 0.5;
    const double spread = square_root(3) * spread_of_times(loop).variation;
    return std::max(0.0, (1 - spread) / (1 + spread));
  }

  std::uint32_t members_;
  lines seats_;
  rest_of_loop<Sync> rest_;
};

}  // namespace steelyard::schedules
