// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/plain_loops.hpp"

#include <algorithm>
#include <bit>

#include "learn/early_choice.hpp"
#include "openmp/program/records.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/team/team.hpp"
#include "schedules/draw.hpp"
#include "support/assert.hpp"

namespace steelyard::openmp {
namespace {

/// As long as this lives; none: another thread has it, or there is no memory.
class lent_loops {
 public:
  explicit lent_loops(plain_loops* known) noexcept {
    if (known != nullptr && known->in_use.exchange(1, sync::acquire, sync::site{"T17"}) == 0) held_ = known;
  }
  ~lent_loops() {
    if (held_ != nullptr) held_->in_use.store(0, sync::release, sync::site{"T17"});
  }
  lent_loops(const lent_loops&) = delete;
  lent_loops& operator=(const lent_loops&) = delete;

  [[nodiscard]] plain_loops* get() const noexcept { return held_; }

 private:
  plain_loops* held_ = nullptr;
};

}  // namespace

std::uint32_t plain_loops::like(std::uint32_t which, std::uint64_t granules) const noexcept {
  for (; which != 0; which &= which - 1) {
    const auto first = std::countr_zero(which);
    if (are_alike(all_[static_cast<std::size_t>(first)].granules, granules)) return std::uint32_t{1} << first;
  }
  return 0;
}

void plain_loops::refuse(known& its) noexcept {
  if (its.wait == 0) its.bar = std::min(its.bar * 2, most_barred);
  its.wait = its.bar;
  its.kept = its.in_a_row = 0;
}

void plain_loops::tell(const told_loop& it) noexcept {
  const auto end = all_.begin() + count_;
  const auto is_like = [&](const known& its) { return are_alike(its.granules, it.granules); };
  auto* its = std::find_if(all_.begin(), end, is_like);
  if (its == end) {
    if (count_ == all_.size()) return;
    its->granules = it.granules;
    if (it.is_plain && it.is_known && it.took < learn::early_choice::brief) its->wait = 0;
    ++count_;
  }
  its->is_tiny = it.took < learn::early_choice::tiny;
  its->in_a_row = std::min(its->in_a_row + 1, tiny_from);
  if (!it.is_plain) {
    for (; its != all_.begin() + count_; ++its) {
      if (is_like(*its)) refuse(*its);
    }
  } else if (its->wait != 0) {
    --its->wait;
  } else if (++its->kept >= its->bar) {
    its->bar = std::max(its->bar / 2, first_barred);
    its->kept = 0;
  }
}

plain_set plain_loops::which() const noexcept {
  plain_set found;
  for (std::uint32_t at = 0; at < count_; ++at) {
    if (all_[at].wait != 0) continue;
    found.all |= static_cast<std::uint16_t>(1U << at);
    if (all_[at].is_tiny && all_[at].in_a_row == tiny_from && all_[at].bar == first_barred)
      found.tiny |= static_cast<std::uint16_t>(1U << at);
  }
  return found;
}

std::uint64_t plain_loops::dice() noexcept { return schedules::draw(dice_); }

std::uint64_t saved_by_plain_loops(std::uint32_t members) noexcept {
  if (config.reporting || config.rule_count != 0) return 0;
  return std::uint64_t{500} * std::min(members, 16U);
}

plain_now look_up_plain_loops(const site& at, const plain_now& so_far) noexcept {
  if (config.reporting) return {};  // each is told there
  const lent_loops lent(at.plain.load(sync::acquire, sync::site{"T16"}));
  return lent.get() != nullptr ? plain_now{lent.get()->which(), lent.get()->dice()} : so_far;
}

bool is_plain_now(const region& team, plain_now& own, std::uint64_t granules) noexcept {
  if (own.which.all == 0) return false;
  const auto* const known = team.at->plain.load(sync::acquire, sync::site{"T16"});
  STEELYARD_ASSERT(known != nullptr, "[B5] of measuring.md: what is plain has been told");
  const auto found = known->like(own.which.all, granules);
  if (found == 0) return false;
  const bool is_tiny = (own.which.tiny & found) != 0;
  return schedules::draw(own.dice) % (is_tiny ? plain_loops::one_of_tiny : plain_loops::one_of) != 0;
}

void note_plain_loop(const region& team, const told_loop& it) noexcept {
  const lent_loops lent(record_at(team.at->plain));
  if (lent.get() != nullptr) lent.get()->tell(it);
}

}  // namespace steelyard::openmp
