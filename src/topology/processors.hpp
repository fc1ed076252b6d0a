// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <cstddef>
#include <vector>

namespace steelyard::topology {

/// A set of processors, as wide as needed: the kernel's may be wider than cpu_set_t.
class processors {
 public:
  void add(unsigned processor);
  void add(const processors& others);
  void remove(unsigned processor) noexcept;
  [[nodiscard]] bool holds(unsigned processor) const noexcept;
  [[nodiscard]] unsigned count() const noexcept;
  friend bool operator==(const processors&, const processors&) noexcept;

  /// Those that a thread may run on, by its number in the system; 0: the calling one. Empty when there is no such thread.
  [[nodiscard]] static processors of_thread(int thread);

  /// Lets the calling thread run on these. False: the system refuses.
  bool bind_this_thread() const noexcept;

 private:
  static constexpr std::size_t word_bits = 8 * sizeof(unsigned long);
  std::vector<unsigned long> words_;  ///< as cpu_set_t; never ends with 0
};

/// What the process may run on: the main thread's mask, a deliberate `taskset` for instance. Where an OpenMP runtime binds
/// threads to places (OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY, KMP_AFFINITY; libgomp narrows the main thread when it
/// is loaded, libomp in the first region), it is all places of that runtime together.
[[nodiscard]] processors of_process();

}  // namespace steelyard::topology
