// SPDX-License-Identifier: Apache-2.0
#include "loop/best_schedule.hpp"

#include <cstdio>
#include <new>

#include "loop/settings.hpp"
#include "support/cache_line.hpp"
#include "support/ticks.hpp"

namespace steelyard::loop {
namespace {

constexpr std::align_val_t line{support::line_size};

struct release {
  void operator()(void* memory) const noexcept { ::operator delete(memory, line); }
};

}  // namespace

learn::automatic* best_schedule::chooser() noexcept {
  if (chooser_ == nullptr) chooser_.reset(new (std::nothrow) learn::automatic);
  return chooser_.get();
}

void best_schedule::took(std::uint64_t ticks, std::uint64_t hand_over, learn::shares& shares) noexcept {
  const bool was_settled = chooser_->is_settled();
  const bool is_due = chooser_->took(ticks, hand_over);
  debt_.pay(ticks);
  if (is_due && debt_.is_paid(chooser_->chosen().members)) forecast(shares);
  if (was_settled || !chooser_->is_settled() || !settings().verbose) return;
  char why[400];
  chooser_->explain(why, sizeof why);
  std::fprintf(stderr, "steelyard: automatic: %s\n", why);
}

void best_schedule::stopped() noexcept { chooser_->stopped(); }

void best_schedule::forecast(learn::shares& shares) noexcept {
  const auto began = support::ticks();
  const std::unique_ptr<void, release> room(::operator new(chooser_->room_to_forecast(), line, std::nothrow));
  if (room == nullptr) return;
  chooser_->forecast(room.get());
  shares.teach(chooser_->spread());
  debt_.add(support::ticks() - began);
}

}  // namespace steelyard::loop
