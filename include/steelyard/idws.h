// SPDX-License-Identifier: Apache-2.0
#ifndef STEELYARD_IDWS_H
#define STEELYARD_IDWS_H

#include <omp.h>
#include <stdint.h>

#include <steelyard/steelyard.h>

/// @file
/// Loops that the threads of an `omp parallel` region share, for C++11 and later; link with libsteelyard.

/// @addtogroup idws
/// Names and use are those of Rokos, Gorman & Kelly, section 4 (who write `#include "IDWS.h"`, which works, too):
///
///     IDWS::IDWS_Initialize();
///     int nthreads = omp_get_max_threads();
///     #pragma omp parallel
///     {
///       int tid = omp_get_thread_num();
///       IDWS_prologue(TYPE, VAR, SIZE)
///         do_something(VAR);
///       IDWS_epilogue
///     }
///     IDWS::IDWS_Finalize();
///
/// stands for `#pragma omp for nowait` over `for (TYPE VAR = 0; VAR < SIZE; ++VAR)`. Every thread of the region runs every
/// such loop, in the same order, and none inside another of the same region. There is no barrier at its end: write
/// `#pragma omp barrier` where one is needed. `continue` ends an iteration; `break`, `return` and exceptions leave the loop
/// and drop what this thread had not begun. Regions that are begun at the same time by threads which OpenMP did not start
/// must not run such loops at the same time.
///
/// A thread that finds nothing goes on looking while any other has iterations to give. With `#define IDWS_ONE_TRY` before
/// the include, or STEELYARD_ONE_TRY=1 in the environment, it leaves the loop when it is refused once, as in the paper.
/// @{

/// What programs for the paper's header call.
namespace IDWS {

/// Nothing is left to prepare; there for programs written for the paper's header.
inline void IDWS_Initialize() {}
/// Nothing is left to end.
inline void IDWS_Finalize() {}

/// @cond

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
  loop(int nthreads, int tid, uint64_t iterations, uint32_t flags) : is_left_(false) {
    static_cast<void>(nthreads);  // the team may be smaller than was asked for
    steelyard_idws_enter(&at_, this_team(), static_cast<uint32_t>(omp_get_num_threads()), static_cast<uint32_t>(tid),
                         iterations, flags);
  }
  ~loop() { steelyard_idws_leave(&at_); }
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;

  /// Claims the next iterations, by two moves as a rule: how many, says steelyard_range. False: there are none, or a block has
  /// not been run to its end.
  bool next() {
    if (is_left_) return false;
    steelyard_range& mine = at_.range;
    if (mine.at < mine.until) {
      const uint64_t behind = mine.at + mine.step;
      __atomic_store_n(mine.head, behind, __ATOMIC_RELAXED);                             // R3
      if (mine.fence != 0) __atomic_thread_fence(__ATOMIC_SEQ_CST);                      // R4
      if (__builtin_expect(behind <= __atomic_load_n(mine.end, __ATOMIC_RELAXED), 1)) {  // R5
        claimed_.first = mine.at;
        claimed_.count = mine.step;
        mine.at = behind;
        return true;
      }
    }
    claimed_ = steelyard_idws_claim(&at_);
    return claimed_.count != 0;
  }

 private:
  friend class block;
  steelyard_idws at_;
  steelyard_piece claimed_;
  bool is_left_;  ///< by `break`
};

/// The iterations claimed at once; in an object of its own, so that compilers keep them in registers.
class block {
 public:
  explicit block(loop& of) : of_(of), at_(of.claimed_.first), end_(of.claimed_.first + of.claimed_.count) {}
  ~block() { of_.is_left_ = at_ != end_; }
  block(const block&) = delete;
  block& operator=(const block&) = delete;

  bool goes_on() const { return at_ != end_; }
  void step() { ++at_; }
  uint64_t iteration() const { return at_; }

 private:
  loop& of_;
  uint64_t at_;
  uint64_t end_;
};

/// @endcond

}  // namespace IDWS

/// @cond
#ifdef IDWS_ONE_TRY
#define IDWS_FLAGS STEELYARD_ONE_TRY
#else
#define IDWS_FLAGS 0u
#endif
/// @endcond

/// Begins a loop `for (TYPE VAR = 0; VAR < SIZE; ++VAR)`; the body follows. Uses the variables `nthreads` and `tid`. O(threads)
/// for the first that comes, O(1) for others; no lock and, as a rule, no heap.
/// @param TYPE an integer type
/// @param VAR the name of the index
/// @param SIZE how many iterations; none where it is not above 0
#define IDWS_prologue(TYPE, VAR, SIZE)                                                                \
  for (::IDWS::loop idws_loop_(nthreads, tid, ::IDWS::size_of(SIZE), IDWS_FLAGS); idws_loop_.next();) \
    for (::IDWS::block idws_block_(idws_loop_); idws_block_.goes_on(); idws_block_.step()) {          \
      TYPE VAR = static_cast<TYPE>(idws_block_.iteration());                                          \
      static_cast<void>(VAR);

/// Ends the body of such a loop.
#define IDWS_epilogue }

/// @}

#endif
