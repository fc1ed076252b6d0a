// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace steelyard::model {

/// Answers the questions an execution asks ("which of n?"), so that the answers name the execution.
class chooser {
 public:
  /// Every path, depth first: `next_path` moves to the next one.
  static chooser all() { return chooser{}; }
  /// Random paths.
  static chooser random(std::uint64_t seed);
  /// One given path, as `path` printed it.
  static chooser replay(const std::string& path);

  unsigned choose(unsigned count);
  /// The path has left the part that it shares with the one before.
  [[nodiscard]] bool fresh() const noexcept { return next_ == answers_.size(); }
  /// False when there is no further path.
  bool next_path();
  /// The path of the current execution: one answer per question with more than one answer, e.g. "0.2.1".
  [[nodiscard]] std::string path() const;

 private:
  enum class mode { all, random, replay };
  struct answer {
    unsigned chosen;
    unsigned count;
  };

  mode mode_ = mode::all;
  std::vector<answer> answers_;
  std::size_t next_ = 0;
  std::mt19937_64 generator_;
};

}  // namespace steelyard::model
