// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// What rewritten units know of this library: the structures of tools/rewriter/prelude.h, which a test compares with these.
namespace steelyard::openmp::compiled {

/// `loop::flags`.
inline constexpr int reduces = 1;            ///< a reduction whose grouping may be noticed
inline constexpr int costs_are_equal = 2;    ///< whatever the iteration (Opt2)
inline constexpr int costs_are_guarded = 4;  ///< they stand under a condition that nobody knows before (Opt3)
inline constexpr int costs_have_keys = 8;    ///< what has the same key has the same costs as before (Opt1)
inline constexpr int asks = 16;              ///< questions for thread numbers are the program's, none is GCC's
inline constexpr int is_named = 32;          ///< of the runtime's: the program says dynamic or guided
inline constexpr int keeps_blocks = 64;      ///< where they end can be noticed

inline constexpr int most_terms = 3;

/// A loop of the source.
struct loop {
  const char* file;
  int line;
  int kind;
  int flags;
  int granule;
  int sampled;
  int terms;
  double seed;
  double seeds[most_terms];
};
inline constexpr int any_schedule = 0;
inline constexpr int one_share = 1;
inline constexpr int of_runtime = 2;  ///< the program leaves it to the runtime; only its costs are told here

/// `part::more`.
inline constexpr int nothing = 0;
inline constexpr int block = 1;      ///< begin to end, and nothing more is to be told
inline constexpr int asking = 2;     ///< of a loop of ours
inline constexpr int own_block = 3;  ///< begin to end, and we want to know when it is through
inline constexpr int through = 4;    ///< it is

struct part {
  std::uint64_t begin;
  std::uint64_t end;
  void* known;
  int more;
  int last;
};

struct costs {
  std::uint64_t at;
  std::uint64_t behind;
  std::uint64_t next;
  std::uint64_t counted;
  double sums[most_terms];
  void* known;
  std::uint32_t step;
  std::uint32_t bin;
  std::uint32_t bin_behind;
  std::uint32_t member;
};

struct table {
  int (*member)();
  int (*members)();
  void (*begin)(part*, const loop*, std::uint64_t iterations, int member, const void* from);
  int (*next)(part*);
  int (*costs_begin)(costs*, const loop*, std::uint64_t iterations, std::uint64_t key);
  void (*costs_next)(costs*);
  void (*costs_end)(costs*);
  int (*costs_asked)(const loop*, std::uint64_t iterations);
};

}  // namespace steelyard::openmp::compiled
