// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace steelyard::model {

/// Where a flow of control stands that another one replaced: `swap` leaves into `from` and goes on with `to`.
class stack_point {
 public:
  /// Will call `entry`, which never returns, at the top of this memory.
  void prepare(void* memory, std::size_t bytes, void (*entry)());
  static void swap(stack_point& from, stack_point& to);

 private:
#if defined(__x86_64__)
  // ucontext asks the kernel about signal masks at every switch: half of the time of an exploration.
  void* top_ = nullptr;
#else
  ucontext_t context_{};
#endif
};

}  // namespace steelyard::model
