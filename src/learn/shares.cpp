// SPDX-License-Identifier: Apache-2.0
#include "learn/shares.hpp"

#include <algorithm>
#include <cstdlib>

#include "learn/block_times.hpp"

namespace steelyard::learn {
namespace {

/// What is lost by less than this is not worth another cut.
constexpr double negligible = 0.01;
/// What gains less than this over equal blocks is no better than these: a balanced loop keeps them.
constexpr double worth_it = 0.02;
/// Times of equal blocks that differ by no more are those of a loop whose iterations cost the same.
constexpr double about_equal = 0.03;
/// A deviation of this size is no noise.
constexpr double large = 0.25;
/// A picture that is so wrong says nothing of how the cost lies within a block.
constexpr double hopeless = 0.75;
/// A phase that is wrong by so many times less than another one is worth a try.
constexpr double clearly = 3;
/// One that was turned to so often, and never fitted, is none of those that are known.
constexpr std::uint32_t most_turns = 2;
constexpr double most_noise = 0.1;
constexpr double root_of_two = 1.41421356;
/// So many instances are remembered of what shares have saved.
constexpr double lately = 8;
constexpr std::uint32_t first_rest = 32;
constexpr std::uint32_t most_rests = 8;

}  // namespace

shares::shares() noexcept = default;

bool shares::alike(const std::uint64_t* took, std::uint32_t members) noexcept {
  std::uint64_t most = 0;
  double all = 0;
  for (std::uint32_t m = 0; m < members; ++m) {
    most = std::max(most, took[m]);
    all += static_cast<double>(took[m]);
  }
  return static_cast<double>(most) * members <= all * (1 + about_equal);
}

bool shares::deal(std::uint64_t n, std::uint32_t members, std::uint64_t* ends) const noexcept {
  if (now_ == equal || members < 2 || members > most_members) return false;
  std::array<double, most_members> positions;
  phases_[now_].dealt().cut(members, positions.data());
  for (std::uint32_t m = 0; m + 1 < members; ++m) {
    const double at = positions[m] * static_cast<double>(n) + 0.5;
    ends[m] = at >= static_cast<double>(n) ? n : static_cast<std::uint64_t>(at);
  }
  ends[members - 1] = n;
  return true;
}

std::uint64_t shares::first_block(std::uint64_t work, std::uint32_t members) const noexcept {
  if (members < 2 || members > most_members) return work;
  std::array<double, most_members> ends;
  std::array<double, most_members> parts;
  for (std::uint32_t m = 0; m < members; ++m) ends[m] = (m + 1.0) / members;
  phases_[now_].known().parts(ends.data(), members, parts.data());
  return static_cast<std::uint64_t>(parts[0] * static_cast<double>(work));
}

std::uint64_t shares::longest(std::uint64_t n, std::uint32_t members, const std::uint64_t* ends,
                              std::uint64_t work) const noexcept {
  if (members < 2 || members > most_members) return work;
  std::array<double, most_members> positions;
  std::array<double, most_members> parts;
  for (std::uint32_t m = 0; m < members; ++m) positions[m] = static_cast<double>(ends[m]) / static_cast<double>(n);
  phases_[now_].known().parts(positions.data(), members, parts.data());
  return static_cast<std::uint64_t>(*std::max_element(parts.begin(), parts.begin() + members) *
                                    static_cast<double>(work));
}

double shares::tolerance() const noexcept { return 2 * negligible + 3 * noise_; }

bool shares::learn(std::uint64_t n, std::uint32_t members, const std::uint64_t* ends,
                   const std::uint64_t* took) noexcept {
  if (members < 2 || members > most_members) return false;
  block_times it(n, members, ends, took);
  imbalance_ = it.imbalance;
  ++instances_;
  if (rest_ != 0) {
    --rest_;
    return false;
  }
  phases_[now_].last_used = instances_;
  if (is_best_again(it)) return false;
  std::array<double, most_members> differences;
  const double error = phases_[now_].error_of(it, differences.data());
  if (error <= tolerance()) return as_expected(it, differences.data());
  if (!sure_ && was_disturbed(it)) return turn_back(it);
  const bool may_be = !phases_[now_].settled && !phases_[now_].contradicts(it);
  if (may_be) {
    if (error >= hopeless) phases_[now_].know_nothing();
    return refine(it);
  }
  if (is_in_vain(it)) return true;

  double least_error = error;
  std::uint32_t nearest = now_;
  look(it, least_error, nearest);
  if (nearest != now_ && turns_ < most_turns) {
    const bool agrees = least_error <= std::min(tolerance(), error / 2);
    const bool may_agree = sure_ && error >= large && least_error <= error / clearly;
    if (agrees || may_agree) return try_phase(nearest, it);
  }
  if (error < large && !is_agreed(it, differences.data())) return false;
  return begin_phase(it, error >= large);
}

/// Whether the instance before was otherwise, too, and in the same way. Then `it` is the mean of both. If not, that was noise.
bool shares::is_agreed(block_times& it, const double* differences) noexcept {
  double both = 0;
  double apart = 0;
  for (std::uint32_t m = 0; m < it.members; ++m) {
    const double before = doubted_ ? static_cast<double>(doubts_[m]) : 0;
    doubts_[m] = static_cast<float>(differences[m]);
    apart = std::max(apart, std::abs(differences[m] - before));
    if (before * differences[m] > 0) both = std::max(both, std::min(std::abs(before), std::abs(differences[m])));
    it.parts[m] += (before - differences[m]) / 2 / it.members;
  }
  const bool agreed = doubted_ && both > tolerance();
  if (doubted_ && !agreed) noise_ = std::min(noise_ + (apart / root_of_two - noise_) / 8, most_noise);
  doubted_ = true;
  return agreed;
}

void shares::learn_again() noexcept {
  rest_ = 0;
  if (now_ == equal) {
    doubted_ = true;
    return;
  }
  again_ = true;
  phases_[now_].forget_lessons();
}

/// A member that was kept from its core adds to the time of that instance only. Of another phase the next instances take as long.
bool shares::was_disturbed(const block_times& it) const noexcept {
  if (usual_rate_ == 0) return it.rate < odd_rate_ * (1 - large);
  return odd_rate_ > usual_rate_ * (1 + about_equal) && it.rate < (usual_rate_ + odd_rate_) / 2;
}

/// The phase that says best what an instance took.
void shares::look(const block_times& it, double& least_error, std::uint32_t& nearest) const noexcept {
  std::array<double, most_members> differences;
  for (std::uint32_t each = 0; each <= begun_; ++each) {
    if (each == now_) continue;
    const double error = phases_[each].error_of(it, differences.data());
    if (error >= least_error || (each == equal && error > tolerance())) continue;
    least_error = error;
    nearest = each;
  }
}

/// Noise is by how much differences change from one instance to the next. What they have in common is none: costs that drift slowly
/// are followed.
void shares::add_noise(const double* differences, std::uint32_t members) noexcept {
  double most = 0;
  for (std::uint32_t m = 0; m < members; ++m) {
    most = std::max(most, std::abs(differences[m] - static_cast<double>(differences_[m])));
    differences_[m] = static_cast<float>(differences[m]);
  }
  most /= root_of_two;  // both have their noise
  noise_ = std::min(noise_ + (most - noise_) / 8, most_noise);
}

bool shares::as_expected(block_times& it, const double* differences) noexcept {
  add_noise(differences, it.members);
  usual_rate_ = it.rate;
  sure_ = true;
  doubted_ = false;
  if (strange_ != 0) --strange_;
  turns_ = 0;
  phase& now = phases_[now_];
  saved_ += (now.lost_by_equal - it.imbalance - saved_) / lately;
  if (now.settled) return follow(it, differences);
  if (it.imbalance > std::max(negligible, again_ ? 0 : 2 * noise_)) return refine(it);
  again_ = false;
  return settle();
}

/// A settled phase whose costs have drifted. The picture moves by what its instances have in common; what it was learnt from is past.
/// Equal blocks are left for a surprise only, and so is the best cut of a loop that cannot be balanced.
bool shares::follow(block_times& it, const double* differences) noexcept {
  phase& now = phases_[now_];
  const bool cannot_be_balanced = now.tries == most_tries && now.best_imbalance > tolerance();
  if (now_ == equal || cannot_be_balanced || !drift_.add(differences, it.members, noise_)) return false;
  for (std::uint32_t m = 0; m < it.members; ++m) {
    it.parts[m] = std::max(it.parts[m] + (drift_.mean(m) - differences[m]) / it.members, 0.0);
  }
  drift_.forget();
  now.forget_lessons();
  now.study(it);
  now.cut_anew();
  settle();
  return true;
}

/// For equal blocks where other ones gain no more than is noise. True: the next cut is another one.
bool shares::settle() noexcept {
  phase& now = phases_[now_];
  now.settled = true;
  if (now_ == equal || now.lost_by_equal > std::max(tolerance() / 2, worth_it)) return false;
  return turn_to(equal);
}

/// Makes the picture finer, and cuts anew; at last the best cut stays.
bool shares::refine(const block_times& it) noexcept {
  phase& now = phases_[now_];
  usual_rate_ = it.rate;
  sure_ = true;
  doubted_ = false;
  again_ = false;
  drift_.forget();
  now.keep_best(it);
  now.study(it);
  now.cut_anew();
  if (++now.tries == most_tries) now.settle_for_best();
  return true;
}

/// The first instance with the cut that a phase has settled for, when it goes as it did before: what is known is of other cuts.
bool shares::is_best_again(const block_times& it) noexcept {
  phase& now = phases_[now_];
  if (!now.stale) return false;
  now.stale = false;
  if (it.imbalance > now.best_imbalance + tolerance()) return false;
  sure_ = true;
  doubted_ = false;
  now.study(it);
  return true;
}

bool shares::turn_to(std::uint32_t which) noexcept {
  ++turns_;
  drift_.forget();
  now_ = which;
  sure_ = true;
  doubted_ = false;
  return true;
}

/// What was taken for a new phase was a disturbance.
bool shares::turn_back(const block_times& it) noexcept {
  if (usual_rate_ == 0 && before_ == equal) {  // the first instance of all; nothing is known of equal blocks
    phases_[now_].begin_with(it);
    odd_rate_ = it.rate;
    return true;
  }
  if (!phases_[now_].settled) phases_[now_].last_used = 0;
  return turn_to(before_);
}

/// One that says better what an instance took. A disturbance may look like it: the next will show.
bool shares::try_phase(std::uint32_t which, const block_times& it) noexcept {
  odd_rate_ = it.rate;
  before_ = now_;
  turn_to(which);
  sure_ = false;
  return true;
}

/// A new one, in place of the one that was used the longest ago.
phase& shares::take_phase() noexcept {
  std::uint32_t place = begun_ + 1;
  if (place == most_phases) {
    place = now_ == 1 ? 2 : 1;
    for (std::uint32_t each = 1; each < most_phases; ++each) {
      if (each != now_ && phases_[each].last_used < phases_[place].last_used) place = each;
    }
  } else {
    ++begun_;
  }
  phase& fresh = phases_[place];
  fresh.began = instances_;
  fresh.last_used = instances_;
  drift_.forget();
  turns_ = 0;
  before_ = now_;
  now_ = place;
  doubted_ = false;
  return fresh;
}

/// One that is `new_to_us` owes nothing to the one before.
bool shares::begin_phase(const block_times& it, bool new_to_us) noexcept {
  phase& fresh = take_phase();
  odd_rate_ = it.rate;
  if (new_to_us || before_ == equal) {
    fresh.begin_with(it);
  } else {
    fresh.begin_like(phases_[before_], it);
  }
  sure_ = false;
  return true;
}

void shares::teach(const density& costs) noexcept {
  phase& fresh = take_phase();
  fresh.be(costs);
  fresh.began = ++instances_;
  sure_ = true;
  again_ = false;
  rest_ = 0;
}

/// Whether equal blocks had done as well, lately, as what was dealt. Then they are dealt for a while.
bool shares::is_in_vain(const block_times& it) noexcept {
  if (now_ == equal) return false;
  const density::finding found{it.ends.data(), it.parts.data(), it.members};
  density after;
  phases_[now_].known().fit({&found, 1}, 1, after);
  const double saved = it.lost_by_equal(after) - it.imbalance;
  saved_ += (saved - saved_) / lately;
  if (++strange_ < trial || saved_ > 0) return false;
  strange_ = 0;
  saved_ = 0;
  phase& now = phases_[now_];
  if (!now.settled) now.keep_best(it);
  if (!now.settled && now.best_imbalance < it.lost_by_equal(after)) {
    now.settle_for_best();
    sure_ = true;
    return true;
  }
  rest_ = first_rest << std::min(given_up_++, most_rests);
  begun_ = 0;
  return turn_to(equal);
}

}  // namespace steelyard::learn
