// SPDX-License-Identifier: Apache-2.0
#include "learn/phase.hpp"

#include <algorithm>

#include "learn/block_times.hpp"

namespace steelyard::learn {

/// Of three pictures, the one that is neither dealt nor the best.
std::uint32_t phase::free() const noexcept {
  std::uint32_t found = 0;
  while (found == dealt_ || found == best_) ++found;
  return found;
}

void phase::begin_with(const block_times& it) noexcept {
  forget_lessons();
  known_ = free();
  pictures_[known_].draw(it.ends.data(), it.parts.data(), it.members);
  remember(it);
  lost_by_equal = it.lost_by_equal(known());
  cut_anew();
}

void phase::begin_like(const phase& other, const block_times& it) noexcept {
  forget_lessons();
  study(other.known(), it);
  cut_anew();
}

void phase::be(const density& costs) noexcept {
  forget_lessons();
  pictures_[known_ = free()] = costs;
  cut_anew();
  settled = true;
}

void phase::forget_lessons() noexcept {
  learnt_ = 0;
  tries = 0;
  settled = false;
  stale = false;
}

void phase::study(const density& from, const block_times& it) noexcept {
  constexpr int rounds = 4;
  const std::uint32_t lessons = lessons_kept();
  std::array<density::finding, most_lessons + 1> found;
  for (std::uint32_t each = 0; each < lessons; ++each) {
    const lesson& old = lessons_[each];
    found[each] = {old.ends.data(), old.parts.data(), old.blocks};
  }
  found[lessons] = {it.ends.data(), it.parts.data(), it.members};
  const std::uint32_t finer = free();
  from.fit({found.data(), lessons + 1}, rounds, pictures_[finer]);
  known_ = finer;
  remember(it);
  lost_by_equal = it.lost_by_equal(known());
}

void phase::remember(const block_times& it) noexcept {
  if (it.members > lesson::most_blocks) return;
  lesson& fresh = lessons_[learnt_++ % lessons_.size()];
  std::copy_n(it.ends.begin(), it.members, fresh.ends.begin());
  std::copy_n(it.parts.begin(), it.members, fresh.parts.begin());
  fresh.blocks = it.members;
}

void phase::keep_best(const block_times& it) noexcept {
  if (tries != 0 && it.imbalance >= best_imbalance) return;
  best_ = dealt_;
  best_imbalance = it.imbalance;
}

void phase::settle_for_best() noexcept {
  dealt_ = best_;
  settled = true;
  stale = true;
}

/// By a lesson of the same blocks, where there was one: a picture of bins is blurred beside an iteration that costs much.
double phase::error_of(const block_times& it, double* differences) const noexcept {
  const lesson* same = nullptr;
  for (std::uint32_t each = 0; each < lessons_kept() && same == nullptr; ++each) {
    const lesson& old = lessons_[each];
    if (it.has(old.ends.data(), old.blocks)) same = &old;
  }
  if (same != nullptr) {
    std::copy_n(same->parts.begin(), it.members, differences);
  } else {
    known().parts(it.ends.data(), it.members, differences);
  }
  return it.compare(differences);
}

bool phase::contradicts(const block_times& it) const noexcept {
  for (std::uint32_t each = 0; each < lessons_kept(); ++each) {
    const lesson& old = lessons_[each];
    double before = 0;
    for (std::uint32_t block = 0; block + 1 < old.blocks; ++block) {
      before += old.parts[block];
      if (!it.allows(old.ends[block], before)) return true;
    }
  }
  return false;
}

}  // namespace steelyard::learn
