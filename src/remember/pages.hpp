// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <utility>

namespace steelyard::remember {

/// Memory of the system's, beside the heap of the program.
class pages {
 public:
  pages() noexcept = default;
  explicit pages(std::size_t size) noexcept : size_(size) {
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) at_ = static_cast<char*>(memory);
  }
  pages(pages&& other) noexcept : at_(std::exchange(other.at_, nullptr)), size_(other.size_) {}
  pages& operator=(pages&& other) noexcept {
    std::swap(at_, other.at_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~pages() {
    if (at_ != nullptr) munmap(at_, size_);
  }

  /// nullptr: there is none.
  [[nodiscard]] char* get() const noexcept { return at_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  char* at_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace steelyard::remember
