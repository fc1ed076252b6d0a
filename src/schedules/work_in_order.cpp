// SPDX-License-Identifier: Apache-2.0
#include "schedules/work_in_order.hpp"

#include <algorithm>
#include <limits>

#include "schedules/profile.hpp"
#include "schedules/wsrw.hpp"

namespace steelyard::schedules {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

/// 0 for what is no work, NaN among it.
double valid(double work) noexcept { return work > 0 ? std::min(work, largest) : 0; }

}  // namespace

work_in_order::work_in_order(const shape& loop) noexcept
    : dealt_(deal_in_loop_order(loop)), groups_(dealt_), sums_(loop.known.sums), profile_(loop.known.roughly),
      members_(loop.members) {
  if (sums_ != nullptr) {
    total_ = sums_[groups_.of_all()];
    form_ = unit().count() / dealt_.block() < most_blocks ? form::blocks : form::rows;
    const auto share = (dealt_.longest() - 1) / list_groups::most + 1;
    row_ = ceil_div(share, dealt_.block()) * dealt_.block();
  } else if (profile_ != nullptr) {
    total_ = profile_->total();
    form_ = form::bins;
  }
  if (total_ > 0 && total_ <= largest) return;  // not so for NaN
  total_ = unit().count();
  form_ = form::even;
}

bool work_in_order::next() noexcept {
  begin_ = end_;
  if (begin_ == unit().count()) return false;
  switch (form_) {
    case form::even:
      end_ = unit().count();
      work_ = total_;
      return true;
    case form::bins:
      next_bin();
      break;
    case form::blocks:
      next_block();
      break;
    case form::rows:
      next_row();
      break;
  }
  STEELYARD_ASSERT(begin_ < end_ && end_ <= unit().count(), "work_in_order.hpp: a piece has some units of the loop");
  of_unit_ = work_ / (end_ - begin_);
  return true;
}

void work_in_order::next_bin() noexcept {
  const auto n = unit().count();
  while (end_ == begin_) {  // where there are fewer units than bins, some have none
    end_ = static_cast<std::uint32_t>(profile::first_of(++number_, n));
  }
  const double through = profile_->before(end_, n);
  work_ = valid(through - read_);
  read_ = through;
}

void work_in_order::next_block() noexcept {
  end_ = begin_ + std::min(dealt_.block(), unit().count() - begin_);
  owner_ = number_ % members_;
  in_list_ = number_ / members_ * dealt_.block();
  ++number_;
  work_ = before(end_);
}

void work_in_order::next_row() noexcept {
  in_list_ = std::min(in_list_ + row_, dealt_.longest());
  end_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{in_list_} * members_, unit().count()));
  double through = 0;
  for (member m = 0; m < members_; ++m) {
    const auto length = dealt_.share(m).size();
    through += groups_.before(sums_ + groups_.of_list(m), std::min(in_list_, length), length);
  }
  work_ = valid(through - read_);
  read_ = through;
}

double work_in_order::before(std::uint32_t at) const noexcept {
  if (form_ != form::blocks) return of_unit_ * (at - begin_);
  const double* const sums = sums_ + groups_.of_list(owner_);
  const auto length = dealt_.share(owner_).size();
  return valid(groups_.before(sums, in_list_ + (at - begin_), length) - groups_.before(sums, in_list_, length));
}

std::uint32_t work_in_order::reaching(double work) const noexcept {
  const auto size = end_ - begin_;
  if (form_ != form::blocks) {
    const double part = work / of_unit_;
    const auto whole = part > 0 && part < size ? static_cast<std::uint32_t>(part) : size;  // not so for NaN
    return begin_ + std::clamp(whole + (whole < part && whole < size ? 1U : 0U), 1U, size);
  }
  const double* const sums = sums_ + groups_.of_list(owner_);
  const auto length = dealt_.share(owner_).size();
  const auto found = groups_.reaching(
      sums, in_list_, in_list_ + size, length, groups_.before(sums, in_list_, length) + work,
      [](const double* from, const double* to, double least) { return std::lower_bound(from, to, least); });
  return begin_ + (found - in_list_);
}

}  // namespace steelyard::schedules
