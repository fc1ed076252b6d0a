// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "learn/density.hpp"
#include "learn/drift.hpp"
#include "learn/phase.hpp"

namespace steelyard::learn {

/// Into which contiguous shares a loop is cut that runs again and again, one for each member, in order: learnt from what the
/// blocks of earlier instances took (Cammarota, Nicolau & Veidenbaum, "Just in time load balancing", sections 2 and 2.2, with
/// blocks of all members in place of two serial instances).
///
/// A *phase* is a picture of the loop's costs and the cut that follows from it. Up to `most_phases` are known. The first is that
/// of equal blocks, and never changes.
/// - An instance that went as its phase says changes nothing, unless a better cut is to be had: then the picture is made finer, at
///   most `most_tries` times, and the best cut that was measured stays.
/// - One that went otherwise is that of another phase: one that is known and agrees, or at least agrees clearly better, else a new
///   one. A small deviation has to come twice in a row, and the same way. Where a phase turns out to gain no more by its shares than
///   instances differ from each other, equal blocks are dealt. A phase that is being learnt is made finer by all that does not contradict it.
/// - What instances of a settled phase have in common beyond it (`drift`) makes the picture follow, without being another phase.
/// - A member that was kept from its core once costs at most one instance more: where the next one takes no longer than before
///   in all, that was no phase.
/// - When it is asked to (`learn_again`), it doubts what it has settled on: the next instance counts as its first measurement, and the
///   cut stays among those that are tried.
/// - Where at least `trial` more instances did not fit than did, and lately their shares were no better than equal blocks had been,
///   equal blocks are dealt for a while.
///
/// Positions are fractions of the trip count, so what is known holds for other trip counts and other numbers of members.
/// Not for several threads at once.
class shares {
 public:
  static constexpr std::uint32_t most_members = density::most_blocks;
  static constexpr std::uint32_t most_phases = 4;
  static constexpr std::uint32_t most_tries = phase::most_tries;
  static constexpr std::uint32_t trial = 5;

  // Not inline: the drop-in has no registers for floating-point numbers.
  shares() noexcept;
  shares(const shares&) = default;
  shares& operator=(const shares&) = default;

  /// Whether these times, of equal blocks, are so alike that there is nothing to learn.
  [[nodiscard]] static bool alike(const std::uint64_t* took, std::uint32_t members) noexcept;

  /// Where the blocks of the next instance end: n > 0 iterations, 2 … most_members members, n >= members. False: equal blocks, as
  /// OpenMP's static schedule has them. O(members).
  bool deal(std::uint64_t n, std::uint32_t members, std::uint64_t* ends) const noexcept;

  /// The block of member m, which ended before iteration ends[m], took so long. O(phases · (bins + members)); what an instance
  /// costs that went as expected is O(bins + members). True: the next cut is another one.
  bool learn(std::uint64_t n, std::uint32_t members, const std::uint64_t* ends, const std::uint64_t* took) noexcept;

  /// Costs that were measured otherwise: the next instance is cut by them, and it is not cut anew until another phase comes.
  void teach(const density& costs) noexcept;
  /// Before `learn`: what is settled is open again, and a small deviation is believed at once.
  void learn_again() noexcept;

  /// What the last instance lost by members that waited for the slowest: longest block / mean block - 1.
  [[nodiscard]] double imbalance() const noexcept { return imbalance_; }
  /// Nothing fits, so equal blocks are dealt.
  [[nodiscard]] bool has_given_up() const noexcept { return rest_ != 0; }
  /// The cut is not being changed any more.
  [[nodiscard]] bool is_settled() const noexcept { return phases_[now_].settled && !has_given_up(); }
  /// What tells the phase that the next instance is taken to be in from all others; 0: that of equal blocks.
  [[nodiscard]] std::uint64_t phase_number() const noexcept { return phases_[now_].began; }
  /// What the first of so many equal blocks takes, where all members together take `work`.
  [[nodiscard]] std::uint64_t first_block(std::uint64_t work, std::uint32_t members) const noexcept;
  /// What the longest of these blocks takes, in the phase of the next instance, where all members together take `work`.
  [[nodiscard]] std::uint64_t longest(std::uint64_t n, std::uint32_t members, const std::uint64_t* ends,
                                      std::uint64_t work) const noexcept;
  /// The next instance will show whether the last was of another phase, or was disturbed.
  [[nodiscard]] bool is_in_doubt() const noexcept { return !sure_ || doubted_; }
  /// How many phases have been seen beside that of equal blocks.
  [[nodiscard]] std::uint32_t phases() const noexcept { return begun_; }

 private:
  static constexpr std::uint32_t equal = 0;

  void look(const block_times& it, double& least_error, std::uint32_t& nearest) const noexcept;
  void add_noise(const double* differences, std::uint32_t members) noexcept;
  bool as_expected(block_times& it, const double* differences) noexcept;
  bool follow(block_times& it, const double* differences) noexcept;
  bool refine(const block_times& it) noexcept;
  bool is_best_again(const block_times& it) noexcept;
  bool turn_to(std::uint32_t which) noexcept;
  [[nodiscard]] bool was_disturbed(const block_times& it) const noexcept;
  bool turn_back(const block_times& it) noexcept;
  bool is_agreed(block_times& it, const double* differences) noexcept;
  bool settle() noexcept;
  bool try_phase(std::uint32_t which, const block_times& it) noexcept;
  bool begin_phase(const block_times& it, bool new_to_us) noexcept;
  phase& take_phase() noexcept;
  bool is_in_vain(const block_times& it) noexcept;
  [[nodiscard]] double tolerance() const noexcept;

  std::array<phase, most_phases> phases_{};
  std::uint64_t instances_ = 0;
  std::uint32_t begun_ = 0;       ///< phases that are in use, without the first
  std::uint32_t now_ = equal;     ///< the phase that the next instance is taken to be in
  std::uint32_t before_ = equal;  ///< the one before, while `now_` is not sure
  bool sure_ = true;
  std::uint32_t turns_ = 0;  ///< to known phases, since one has fitted
  bool doubted_ = false;     ///< the last instance was a little otherwise
  bool again_ = false;       ///< the next one is to be learnt from, whatever noise there is
  double usual_rate_ = 0;    ///< of the last instance that was as expected
  double odd_rate_ = 0;      ///< of the one after which `now_` was not sure
  double noise_ = 0.01;      ///< by how much instances differ from what their phase says
  double imbalance_ = 0;
  std::uint32_t strange_ = 0;   ///< instances that did not fit their phase
  double saved_ = 0;            ///< by their shares, on average, in mean blocks; below 0: equal blocks were better
  std::uint32_t rest_ = 0;      ///< instances of equal blocks that are left until it is tried again
  std::uint32_t given_up_ = 0;  ///< how often that was
  /// Of the last instance that went as expected, from what its phase says.
  std::array<float, most_members> differences_{};
  /// The same of the last one that was a little otherwise.
  std::array<float, most_members> doubts_{};
  drift drift_;  ///< of the phase of now, since it was cut
};

}  // namespace steelyard::learn
