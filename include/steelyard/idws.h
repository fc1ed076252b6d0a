// SPDX-License-Identifier: Apache-2.0
#ifndef STEELYARD_IDWS_H
#define STEELYARD_IDWS_H

#include <omp.h>
#include <stdint.h>

#include <steelyard/steelyard.h>

// Interrupt-driven work sharing in existing `omp parallel` regions, for C++11 and later; link with libsteelyard. The names
// and their use are those of Rokos, Gorman & Kelly, section 4:
//
//     IDWS::IDWS_Initialize();
//     int nthreads = omp_get_max_threads();
//     #pragma omp parallel
//     {
//       int tid = omp_get_thread_num();
//       IDWS_prologue(TYPE, VAR, SIZE)
//         do_something(VAR);
//       IDWS_epilogue
//     }
//     IDWS::IDWS_Finalize();
//
// stands for `#pragma omp for nowait` over `for (TYPE VAR = 0; VAR < SIZE; ++VAR)`. Every thread of the region runs every
// such loop, in the same order, and none inside another of the same region. There is no barrier at its end: write
// `#pragma omp barrier` where one is needed. `continue` ends an iteration; `break`, `return` and exceptions leave the loop
// and drop what this thread had not begun. Regions that are begun at the same time by threads which OpenMP did not start
// must not run such loops at the same time.

namespace IDWS {

/// Nothing is left to prepare; there for programs written for the paper's header.
inline void IDWS_Initialize() {}
/// Nothing is left to end.
inline void IDWS_Finalize() {}

/// What tells this team apart from others that are active.
inline uint64_t this_team() {
  uint64_t key = 0;
  for (int level = 1; level < omp_get_level(); ++level) {
    key = (key ^ static_cast<uint64_t>(omp_get_ancestor_thread_num(level) + 1)) * 0x100000001b3u;
  }
  return key;
}

/// Iterations of a loop from 0 that is written with this end.
template <class Size>
uint64_t size_of(Size end) {
  return Size(0) < end ? static_cast<uint64_t>(end) : 0;
}

/// One thread in one loop.
class loop {
 public:
  loop(int nthreads, int tid, uint64_t iterations) : i_(0) {
    (void)nthreads;  // the team may be smaller than was asked for
    steelyard_idws_enter(&at_, this_team(), static_cast<uint32_t>(omp_get_num_threads()), static_cast<uint32_t>(tid),
                         iterations);
  }
  ~loop() { steelyard_idws_leave(&at_); }
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;

  /// Claims the next iteration: two moves.
  bool next() {
    if (at_.head != nullptr) {
      i_ = at_.at;
      __atomic_store_n(at_.head, i_ + 1, __ATOMIC_RELAXED);
      if (at_.fence != 0) __atomic_thread_fence(__ATOMIC_SEQ_CST);
      if (__builtin_expect(i_ + 1 <= __atomic_load_n(at_.end, __ATOMIC_RELAXED), 1)) {
        at_.at = i_ + 1;
        return true;
      }
    }
    if (steelyard_idws_claim(&at_) == 0) return false;
    i_ = at_.at++;
    return true;
  }

  uint64_t iteration() const { return i_; }

 private:
  steelyard_idws at_;
  uint64_t i_;
};

}  // namespace IDWS

#define IDWS_prologue(TYPE, VAR, SIZE)                                                      \
  for (::IDWS::loop idws_loop_(nthreads, tid, ::IDWS::size_of(SIZE)); idws_loop_.next();) { \
    TYPE VAR = static_cast<TYPE>(idws_loop_.iteration());                                   \
    (void)VAR;

#define IDWS_epilogue }

#endif
