// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace steelyard::sync {

/// While it lives, its thread answers requests by calling answer(of, number): in the handler of our signal, between any two
/// operations, and in `answer_all`. Such objects are nested as the thread's calls are. `answer` must be safe in a signal
/// handler.
class answering {
 public:
  answering(void (*answer)(void* of, unsigned number), void* of, unsigned number) noexcept;
  ~answering();
  answering(const answering&) = delete;
  answering& operator=(const answering&) = delete;

  /// Answers whatever is asked of this thread, by its members in outer loops too.
  static void answer_all() noexcept;

 private:
  void (*answer_)(void*, unsigned);
  void* of_;
  unsigned number_;
  answering* outer_;
};

/// The signal by which threads interrupt each other: the highest real-time signal that the program leaves to the system, or
/// SIGUSR1 with STEELYARD_SIGNAL=USR1. The first call installs its handler (SA_RESTART, on the alternate stack where a
/// thread has one); what arrives on it and is not ours goes to the handler that was there. 0: no signal is free.
[[nodiscard]] int interrupt_signal() noexcept;

/// This thread does not block the signal.
void accept_interrupts() noexcept;

/// Interrupts a thread of this process, by its number in the system. False: the signal could not be queued (EAGAIN), or
/// there is none; the thread then answers when it next looks.
bool interrupt(pid_t thread) noexcept;

}  // namespace steelyard::sync
