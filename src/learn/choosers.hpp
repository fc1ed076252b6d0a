// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace steelyard::learn {

/// Who chooses for the loops of one place: another for each trip count and number of members that they come with. `Owner` is a pointer
/// to one that says whether it `is_for` such loops, and of which all but the first one `pay_first` (automatic). Not for several threads at once.
template <class Owner>
class choosers {
 public:
  /// A place whose loops come with more trip counts forgets what was used the longest ago.
  static constexpr std::uint32_t most = 16;

  /// That for loops of so many iterations by so many members, or a new one of make(), or one that was for others and is_free(): it
  /// begins anew. nullptr: there is no memory, or none is free.
  template <class Make, class IsFree>
  [[nodiscard]] auto* of(std::uint64_t n, std::uint32_t members, Make make, IsFree is_free) noexcept {
    std::uint32_t at = 0;
    while (at < count_ && !latest_first_[at]->is_for(n, members)) ++at;
    if (at == count_) at = place_for_another(make, is_free);
    if (at == count_) return nullptr_to(latest_first_[0]);
    std::rotate(latest_first_.begin(), latest_first_.begin() + at, latest_first_.begin() + at + 1);
    return std::to_address(latest_first_[0]);
  }

  template <class F>
  void each(F f) const noexcept {
    for (std::uint32_t at = count_; at-- != 0;) f(*latest_first_[at]);
  }
  /// That was used last; nullptr: none was.
  [[nodiscard]] auto* last() const noexcept {
    return count_ != 0 ? std::to_address(latest_first_[0]) : nullptr_to(latest_first_[0]);
  }

 private:
  static constexpr auto nullptr_to(const Owner& like) noexcept -> decltype(std::to_address(like)) { return nullptr; }

  /// count_: there is none.
  template <class Make, class IsFree>
  std::uint32_t place_for_another(Make make, IsFree is_free) noexcept {
    if (count_ < most) {
      if (Owner fresh = make(); fresh != nullptr) {
        if (count_ != 0) fresh->pay_first();
        latest_first_[count_] = std::move(fresh);
        return count_++;
      }
    }
    for (std::uint32_t at = count_; at-- != 0;) {
      if (is_free(*latest_first_[at])) return at;
    }
    return count_;
  }

  std::array<Owner, most> latest_first_{};
  std::uint32_t count_ = 0;
};

}  // namespace steelyard::learn
