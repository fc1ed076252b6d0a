// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

#include <steelyard/steelyard.h>
#include <steelyard/detail/needs_exceptions.hpp>
#include <steelyard/sync_tasks.hpp>

/// @file
/// Threads of one's own.
namespace steelyard {
inline namespace v1 {

/// @addtogroup pools
/// @{

/// Threads that run loops and tasks, the one that calls included. Without one, they use the process's own pool, see
/// steelyard_pool.
class pool {
 public:
  /// Begins its threads. Throws std::invalid_argument when none or too many are asked for, std::bad_alloc when there is
  /// no memory.
  /// @param threads from 1 to 32768, the caller included. The system may grant fewer: `threads()` tells.
  explicit pool(std::uint32_t threads) : handle_(steelyard_pool_create(threads)) {
    if (threads == 0) throw std::invalid_argument("a pool of 0 threads: give 1 or more");
    if (threads > 32768) throw std::invalid_argument("a pool of more than 32768 threads, or of a negative number");
    if (handle_ == nullptr) throw std::bad_alloc();
  }
  /// Ends the workers. No loop of the pool may be running.
  ~pool() { steelyard_pool_destroy(handle_); }
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  /// @return how many threads it has, the caller's included.
  [[nodiscard]] std::uint32_t threads() const noexcept { return steelyard_pool_threads(handle_); }

  /// How many ranges of iterations members of its loops have taken from others so far.
  /// @return their number; exact while no loop runs.
  [[nodiscard]] std::uint64_t steals() const noexcept { return steelyard_pool_steals(handle_); }

  /// Calls f() on this thread. Loops in it that name no pool are this one's, and so are its tasks. They have all ended when this
  /// returns, unless it is called where tasks of this pool are forked already. Waits first for what the running task has forked in
  /// another pool. What f throws is thrown.
  /// @param f called without arguments.
  template <class F>
  void run(F&& f) {
    static_assert(std::invocable<F>, "pool::run: the function cannot be called without arguments");
    struct call {
      F& f;
      std::exception_ptr thrown;
    } context{f, nullptr};
    steelyard_pool_run(
        handle_,
        [](void* at) {
          auto& it = *static_cast<call*>(at);
          const bool in_no_task = steelyard_frame_here == nullptr;
          try {
            if constexpr (std::invocable<F>) std::forward<F>(it.f)();
            if (in_no_task) sync_tasks();
          } catch (...) {
            it.thrown = std::current_exception();
          }
        },
        &context);
    if (context.thrown) std::rethrow_exception(context.thrown);
  }

  /// @return this pool for the C interface, which it owns.
  [[nodiscard]] steelyard_pool* handle() const noexcept { return handle_; }

 private:
  steelyard_pool* handle_;
};

/// How many threads a loop here and now would use.
/// @return their number, the caller's included.
[[nodiscard]] inline std::uint32_t threads() noexcept { return steelyard_pool_threads(nullptr); }

/// @}

}  // namespace v1
}  // namespace steelyard
