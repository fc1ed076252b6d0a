// SPDX-License-Identifier: Apache-2.0
#include "loop/best_schedule.hpp"

#include <new>

#include "loop/settings.hpp"
#include "support/cache_line.hpp"
#include "support/say.hpp"
#include "support/ticks.hpp"

namespace steelyard::loop {
namespace {

constexpr std::align_val_t line{support::line_size};

struct release {
  void operator()(void* memory) const noexcept { ::operator delete(memory, line); }
};

}  // namespace

learn::automatic* best_schedule::chooser(std::uint64_t n, std::uint32_t members, const schedules::candidates& among,
                                         learn::shares& shares) noexcept {
  bool begins = false;
  const auto make = [&] {
    begins = true;
    return std::unique_ptr<learn::automatic>(new (std::nothrow) learn::automatic);
  };
  auto* const its = choosers_.of(n, members, make, [&](const learn::automatic&) { return begins = true; });
  if (its == nullptr) return nullptr;
  its->choose_among(among);
  if (begins) recall(*its, n, members, shares);
  return its;
}

void best_schedule::recall(learn::automatic& fresh, std::uint64_t n, std::uint32_t members,
                           learn::shares& shares) noexcept {
  if (!where_.recall(n, members, fresh)) return;
  if (fresh.chosen().by_shares) shares.teach(fresh.spread());
  if (!settings().verbose) return;
  char why[400];
  fresh.explain(why, sizeof why);
  support::say("automatic: as an earlier run has found, %s", why);
}

learn::cost_profile* best_schedule::profile(std::uint64_t n) noexcept {
  if (profile_ == nullptr) profile_.reset(new (std::nothrow) learn::cost_profile);
  if (profile_ != nullptr) profile_->begin(n);
  return profile_.get();
}

void best_schedule::ended(learn::automatic& chooser, std::uint64_t ticks, const learn::observation& seen,
                          learn::shares& shares) noexcept {
  if (ticks == 0) return chooser.stopped();
  const bool was_settled = chooser.is_settled();
  const auto members = chooser.chosen().members;
  const bool is_due = chooser.took(ticks, seen);
  debt_.pay(ticks);
  if (seen.finished != 0) debt_.wait(ticks, ticks - std::min(ticks, seen.finished / members));
  if (is_due && debt_.is_paid(chooser.chosen().members) && !chooser.looks_first()) forecast(chooser, shares);
  if (was_settled || !chooser.is_settled() || !settings().verbose) return;
  char why[400];
  chooser.explain(why, sizeof why);
  support::say("automatic: %s", why);
}

void best_schedule::forecast(learn::automatic& chooser, learn::shares& shares) noexcept {
  const auto began = support::ticks();
  const std::unique_ptr<void, release> room(::operator new(chooser.room_to_forecast(), line, std::nothrow));
  if (room == nullptr) return;
  chooser.forecast(room.get());
  shares.teach(chooser.spread());
  debt_.add(support::ticks() - began);
}

}  // namespace steelyard::loop
