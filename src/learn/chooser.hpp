// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace steelyard::learn {

/// Which of several ways to run the loop of one place is the fastest (Cammarota, Nicolau & Veidenbaum, "Just in time load
/// balancing", listing 1.3): it runs once in each way that may be, at most `most_trials` instances; then the fastest stays.
///
/// Ways are numbers. Number 0 is that of learnt shares, by which phases of a program are told apart; what the others are is the
/// caller's affair. It says of each what an instance takes at least, by prediction: one that cannot be the fastest is not tried.
/// - The way that was chosen goes on being measured. The others are tried again now and then: what that costs is a hundredth.
/// - Another way is chosen when it was faster twice in a row, than the chosen one on average and than its last instance. So one
///   disturbed instance decides nothing, nor does a loop that becomes shorter all the time, whose average is behind.
/// - Where the chosen way takes far longer once, one that was about as fast is chosen for a while. Where there is none, and it takes
///   far longer or shorter than before twice in a row, the next instance has learnt shares: they tell whether it is another phase.
///   A phase that is new is tried as in the beginning, but for ways that took far longer than shares in the one before: these are tried
///   later, like any other. A phase that was seen before has its own choice.
///   Loops of about the same trip count are of one phase, others are not.
///
/// Whole numbers only, no clock and no heap. Not for several threads at once.
class chooser {
 public:
  static constexpr std::uint32_t most_ways = 8;
  static constexpr std::uint32_t most_trials = 5;
  static constexpr std::uint32_t most_phases = 8;
  static constexpr std::uint32_t shares = 0;
  /// Of a way that is none for this loop.
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  /// What an instance takes at least, each way, in ticks; 0: who knows; 1 … most_ways of them.
  using predictions = std::span<const std::uint64_t>;

  /// Which way the next instance runs, of n > 0 iterations.
  [[nodiscard]] std::uint32_t next(std::uint64_t n, predictions least) noexcept;

  /// What an instance took.
  struct instance {
    std::uint32_t way;
    std::uint64_t iterations;
    std::uint64_t ticks;  ///< from its beginning until its last member was through
    std::uint64_t phase;  ///< shares::phase_number(), after they have learnt from it
    bool cut_anew;        ///< what they said then: the next instance that has shares gets others
  };
  void took(const instance& it) noexcept;

  /// Whether a way is chosen for such instances in this phase, as `next` has found.
  [[nodiscard]] bool is_settled(std::uint64_t n) const noexcept;
  /// Which one; before that, learnt shares.
  [[nodiscard]] std::uint32_t chosen(std::uint64_t n) const noexcept;

 private:
  static constexpr std::uint32_t none = most_ways;

  struct known {
    std::uint64_t rate = 0;  ///< 0: not tried yet
    std::uint64_t due = 0;   ///< when it is tried again
    bool is_sure = false;    ///< it was tried again
    bool is_dear = false;    ///< when it was tried last, in this phase or before, it took far longer than the usual way
  };
  /// A phase, and about the same trip count.
  struct choice {
    std::uint64_t phase = 0;
    std::uint32_t size = 0;  ///< how many bits the trip count has; 0: this one is not in use
    std::uint32_t chosen = shares;
    std::uint32_t contender = none;  ///< was faster than that, once
    std::uint32_t instances = 0;     ///< since it began to try
    std::uint32_t since_trial = 0;
    std::uint64_t last = 0;  ///< rate of the last instance of the chosen way; 0: none since it was chosen
    bool settled = false;
    bool cut_anew = false;    ///< learnt shares were measured with another cut than the next
    bool doubted = false;     ///< the last instance of the chosen way took far longer or shorter
    bool looks = false;       ///< the next one has learnt shares, to tell the phase
    std::uint64_t clock = 0;  ///< ticks of all its instances
    std::uint64_t last_used = 0;
    std::array<known, most_ways> ways{};
  };

  [[nodiscard]] std::uint32_t number_of(std::uint64_t phase, std::uint64_t n) const noexcept;
  choice& turn_to(std::uint64_t phase, std::uint64_t n) noexcept;
  static void carry_over(const choice& from, choice& to) noexcept;
  static std::uint32_t to_try(const choice& now, std::uint64_t n, predictions least) noexcept;
  static void settle(choice& now, std::uint64_t n, predictions least) noexcept;
  static void plan(choice& now, std::uint32_t way, std::uint64_t n, predictions least) noexcept;
  static std::uint32_t due(const choice& now, predictions least) noexcept;
  static void begin_anew(choice& now, std::uint64_t rate) noexcept;
  static bool fall_back(choice& now, std::uint64_t usual) noexcept;
  static void took_chosen(choice& now, std::uint64_t rate, std::uint64_t usual) noexcept;
  static void took_other(choice& now, std::uint32_t way, std::uint64_t rate, std::uint64_t ticks) noexcept;

  std::array<choice, most_phases> choices_{};
  std::uint64_t phase_ = 0;
  std::uint64_t instances_ = 0;
};

}  // namespace steelyard::learn
