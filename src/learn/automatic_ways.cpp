// SPDX-License-Identifier: Apache-2.0
// The candidates of `automatic`.
#include <algorithm>
#include <string_view>

#include "learn/automatic.hpp"
#include "learn/chunk_bounds.hpp"
#include "schedules/arithmetic.hpp"
#include "schedules/registry.hpp"

namespace steelyard::learn {
namespace {

/// Stealing by `wsri:paper` halves what is left each time. A forecast of it has many calls, and gains little where shares are large.
constexpr std::uint64_t most_for_the_paper = 16'384;
/// Thieves take units of a short share for dear. Where a share is as small as the parts that costs are known in, they may be wrong by much.
constexpr std::uint32_t most_to_steal_from_shares = automatic::most_shares / 4;
/// What chunks of a fixed size take at least, by what handing one out does.
constexpr std::uint64_t least_of_chunk = 8;
/// Of a member: so few that handing them out one by one takes little. If some are dear, it matters that they are begun early.
constexpr std::uint64_t most_as_written = 64;

}  // namespace

void automatic::add(const char* name, std::uint64_t chunk, std::uint32_t members, bool by_shares) noexcept {
  const way how{schedules::find(name), chunk, members, by_shares};
  const auto is_how = [&](const known& each) { return each.how == how; };
  const bool is_new = std::none_of(ways_.begin(), ways_.begin() + count_, is_how);
  if (how.schedule != nullptr && is_new && count_ != most_ways && members >= 2) ways_[count_++] = {how, 0, 0};
}

void automatic::list_base() noexcept {
  if (is_as_written())
    add("dynamic", 1, members_, false);
  else
    add("steal", 0, members_, false);
}

/// All others. Most brief loops are never foretold, and need none.
void automatic::list_others() noexcept {
  if (count_ > 1) return;
  if (!among_.empty()) return list_named();
  const auto share = std::max<std::uint64_t>(iterations_ / members_, 1);
  const bool few = members_ <= most_shares;
  if (few) add("nustatic", 0, members_, true);
  for (const char* name : {"static", "guided", "factoring", "trapezoid", "wsri"}) add(name, 0, members_, false);
  if (share <= most_for_the_paper) add("wsri:paper", 0, members_, false);
  add_chunks();
  add("steal", 0, members_, false);
  add("steal:even", 0, members_, false);
  if (members_ <= most_to_steal_from_shares) add("steal", 0, members_, true);
  add("steal", 0, (members_ + 1) / 2, false);
  if (few) add("nustatic", 0, (members_ + 1) / 2, true);
}

/// To be handed out.
std::uint64_t automatic::takes_a_chunk() const noexcept { return hand_over_ + chunk_bounds::ticks_around_a_call; }

/// Whether handing out takes an eighth of the chunks, or more: others are better, and so many calls take long to foretell.
bool automatic::hands_out_crumbs(const way& how) const noexcept {
  const auto by_itself = how.schedule->about.as_published ? schedules::fourth_root(iterations_) : 0;
  const auto chunk = how.chunk != 0 ? how.chunk : by_itself;
  return chunk != 0 && among_.empty() && !is_as_written() && ticks_at(rate(), chunk) < least_of_chunk * takes_a_chunk();
}

/// Chunks of a member's share: fewer than sixteen keep members waiting at the end, more than 256 cost more than they gain.
void automatic::add_chunks() noexcept {
  const auto share = std::max<std::uint64_t>(iterations_ / members_, 1);
  for (const std::uint64_t parts : {16U, 64U, 256U}) {
    add("dynamic", std::max<std::uint64_t>(share / parts, 1), members_, false);
  }
}

/// Shares that gain less than a fiftieth are equal blocks with more to do.
void automatic::leave_out_equal_shares() noexcept {
  const auto end = ways_.begin() + count_;
  const auto* const equal =
      std::find_if(ways_.begin(), end, [this](const known& each) { return is_equal_blocks(each.how); });
  if (equal == end || equal->expected == 0) return;
  const auto at_least = equal->expected / 50;
  for (auto* its = ways_.begin(); its != end; ++its) {
    const bool is_cut = its->how.by_shares && its->how.members == members_;
    if (is_cut && its->expected + at_least > equal->expected) its->expected = 0;
  }
}

/// How a loop runs that is not foretold yet.
automatic::way automatic::meanwhile() const noexcept { return is_equal_early() ? by_all(equal_blocks_) : stolen(); }

/// By its base, or in larger steps where its equal blocks cost the same: the more phases it has, the more often they were seen to.
automatic::way automatic::stolen() const noexcept {
  const bool is_even = evens_ > std::min(changes_, restless_from) && among_.empty() && !is_as_written();
  return is_even ? by_all(by_thirds_) : ways_[base].how;
}

automatic::way automatic::runs_by() const noexcept {
  if (is_compared()) return meanwhile();
  return is_waiting() ? stolen() : chosen();
}

automatic::way automatic::usual() const noexcept {
  if (is_waiting()) return meanwhile();
  return ways_[settled_ ? now_ : base].how;
}

bool automatic::is_brief_and_known(std::uint64_t n, std::uint32_t members) const noexcept {
  if (!is_for(n, members)) return false;
  const bool is_brief = usual_ != 0 && usual_ < early_choice::brief;
  if (is_waiting()) return is_compared() && (settled_ ? is_brief : is_brief_early());
  return settled_ && is_brief;
}

bool automatic::may_go_untold(std::uint64_t n, std::uint32_t members) const noexcept {
  return !is_to_be_observed() && is_brief_and_known(n, members);
}

bool automatic::is_plain(std::uint64_t n, std::uint32_t members) const noexcept {
  return is_brief_and_known(n, members) && is_equal_blocks(usual());
}

bool automatic::is_tiny() const noexcept {
  return plain_saves_ != 0 && settled_ && usual_ != 0 && usual_ < early_choice::tiny &&
         is_equal_blocks(ways_[now_].how);
}

/// Of what a brief loop took that was told. A tiny one took most of that to be shared and told.
std::uint64_t automatic::saved_by(const way& how, std::uint64_t takes) const noexcept {
  if (plain_saves_ == 0 || takes >= early_choice::brief || !is_equal_blocks(how)) return 0;
  if (takes < early_choice::tiny) return takes - takes / 4;
  return std::min(plain_saves_, takes / 4);
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
      if (name == "steal" && is_whole && of <= most_to_steal_from_shares) add(row.about.name, 0, of, true);
    });
  }
}

void automatic::choose_among(const schedules::candidates& these) noexcept {
  if (among_ == these) return;
  forget();
  among_ = these;
}

void automatic::iterations_are_chunks(bool they_are) noexcept {
  if (are_chunks_ == they_are) return;
  forget();
  are_chunks_ = they_are;
}

/// What was said of the place.
void automatic::set_as(const automatic& other) noexcept {
  among_ = other.among_;
  plain_saves_ = other.plain_saves_;
  are_chunks_ = other.are_chunks_;
}

/// All but that.
void automatic::forget() noexcept {
  automatic fresh;
  fresh.set_as(*this);
  fresh.pays_first_ = pays_first_ || iterations_ != 0;
  *this = fresh;
}

bool automatic::is_as_written() const noexcept {
  return are_chunks_ && among_.empty() && iterations_ / members_ <= most_as_written;
}

bool automatic::may_steal() const noexcept { return among_.empty() || among_.has(*ways_[base].how.schedule); }

}  // namespace steelyard::learn
