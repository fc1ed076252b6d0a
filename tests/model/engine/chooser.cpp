// SPDX-License-Identifier: Apache-2.0
#include "chooser.hpp"

#include <algorithm>
#include <sstream>

namespace steelyard::model {

chooser chooser::random(std::uint64_t seed) {
  chooser result;
  result.mode_ = mode::random;
  result.generator_.seed(seed);
  return result;
}

chooser chooser::replay(const std::string& path) {
  chooser result;
  result.mode_ = mode::replay;
  std::istringstream text(path);
  for (std::string field; std::getline(text, field, '.');) {
    result.answers_.push_back({static_cast<unsigned>(std::stoul(field)), 0});
  }
  return result;
}

unsigned chooser::choose(unsigned count) {
  if (count <= 1) return 0;
  if (next_ == answers_.size()) {
    const auto chosen = mode_ == mode::random ? static_cast<unsigned>(generator_() % count) : 0U;
    answers_.push_back({chosen, count});
  }
  return std::min(answers_[next_++].chosen, count - 1);
}

bool chooser::next_path() {
  next_ = 0;
  if (mode_ == mode::random) {
    answers_.clear();
    return true;
  }
  if (mode_ == mode::replay) return false;
  while (!answers_.empty() && answers_.back().chosen + 1 == answers_.back().count) answers_.pop_back();
  if (answers_.empty()) return false;
  ++answers_.back().chosen;
  return true;
}

std::string chooser::path() const {
  std::string text;
  for (std::size_t i = 0; i < next_; ++i) {
    if (i != 0) text += '.';
    text += std::to_string(answers_[i].chosen);
  }
  return text;
}

}  // namespace steelyard::model
