// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/contract.hpp"
#include "schedules/loop_record.hpp"
#include "schedules/roots.hpp"

namespace steelyard::schedules {

/// What the chunks of some members took: the mean and standard deviation of an iteration from the times of chunks. Chunks of n
/// iterations have means that vary by σ/√n, so each counts with its n.
class chunk_times {
 public:
  void add(std::uint64_t iterations, chunk_time took) noexcept {
    const auto n = static_cast<double>(iterations);
    const auto work = static_cast<double>(took.work);
    chunks_ += 1;
    iterations_ += n;
    work_ += work;
    fetch_ += static_cast<double>(took.fetch);
    squares_ += work * (work / n);
  }
  void add(const chunk_times& others) noexcept {
    chunks_ += others.chunks_;
    iterations_ += others.iterations_;
    work_ += others.work_;
    fetch_ += others.fetch_;
    squares_ += others.squares_;
  }

  [[nodiscard]] double chunks() const noexcept { return chunks_; }
  [[nodiscard]] double iterations() const noexcept { return iterations_; }
  [[nodiscard]] double work() const noexcept { return work_; }
  [[nodiscard]] double fetch() const noexcept { return fetch_; }
  /// Of an iteration, of which there was one at least.
  [[nodiscard]] double mean() const noexcept { return work_ / iterations_; }
  /// Of two chunks at least; of fewer it is not known, and as large as the mean.
  [[nodiscard]] double deviation() const noexcept {
    if (chunks_ < 2) return mean();
    return square_root((squares_ - work_ * mean()) / (chunks_ - 1));
  }

  /// What an instance has shown; what was known before counts half.
  void learn(loop_record& into) const noexcept {
    if (!(work_ > 0)) return;
    const auto mix = [known = into.mean > 0](double& before, double now) { before = known ? (before + now) / 2 : now; };
    const auto spread = deviation();
    mix(into.deviation, spread);
    mix(into.hand_over, fetch_ / chunks_);
    mix(into.mean, mean());
  }

 private:
  double chunks_ = 0;
  double iterations_ = 0;
  double work_ = 0;
  double fetch_ = 0;
  double squares_ = 0;  ///< Σ t²/n
};

/// What the rules ask of a loop's times. Where nothing is known iterations are taken to vary by as much as they take, and handing out
/// a chunk to take as long as one of them.
struct spread_of_times {
  double variation = 1;  ///< σ / μ
  double hand_over = 1;  ///< h / μ

  explicit spread_of_times(const shape& loop) noexcept {
    const auto* const known = loop.known.record;
    if (known == nullptr || !(known->mean > 0)) return;
    variation = std::min(known->deviation / known->mean, most);
    if (known->hand_over > 0) hand_over = known->hand_over / known->mean;
  }

  /// Beyond that every chunk is one iteration for any team; it also bounds how many batches there are.
  static constexpr double most = 1024;
};

}  // namespace steelyard::schedules
