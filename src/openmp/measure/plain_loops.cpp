// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/plain_loops.hpp"

#include <algorithm>

#include "openmp/program/records.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/team/team.hpp"
#include "schedules/draw.hpp"

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

bool plain_counts::has(std::uint64_t granules) const noexcept {
  const auto is_like = [granules](std::uint64_t known) { return are_alike(known, granules); };
  return std::any_of(counts_.begin(), counts_.begin() + count_, is_like);
}

void plain_loops::refuse(known& its) noexcept {
  if (its.wait == 0) its.bar = std::min(its.bar * 2, most_barred);
  its.wait = its.bar;
  its.kept = 0;
}

void plain_loops::tell(std::uint64_t granules, bool is_plain) noexcept {
  const auto end = all_.begin() + count_;
  const auto is_like = [granules](const known& its) { return plain_counts::are_alike(its.granules, granules); };
  auto* its = std::find_if(all_.begin(), end, is_like);
  if (its == end) {
    if (count_ == all_.size()) return;
    its->granules = granules;
    ++count_;
  }
  if (!is_plain) {
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

void plain_loops::look_up(plain_counts& into) noexcept {
  if (schedules::draw(dice_) % one_of == 0) return;
  for (std::uint32_t at = 0; at < count_; ++at) {
    if (all_[at].wait == 0) into.add(all_[at].granules);
  }
}

std::uint64_t saved_by_plain_loops(std::uint32_t members) noexcept {
  if (config.reporting || config.rule_count != 0) return 0;
  return std::uint64_t{500} * std::min(members, 16U);
}

void look_up_plain_loops(region& team, const site& at) noexcept {
  if (config.reporting) return;  // each is told there
  const lent_loops lent(at.plain.load(sync::acquire, sync::site{"T16"}));
  if (lent.get() != nullptr) lent.get()->look_up(team.plain);
}

void note_plain_loop(const region& team, std::uint64_t granules, bool is_plain) noexcept {
  const lent_loops lent(record_at(team.at->plain));
  if (lent.get() != nullptr) lent.get()->tell(granules, is_plain);
}

}  // namespace steelyard::openmp
