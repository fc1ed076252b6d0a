// SPDX-License-Identifier: Apache-2.0
#include "learn/automatic.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string>

#include "learn/choosers.hpp"
#include "learn/cost_profile.hpp"
#include "learn/forecast_debt.hpp"
#include "simulator/selection/methods.hpp"
#include "support/cache_line.hpp"

namespace steelyard::simulator::selection {
namespace {

struct aligned {
  void operator()(void* memory) const { ::operator delete (memory, std::align_val_t{support::line_size}); }
};

/// What front ends guess, for each member.
constexpr std::uint64_t ticks_of_a_forecast = 100'000;

/// Ours, as a front end uses it.
class automatic final : public method {
 public:
  explicit automatic(const conditions& under)
      : hand_over_(static_cast<std::uint64_t>(under.call * under.ticks_of_unit)), pays_(under.pays_for_forecasts) {}

  way next(std::uint64_t n, std::uint32_t members) override {
    const auto fresh = [] { return std::make_unique<learn::automatic>(); };
    now_ = choosers_.of(n, members, fresh, [](const learn::automatic&) { return true; });
    iterations_ = n;
    members_ = members;
    const auto plan = now_->next(n, members);
    takers_ = plan.how.members;
    way how{find(plan.how.schedule->about.name), plan.how.chunk, plan.how.members, {}, 0, plan.observed};
    if (plan.how.by_shares) {
      how.ends.resize(how.members);
      now_->cut(n, how.members, how.ends.data());
    }
    return how;
  }

  void took(const measured& it) override {
    const bool observed = !it.chunks.empty();
    if (observed) profile_.begin(iterations_);
    for (const auto& chunk : it.chunks) profile_.took(chunk.first, chunk.count, chunk.ticks);
    debt_.pay(it.ticks);
    debt_.wait(it.ticks, it.ticks - std::min(it.ticks, it.finished / takers_));
    const bool is_due = now_->took(it.ticks, {observed ? &profile_ : nullptr, hand_over_, it.finished});
    if (!is_due || (pays_ && !debt_.is_paid(members_))) return;
    const std::unique_ptr<void, aligned> room(
        ::operator new (now_->room_to_forecast(), std::align_val_t{support::line_size}));
    now_->forecast(room.get());
    debt_.add(ticks_of_a_forecast * members_);
  }

  [[nodiscard]] bool is_settled() const override { return now_ != nullptr && now_->is_settled(); }

  [[nodiscard]] std::string why() const override {
    std::array<char, 400> words{};
    return now_ != nullptr ? std::string(words.data(), now_->explain(words.data(), words.size())) : std::string();
  }

 private:
  learn::choosers<std::unique_ptr<learn::automatic>> choosers_;
  learn::automatic* now_ = nullptr;
  learn::cost_profile profile_;
  std::uint64_t iterations_ = 0;
  std::uint32_t members_ = 0;
  std::uint32_t takers_ = 0;
  learn::forecast_debt debt_;
  std::uint64_t hand_over_;
  bool pays_;
};

}  // namespace

std::unique_ptr<method> ours(const conditions& under) { return std::make_unique<automatic>(under); }

}  // namespace steelyard::simulator::selection
