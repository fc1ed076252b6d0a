// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "runtime/pending.hpp"
#include "runtime/task_thread.hpp"

namespace steelyard::runtime {

/// For a while, the calling thread runs another task, which has forked nothing yet.
class another_task {
 public:
  another_task() noexcept
      : hidden_(steelyard_forks == nullptr), before_(std::exchange(steelyard_frame_here, &unopened)) {
    task_thread::show_deques();
  }
  ~another_task() {
    if (hidden_) {
      steelyard_forks = nullptr;
    } else {
      task_thread::show_deques();
    }
    steelyard_frame_here = before_;
  }
  another_task(const another_task&) = delete;
  another_task& operator=(const another_task&) = delete;

 private:
  bool hidden_;
  steelyard_frame* before_;
};

}  // namespace steelyard::runtime
