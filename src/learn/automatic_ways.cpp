// SPDX-License-Identifier: Apache-2.0
// The candidates of `automatic`.
#include <algorithm>
#include <string_view>

#include "learn/automatic.hpp"
#include "schedules/registry.hpp"

namespace steelyard::learn {
namespace {

/// Stealing by `wsri:paper` halves what is left each time. A forecast of it has many calls, and gains little where shares are large.
constexpr std::uint64_t most_for_the_paper = 16'384;

}  // namespace

void automatic::add(const char* name, std::uint64_t chunk, std::uint32_t members, bool by_shares) noexcept {
  const way how{schedules::find(name), chunk, members, by_shares};
  const auto is_how = [&](const known& each) { return each.how == how; };
  const bool is_new = std::none_of(ways_.begin(), ways_.begin() + count_, is_how);
  if (how.schedule != nullptr && is_new && count_ != most_ways && members >= 2) ways_[count_++] = {how, 0, 0};
}

void automatic::list_ways() noexcept {
  add("steal", 0, members_, false);
  if (!among_.empty()) return list_named();
  const auto share = std::max<std::uint64_t>(iterations_ / members_, 1);
  const bool few = members_ <= most_shares;
  if (few) add("nustatic", 0, members_, true);
  for (const char* name : {"static", "guided", "factoring", "trapezoid", "wsri"}) add(name, 0, members_, false);
  if (share <= most_for_the_paper) add("wsri:paper", 0, members_, false);
  add_chunks();
  add("steal", 0, (members_ + 1) / 2, false);
  if (few) add("nustatic", 0, (members_ + 1) / 2, true);
}

/// Chunks of a member's share: fewer than sixteen keep members waiting at the end, more than 256 cost more than they gain.
void automatic::add_chunks() noexcept {
  const auto share = std::max<std::uint64_t>(iterations_ / members_, 1);
  for (const std::uint64_t parts : {16U, 64U, 256U}) {
    add("dynamic", std::max<std::uint64_t>(share / parts, 1), members_, false);
  }
}

/// The same of what the user has named: the whole team first.
void automatic::list_named() noexcept {
  for (const auto of : {members_, (members_ + 1) / 2}) {
    among_.each([&](const schedules::operations& row) noexcept {
      const std::string_view name = row.about.name;
      const bool by_shares = name == "nustatic";
      const bool is_whole = of == members_;
      if (name == "dynamic" && is_whole) return add_chunks();
      if (by_shares && of > most_shares) return;
      if (is_whole || by_shares || name == "steal") add(row.about.name, 0, of, by_shares);
    });
  }
}

void automatic::choose_among(const schedules::candidates& these) noexcept {
  if (among_ == these) return;
  const bool pays = pays_first_ || iterations_ != 0;
  *this = automatic();
  among_ = these;
  pays_first_ = pays;
}

bool automatic::may_steal() const noexcept { return among_.empty() || among_.has(*ways_[stealing].how.schedule); }

}  // namespace steelyard::learn
