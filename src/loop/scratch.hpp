// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>

#include "support/cache_line.hpp"

namespace steelyard::loop {

/// Aligned memory that is on the stack when it is little.
class scratch {
 public:
  explicit scratch(std::size_t bytes) noexcept
      : heap_(bytes > sizeof local_ ? ::operator new(bytes, line, std::nothrow) : nullptr),
        at_(bytes > sizeof local_ ? heap_ : local_) {}
  ~scratch() { ::operator delete(heap_, line); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  /// nullptr: there is none.
  [[nodiscard]] void* get() const noexcept { return at_; }

 private:
  static constexpr std::align_val_t line{support::line_size};
  alignas(support::line_size) std::byte local_[6144];
  void* heap_;
  void* at_;
};

}  // namespace steelyard::loop
