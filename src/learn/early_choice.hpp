// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace steelyard::learn {

/// Equal blocks, or stealing, for loops of which nothing is foretold yet, where they are brief or known to be even. Handing out a loop of a few microseconds may
/// take as long as its iterations do, and equal blocks are handed out once. They find their data in the caches where they left it, too. But costs may be uneven.
/// The first instance is stolen, or runs by whatever the base of `automatic` is. The next ones run in equal blocks until these have taken half a `lot`, others are
/// stolen until they have taken one, and again some run in equal blocks for half a lot. So a loop that takes longer each time is compared fairly. What took less for
/// each iteration stays, until it takes twice as long. Where equal blocks are spared something, a tiny loop stays in these without more ado. All in ticks; O(1). Not for
/// several threads at once.
class early_choice {
 public:
  /// A first instance that takes longer is no brief one: more are stolen until one is, or costs are known to be even.
  static constexpr std::uint64_t brief = 100'000;
  /// So much is compared of each way, or so many instances; of a loop that is not brief no fewer than the last number, and so many tiny ones are no accident.
  static constexpr std::uint64_t lot = 250'000;
  static constexpr std::uint64_t many = 8;
  static constexpr std::uint64_t least = 4;
  /// Of loops that take less no clock tells the costs, and to hand them out takes longer than they do.
  static constexpr std::uint64_t tiny = 8000;

  /// How the next instance is to run.
  [[nodiscard]] bool is_equal() const noexcept { return now_ == equal; }

  /// It has compared them.
  [[nodiscard]] bool has_chosen() const noexcept { return stage_ == stage::chosen; }

  /// It has, in another process, and one of `n` iterations takes so long.
  void learn(bool in_equal_blocks, std::uint64_t takes, std::uint64_t n) noexcept {
    *this = {};
    stage_ = stage::chosen;
    now_ = in_equal_blocks ? equal : stealing;
    of_[now_] = {takes, takes, n, 1};
  }
  /// What one of `n` takes as it has chosen, beyond what others will be spared; at least 1.
  [[nodiscard]] std::uint64_t takes(std::uint64_t n) const noexcept {
    using wide = unsigned __int128;
    const auto& chosen = of_[now_];
    const auto takes = wide{chosen.ticks} * n / std::max<std::uint64_t>(chosen.iterations, 1);
    return static_cast<std::uint64_t>(std::clamp(takes, wide{1}, wide{~std::uint64_t{0}}));
  }

  /// Costs are known to be uneven: it is stolen, whatever was compared.
  void steal() noexcept {
    if (now_ == stealing) return;
    if (of_[stealing].count == 0) of_[stealing] = of_[equal];
    lately_ = {};
    now_ = stealing;
  }

  /// One of `n` iterations ran as is_equal() said, and took so long. So much of that others will be spared. `is_even`: equal blocks of such a loop cost the same, as
  /// far as is known.
  void took(std::uint64_t ticks, std::uint64_t spared, std::uint64_t n, bool is_even = false) noexcept {
    if (stage_ == stage::first) {
      if (ticks >= brief && !is_even) return;
      stage_ = stage::equal_before;
      now_ = equal;
      return;
    }
    if (stage_ != stage::chosen) {
      longest_ = std::max(longest_, ticks);
    } else if (ticks >= brief && ticks / 2 > std::max(takes(n), longest_)) {  // that is another loop
      *this = {};
      return;
    }
    if (std::exchange(is_cold_, false)) return;
    lately_.add({ticks, ticks - spared, n, 1});
    const bool is_tiny = now_ == equal && spared != 0 && ticks < tiny;
    if (stage_ == stage::equal_before && is_tiny && lately_.count >= least) {
      of_[equal] = std::exchange(lately_, {});
      stage_ = stage::chosen;
    } else if (is_lot(ticks)) {
      ends_lot(std::exchange(lately_, {}));
    }
  }

 private:
  enum which : std::uint8_t { stealing, equal };
  enum class stage : std::uint8_t { first, equal_before, stolen, equal_behind, chosen };
  struct sum {
    std::uint64_t took = 0;
    std::uint64_t ticks = 0;  ///< of that, without what others will be spared
    std::uint64_t iterations = 0;
    std::uint64_t count = 0;

    void add(const sum& more) noexcept {
      took += more.took;
      ticks += more.ticks;
      iterations += more.iterations;
      count += more.count;
    }
  };

  /// Whether so much has run in a row, of which the last instance took so long.
  [[nodiscard]] bool is_lot(std::uint64_t ticks) const noexcept {
    const std::uint64_t parts = stage_ == stage::equal_before || stage_ == stage::equal_behind ? 2 : 1;
    const bool are_some = lately_.count >= least / parts || ticks < brief;
    return lately_.count >= many / parts || (lately_.took >= lot / parts && are_some);
  }

  void ends_lot(const sum& it) noexcept {
    if (stage_ == stage::chosen) {
      if (is_slower(it, of_[now_], 2)) *this = {};
      return;
    }
    of_[now_].add(it);
    stage_ = static_cast<stage>(static_cast<std::uint8_t>(stage_) + 1);
    now_ = stage_ == stage::stolen || (stage_ == stage::chosen && !is_slower(of_[stealing], of_[equal], 1)) ? stealing
                                                                                                            : equal;
    is_cold_ = stage_ == stage::equal_behind;
  }

  /// Whether an iteration of `it` takes more than so many times what one of `other` does.
  static bool is_slower(const sum& it, const sum& other, std::uint64_t times) noexcept {
    using wide = unsigned __int128;
    return wide{it.ticks} * other.iterations > wide{other.ticks} * it.iterations * times;
  }

  std::uint64_t longest_ = 0;  ///< of those that were compared
  sum lately_;
  sum of_[2];
  which now_ = stealing;
  stage stage_ = stage::first;
  bool is_cold_ = false;  ///< the next one in equal blocks does not find its data where it was left
};

}  // namespace steelyard::learn
