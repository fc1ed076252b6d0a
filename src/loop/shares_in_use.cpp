// SPDX-License-Identifier: Apache-2.0
#include "loop/shares_in_use.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "loop/settings.hpp"
#include "schedules/deal.hpp"
#include "support/assert.hpp"

namespace steelyard::loop {

namespace {

void say_given_up(const void* place) noexcept {
  std::fprintf(
      stderr,
      "steelyard: no shares of the loop whose body runs at %p do better than equal blocks, which it gets for a "
      "while\n",
      place);
}

}  // namespace

shares_in_use::shares_in_use(place* known, const schedules::choice& how, schedules::shape& loop, void* memory) noexcept
    : iterations_(loop.iterations), members_(loop.members), ends_(static_cast<std::uint64_t*>(memory)),
      took_(ends_ + members_) {
  std::fill_n(took_, members_, std::uint64_t{0});
  loop.known.ends = ends_;
  if (how.shares.members() == members_) {
    how.shares.cut(iterations_, ends_);
  } else {
    learn_from(known, how.again);
  }
  // As the schedule rounds them: a block that begins elsewhere would be taken for its neighbour.
  const auto chunk = std::max<std::uint64_t>(loop.chunk, 1);
  for (schedules::member m = 0; m + 1 < members_; ++m) ends_[m] = ends_[m] / chunk * chunk;
}

/// Blocks as they follow from earlier loops of the place; equal ones where nothing is known.
void shares_in_use::learn_from(place* known, const schedules::relearning& again) noexcept {
  if (members_ <= learn::shares::most_members) learns_ = known;
  if (learns_ != nullptr && again.is_due(++learns_->loops)) learns_->shares.learn_again();
  if (learns_ != nullptr && learns_->shares.deal(iterations_, members_, ends_)) return;
  for (schedules::member m = 0; m < members_; ++m) {
    const schedules::deal::block<std::uint64_t> mine(iterations_, members_, m);
    ends_[m] = mine.first + mine.count;
  }
}

void shares_in_use::took(std::uint64_t first, std::uint64_t ticks) noexcept {
  const auto block = std::upper_bound(ends_, ends_ + members_, first) - ends_;
  STEELYARD_ASSERT(block < members_, "contract.hpp: a step lies in the loop");
  took_[block] += ticks;
}

bool shares_in_use::learn() noexcept {
  if (learns_ == nullptr) return false;
  auto& known = learns_->shares;
  const bool had_given_up = known.has_given_up();
  const bool cut_anew = known.learn(iterations_, members_, ends_, took_);
  if (!had_given_up && known.has_given_up() && settings().verbose) say_given_up(learns_->key);
  return cut_anew;
}

double shares_in_use::imbalance() const noexcept {
  const double all = std::accumulate(took_, took_ + members_, 0.0);
  const auto longest = static_cast<double>(*std::max_element(took_, took_ + members_));
  return all > 0 ? longest * members_ / all - 1 : 0;
}

}  // namespace steelyard::loop
