// SPDX-License-Identifier: Apache-2.0
// Why a way was chosen, in words.
#include <algorithm>
#include <string_view>

#include "learn/automatic.hpp"
#include "learn/digits.hpp"

namespace steelyard::learn {
namespace {

/// Text into memory that is given; what has no room is left out.
class line {
 public:
  line(char* into, std::size_t size) noexcept : into_(into), size_(size) {}

  line& operator<<(std::string_view text) noexcept {
    for (const char c : text) {
      if (length_ + 1 < size_) into_[length_++] = c;
    }
    return *this;
  }
  line& number(std::uint64_t value) noexcept {
    room_for_digits room;
    return *this << digits_of(value, room);
  }
  /// With two digits behind the point.
  line& hundredths(std::uint64_t value) noexcept {
    number(value / 100) << ".";
    if (value % 100 < 10) *this << "0";
    return number(value % 100);
  }
  std::size_t end() noexcept {
    if (size_ != 0) into_[length_] = '\0';
    return length_;
  }

 private:
  char* into_;
  std::size_t size_;
  std::size_t length_ = 0;
};

constexpr std::uint32_t parts = 5;
constexpr const char* places[parts] = {"at the beginning", "behind the beginning", "in the middle", "before the end",
                                       "at the end"};

/// How the costs lie: where a fifth of the loop is dearer than the cheapest by half.
void say_spread(line& to, const density& spread) noexcept {
  double ends[parts];
  double costs[parts];
  for (std::uint32_t part = 0; part < parts; ++part) ends[part] = (part + 1.0) / parts;
  spread.parts(ends, parts, costs);
  const auto* const dearest = std::max_element(costs, costs + parts);
  const auto* const cheapest = std::min_element(costs, costs + parts);
  const double times = *dearest / std::max(*cheapest, 1e-3);
  if (times < 1.5) {
    to << "iterations cost about the same everywhere";
  } else {
    const auto twentieths = static_cast<std::uint64_t>(times * 20);
    const std::uint64_t tenths = (twentieths + 1) / 2;
    to << "iterations ";
    to.number(tenths / 10) << ".";
    to.number(tenths % 10) << " x dearer " << places[dearest - costs];
  }
}

void say_way(line& to, const way_to_run& how) noexcept {
  to << how.schedule->about.name;
  if (how.begins_with_shares()) to << " from learnt shares";
}

}  // namespace

std::size_t automatic::explain(char* into, std::size_t size) const noexcept {
  line to(into, size);
  if (work_ == 0 && is_compared()) {
    to << "costs are not known, equal blocks and stealing were compared: " << meanwhile().schedule->about.name;
    return to.end();
  }
  if (work_ == 0 || count_ == 0) {
    to << "nothing is known of it yet";
    return to.end();
  }
  say_spread(to, spread_);
  if (deviation_ > 512) to << ", neighbours differ";
  const auto limit = std::max<std::uint64_t>(work_ / members_, 1);
  bool has_figures = false;
  for (std::uint32_t which = 0; which < count_; ++which) {
    const auto& its = ways_[which];
    const auto takes = its.measured != 0 ? its.measured : its.expected;
    const bool is_told = (which == base && may_steal()) || which == now_ || its.measured != 0 || its.how.by_shares;
    if (takes == 0 || !is_told || (its.how.members != members_ && which != now_)) continue;
    has_figures = true;
    say_way(to << "; ", its.how);
    if (its.how.chunk != 0) {
      to << ",";
      to.number(its.how.chunk);
    }
    if (its.how.members != members_) to << " on half of the members";
    to << " ";
    to.hundredths(takes / limit * 100 + takes % limit * 100 / limit) << (its.measured != 0 ? "" : " foretold");
  }
  say_way(to << (has_figures ? " of the limit: " : ": "), runs_by());
  to << (settled_ || is_compared() ? "" : ", which is being tried");
  return to.end();
}

}  // namespace steelyard::learn
