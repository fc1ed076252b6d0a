// SPDX-License-Identifier: Apache-2.0
#include "loop/shares_in_use.hpp"

#include <algorithm>
#include <numeric>

#include "schedules/deal.hpp"
#include "support/assert.hpp"

namespace steelyard::loop {

shares_in_use::shares_in_use(learn::shares* known, const schedules::given_shares& given, schedules::shape& loop,
                             void* memory) noexcept
    : iterations_(loop.iterations), members_(loop.members), ends_(static_cast<std::uint64_t*>(memory)),
      took_(ends_ + members_) {
  std::fill_n(took_, members_, std::uint64_t{0});
  loop.known.ends = ends_;
  if (given.members() == members_) {
    given.cut(iterations_, ends_);
  } else {
    learns_ = members_ <= learn::shares::most_members ? known : nullptr;
    if (learns_ == nullptr || !learns_->deal(iterations_, members_, ends_)) {
      for (schedules::member m = 0; m < members_; ++m) {
        const schedules::deal::block<std::uint64_t> mine(iterations_, members_, m);
        ends_[m] = mine.first + mine.count;
      }
    }
  }
  // As the schedule rounds them: a block that begins elsewhere would be taken for its neighbour.
  const auto chunk = std::max<std::uint64_t>(loop.chunk, 1);
  for (schedules::member m = 0; m + 1 < members_; ++m) ends_[m] = ends_[m] / chunk * chunk;
}

void shares_in_use::took(std::uint64_t first, std::uint64_t ticks) noexcept {
  const auto block = std::upper_bound(ends_, ends_ + members_, first) - ends_;
  STEELYARD_ASSERT(block < members_, "contract.hpp: a step lies in the loop");
  took_[block] += ticks;
}

bool shares_in_use::learn() noexcept {
  return learns_ != nullptr && learns_->learn(iterations_, members_, ends_, took_);
}

double shares_in_use::imbalance() const noexcept {
  const double all = std::accumulate(took_, took_ + members_, 0.0);
  const auto longest = static_cast<double>(*std::max_element(took_, took_ + members_));
  return all > 0 ? longest * members_ / all - 1 : 0;
}

}  // namespace steelyard::loop
