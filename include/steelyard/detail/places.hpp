// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

/// Parts of a range whose iterators only go forward.
namespace steelyard {
inline namespace v1 {
namespace detail {

/// Where a walk through forward iterators comes by: at every `stride`-th element, 8,192 places at most, however many there are.
template <std::forward_iterator It>
class places {
 public:
  places(It first, It last) {
    for (; first != last; ++first, ++size_) {
      if (size_ % stride_ != 0) continue;
      if (at_.size() == most) keep_every_other();
      at_.push_back(first);
    }
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t parts() const noexcept { return at_.size(); }
  [[nodiscard]] std::uint64_t begin(std::uint64_t part) const noexcept { return std::min(part * stride_, size_); }
  template <class Body>
  void run(std::uint64_t part, Body& body) const {
    It it = at_[part];
    for (auto left = begin(part + 1) - begin(part); left != 0; --left, ++it) std::invoke(body, *it);
  }

 private:
  static constexpr std::size_t most = 8192;
  void keep_every_other() {
    for (std::size_t i = 0; i < most / 2; ++i) at_[i] = at_[2 * i];
    at_.erase(at_.begin() + most / 2, at_.end());
    stride_ *= 2;
  }

  std::vector<It> at_;
  std::uint64_t size_ = 0;
  std::uint64_t stride_ = 1;
};

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
