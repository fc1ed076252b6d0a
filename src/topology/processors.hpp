// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <array>
#include <cstddef>

namespace steelyard::topology {

/// A set of processors, as wide as any kernel's, which may be wider than cpu_set_t. It has no memory of its own, which a thread
/// that a fork leaves behind would lose.
class processors {
 public:
  static constexpr unsigned most = 8192;  ///< of Linux's configurations

  /// One that is no processor of any Linux is left out.
  void add(unsigned processor) noexcept;
  void add(const processors& others) noexcept;
  void remove(unsigned processor) noexcept;
  [[nodiscard]] bool holds(unsigned processor) const noexcept;
  [[nodiscard]] unsigned count() const noexcept;
  friend bool operator==(const processors&, const processors&) noexcept;

  /// Those that a thread may run on, by its number in the system; 0: the calling one. Empty when there is no such thread.
  [[nodiscard]] static processors of_thread(int thread) noexcept;

  /// Lets the calling thread run on these. False: the system refuses.
  bool bind_this_thread() const noexcept;

 private:
  static constexpr std::size_t word_bits = 8 * sizeof(unsigned long);
  std::array<unsigned long, most / word_bits> words_{};  ///< as cpu_set_t
};

/// What the process may run on: the main thread's mask, a deliberate `taskset` for instance. Where an OpenMP runtime binds
/// threads to places (OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY, KMP_AFFINITY; libgomp narrows the main thread when it
/// is loaded, libomp in the first region), it is all places of that runtime together.
[[nodiscard]] processors of_process();

}  // namespace steelyard::topology
