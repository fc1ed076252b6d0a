// SPDX-License-Identifier: Apache-2.0
#include "loop/shares_in_use.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>

#include "loop/settings.hpp"
#include "schedules/deal.hpp"
#include "support/assert.hpp"
#include "sync/real.hpp"

namespace steelyard::loop {

/// Of one place; never freed.
struct shares_in_use::place_shares {
  explicit place_shares(const void* of) noexcept : key(of) {}

  const void* key;
  // Of who uses it:
  learn::shares known;
  std::uint64_t loops = 0;
  sync::real::atomic<bool> in_use{};
};

namespace {

constexpr std::size_t most_places = 256;
constexpr std::size_t most_probes = 8;

std::size_t slot_of(const void* key) noexcept {
  return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(key) * 0x9E3779B97F4A7C15U) >> 56);
}

void say_given_up(const void* place) noexcept {
  std::fprintf(
      stderr,
      "steelyard: no shares of the loop whose body runs at %p do better than equal blocks, which it gets for a "
      "while\n",
      place);
}

}  // namespace

/// nullptr: there is no memory, or there are too many places.
shares_in_use::place_shares* shares_in_use::of(const void* place) noexcept {
  static constinit std::array<sync::real::atomic<place_shares*>, most_places> table{};
  place_shares* fresh = nullptr;
  place_shares* found = nullptr;
  for (std::size_t i = 0; i < most_probes; ++i) {
    auto& slot = table[(slot_of(place) + i) % most_places];
    found = slot.load(sync::acquire, sync::site{"S1"});
    if (found == nullptr) {
      if (fresh == nullptr) fresh = new (std::nothrow) place_shares(place);
      if (fresh == nullptr) return nullptr;
      if (slot.compare_exchange(found, fresh, sync::release, sync::acquire, sync::site{"S2"})) return fresh;
    }
    if (found->key == place) break;
    found = nullptr;
  }
  delete fresh;
  return found;
}

shares_in_use::shares_in_use(const void* place, const schedules::choice& how, schedules::shape& loop,
                             void* memory) noexcept
    : iterations_(loop.iterations), members_(loop.members), ends_(static_cast<std::uint64_t*>(memory)),
      took_(ends_ + members_) {
  std::fill_n(took_, members_, std::uint64_t{0});
  loop.known.ends = ends_;
  if (how.shares.members() == members_) {
    how.shares.cut(iterations_, ends_);
  } else {
    learn_from(place, how.again);
  }
  // As the schedule rounds them: a block that begins elsewhere would be taken for its neighbour.
  const auto chunk = std::max<std::uint64_t>(loop.chunk, 1);
  for (schedules::member m = 0; m + 1 < members_; ++m) ends_[m] = ends_[m] / chunk * chunk;
}

/// Blocks as they follow from earlier loops of the place; equal ones where nothing is known, or another loop uses that.
void shares_in_use::learn_from(const void* place, const schedules::relearning& again) noexcept {
  place_shares* const known = members_ <= learn::shares::most_members ? of(place) : nullptr;
  if (known != nullptr && !known->in_use.exchange(true, sync::acquire, sync::site{"S3"})) learns_ = known;
  if (learns_ != nullptr && again.is_due(++learns_->loops)) learns_->known.learn_again();
  if (learns_ != nullptr && learns_->known.deal(iterations_, members_, ends_)) return;
  schedules::deal::equal_ends(iterations_, members_, ends_);
}

shares_in_use::~shares_in_use() {
  if (learns_ == nullptr) return;
  const bool had_given_up = learns_->known.has_given_up();
  if (!stopped_) learns_->known.learn(iterations_, members_, ends_, took_);
  if (!had_given_up && learns_->known.has_given_up() && settings().verbose) say_given_up(learns_->key);
  learns_->in_use.store(false, sync::release, sync::site{"S4"});
}

void shares_in_use::took(std::uint64_t first, std::uint64_t ticks) noexcept {
  const auto block = std::upper_bound(ends_, ends_ + members_, first) - ends_;
  STEELYARD_ASSERT(block < members_, "contract.hpp: a step lies in the loop");
  took_[block] += ticks;
}

}  // namespace steelyard::loop
