// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <atomic>
#include <exception>

#include <steelyard/detail/needs_exceptions.hpp>

namespace steelyard {
inline namespace v1 {
namespace detail {

/// The first exception of any member; the others are dropped.
class first_exception {
 public:
  void keep() noexcept {
    if (!taken_.exchange(true, std::memory_order_relaxed)) thrown_ = std::current_exception();  // H1
  }
  /// As if there had been one, which nobody sees.
  void keep_none() noexcept { taken_.store(true, std::memory_order_relaxed); }                    // H1
  [[nodiscard]] bool is_kept() const noexcept { return taken_.load(std::memory_order_relaxed); }  // H2
  /// After the loop.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  std::atomic<bool> taken_{false};
  std::exception_ptr thrown_;
};

/// Where the loop that this thread is about to run keeps what its cost function throws, which is called by the library.
inline constinit thread_local first_exception* catching = nullptr;

/// Says so for a while.
class catching_here {
 public:
  explicit catching_here(first_exception& here) noexcept : before_(catching) { catching = &here; }
  ~catching_here() { catching = before_; }
  catching_here(const catching_here&) = delete;
  catching_here& operator=(const catching_here&) = delete;

 private:
  first_exception* before_;
};

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
