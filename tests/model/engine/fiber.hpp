// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "stack.hpp"

namespace steelyard::model {

/// A thread of an execution: a function on its own stack, run in turns with the explorer on one thread of the machine.
/// A fiber left in the middle may be started anew; what its frames own is lost.
class fiber {
 public:
  fiber();
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  void start(void (*entry)(void*), void* argument);
  /// Runs the fiber until it pauses; `entry` must end with a pause and is not resumed then.
  void resume();
  void pause();

 private:
  static void enter();

  static constexpr std::size_t stack_bytes = std::size_t{256} * 1024;
  void* stack_;
  stack_point self_;
  stack_point explorer_;
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
  // What AddressSanitizer is told about the two stacks.
  void* explorer_fake_ = nullptr;
  void* self_fake_ = nullptr;
  const void* explorer_stack_ = nullptr;
  std::size_t explorer_bytes_ = 0;
};

}  // namespace steelyard::model
