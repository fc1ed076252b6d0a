// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace steelyard::dataflow {

/// The memory of a thread's frames, which lie in it as on a stack: address space that costs nothing until it is touched.
class arena {
 public:
  arena() = default;
  ~arena();
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  /// False: the system gives none.
  bool reserve() noexcept;
  [[nodiscard]] std::span<std::byte> all() const noexcept { return all_; }
  /// What lies in [first, last) is not needed any more.
  void give_back(std::byte* first, std::byte* last) noexcept;
  /// It outlives this.
  void keep() noexcept { all_ = {}; }

 private:
  std::span<std::byte> all_;
};

}  // namespace steelyard::dataflow
