/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of every type, over ranges of every shape, under every clause:
 * each iteration must run exactly once. */
#include "harness.h"

#include <limits.h>
#include <stddef.h>

__extension__ typedef __int128 wide;
typedef unsigned long long ull;
typedef signed char schar;

#define POW2(e) ((wide)1 << (e))

/* for (i = first; i < bound or i > bound; i += step); a negative step goes down. */
struct range {
  wide first, bound, step;
};

/* Each type runs the ranges that it can count through. */
static const struct range ranges[] = {
    {0, 0, 1},
    {5, 5, -1},
    {7, 3, 1},
    {3, 7, -1},
    {0, 1, 1},
    {1, 0, -1},
    {0, 2, 1},
    {0, 3, 1},
    {9, 100, 90},
    {0, 100, 1},
    {0, 100, 3},
    {100, 0, -1},
    {100, 0, -7},
    {120, 1, -7},
    {1, 121, 3},
    {-50, 50, 1},
    {-100, 100, 3},
    {100, -100, -1},
    {100, -100, -7},
    {-1, -100, -7},
    {-128, 127, 1},
    {127, -128, -1},
    {0, 255, 1},
    {0, 1000, 1},
    {1000, 0, -7},
    {-3000, -1, 3},
    {-300, 2500, 1},
    {32767, 30000, -7},
    {-32768, 32767, 64},
    /* int and unsigned: wider than 2^31, and at the ends */
    {-POW2(31), POW2(31) - 1, POW2(21) + 1},
    {POW2(31) - 1, -POW2(31), -POW2(21) - 7},
    {-POW2(31), POW2(31) - 1, POW2(31) - 1},
    {POW2(31) - 1, -POW2(31), -POW2(31) + 1},
    {-POW2(31), -POW2(31) + 500, 1},
    {POW2(31) - 500, POW2(31) - 1, 1},
    {POW2(31) - 300, POW2(31) + 300, 1},
    {POW2(31) + 300, POW2(31) - 300, -7},
    {0, POW2(32) - 1, POW2(22) + 3},
    {POW2(32) - 1, 0, -POW2(22) - 3},
    {POW2(32) - 500, POW2(32) - 1, 1},
    {0, POW2(32) - 1, POW2(31) + 5},
    {POW2(32) - 300, POW2(32) + 300, 1},
    /* 64 bits */
    {-POW2(40), -POW2(40) + 700, 1},
    {-POW2(62), POW2(62), POW2(54) + 3},
    {POW2(62), -POW2(62), -POW2(54) - 3},
    {-POW2(63), POW2(63) - 1, POW2(55) + 1},
    {POW2(63) - 1, -POW2(63), -POW2(55) - 1},
    {-POW2(63), POW2(63) - 1, POW2(63) - 1},
    {POW2(63) - 1, -POW2(63), -POW2(63) + 1},
    {-POW2(63), -POW2(63) + 400, 1},
    {POW2(63) - 400, POW2(63) - 1, 1},
    {POW2(63) - 300, POW2(63) + 300, 1},
    {POW2(63) + 300, POW2(63) - 300, -1},
    {POW2(63) + 300, POW2(63) - 300, -7},
    {POW2(64) - 500, POW2(64) - 1, 1},
    {POW2(64) - 1, POW2(64) - 500, -1},
    {POW2(64) - 1, POW2(64) - 5000, -7},
    {0, POW2(64) - 1, POW2(56) - 1},
    {POW2(64) - 1, 0, -POW2(56)},
    {0, POW2(63) + 10, POW2(63) - 1},
    {0, POW2(64) - 2, POW2(63) - 1},
    {3, POW2(63) - 1, POW2(63)},
    {2, POW2(64) - 9, POW2(63) - 5},
    {POW2(64) - 1, 5, -POW2(63) + 1},
    {POW2(64) - 3, POW2(63) - 1, -POW2(63)},
    {POW2(64) - 1, 300, -POW2(56)},
    {0, POW2(64) - POW2(56), POW2(56) - 1},
    {0, POW2(64) - 1, POW2(63)},
    {1, POW2(64) - 1, POW2(63) + 5},
    {POW2(64) - 1, 0, -POW2(63) + 1},
    {POW2(64) - 1, 0, -POW2(63)},
    {POW2(64) - 1, 0, -POW2(63) - 5},
};

static uint64_t trip_count(const struct range* r) {
  wide span = r->step > 0 ? r->bound - r->first : r->first - r->bound;
  wide step = r->step > 0 ? r->step : -r->step;
  return span > 0 ? (uint64_t)((span + step - 1) / step) : 0;
}

/* plain: conforming.  wide: the span exceeds the largest value of a signed type, so
 * the specification leaves the trip count to chance, yet people write it and both
 * runtimes mostly cope.  wrap: unsigned 64-bit loops so wide that the step after the last, the textbook
 * trip count (span + step - 1) / step, or chunk * step overflows. */
enum shape { plain, is_wide, wrap, unfit };

static enum shape shape_of(const struct range* r, wide least, wide most) {
  wide step = r->step > 0 ? r->step : -r->step;
  wide span = r->step > 0 ? r->bound - r->first : r->first - r->bound;
  wide past = r->first + (wide)trip_count(r) * r->step;
  if (r->first < least || r->first > most || r->bound < least || r->bound > most || step > most) {
    return unfit;
  }
  if (most == POW2(64) - 1 && span + 8 * step > most) {
    return wrap;
  }
  if (past < least || past > most) {
    return unfit;
  }
  if (r->step < 0 && most == UINT_MAX) {
    return unfit; /* see unsigned_falling_CTAG */
  }
  return span > most ? is_wide : plain;
}

/* The loops of one type and clause; st is positive in both directions. */
typedef void loop_function(const struct range* r, struct cover* c);

#define UP_BODY(T)                                          \
  for (T i = first; i < bound; i += step) {                 \
    uint64_t far = (uint64_t)i - (uint64_t)first;           \
    cover_hit(c, far % step64 == 0 ? far / step64 : ~0ULL); \
  }
#define DOWN_BODY(T)                                        \
  for (T i = first; i > bound; i -= step) {                 \
    uint64_t far = (uint64_t)first - (uint64_t)i;           \
    cover_hit(c, far % step64 == 0 ? far / step64 : ~0ULL); \
  }
#define UNPACK(T, sign)                             \
  const T first = (T)r->first, bound = (T)r->bound; \
  const T step = (T)(sign r->step);                 \
  const uint64_t step64 = (uint64_t)(sign r->step)

#define DEFINE_LOOPS(TAG, T, CTAG, ...)                                                               \
  static void TAG##_up_##CTAG(const struct range* r, struct cover* c) {                               \
    UNPACK(T, +);                                                                                     \
    OMP(parallel) {                                                                                   \
            OMP(for __VA_ARGS__)                                                                      \
      UP_BODY(T)                                                                                      \
    }                                                                                                 \
  }                                                                                                   \
  static void TAG##_down_##CTAG(const struct range* r, struct cover* c) {                             \
    UNPACK(T, -);                                                                                     \
    OMP(parallel) {                                                                                   \
            OMP(for __VA_ARGS__)                                                                      \
      DOWN_BODY(T)                                                                                    \
    }                                                                                                 \
  }                                                                                                   \
  static void TAG##_up_combined_##CTAG(const struct range* r, struct cover* c) {                      \
    UNPACK(T, +);                                                                                     \
        OMP(parallel for __VA_ARGS__)                                                                 \
    UP_BODY(T)                                                                                        \
  }                                                                                                   \
  static void TAG##_down_combined_##CTAG(const struct range* r, struct cover* c) {                    \
    UNPACK(T, -);                                                                                     \
        OMP(parallel for __VA_ARGS__)                                                                 \
    DOWN_BODY(T)                                                                                      \
  }                                                                                                   \
  DEFINE_CONSTANT_STEPS(TAG, T, CTAG, __VA_ARGS__)                                                    \
  static void TAG##_in_shape_##CTAG(enum shape shape) {                                               \
    wide least = TAG##_least, most = TAG##_most;                                                      \
    run_ranges(shape, least, most, TAG##_up_##CTAG, TAG##_down_##CTAG, "separate");                   \
    run_ranges(shape, least, most, TAG##_up_combined_##CTAG, TAG##_down_combined_##CTAG, "combined"); \
  }                                                                                                   \
  static void TAG##_##CTAG(void) {                                                                    \
    TAG##_in_shape_##CTAG(plain);                                                                     \
    TAG##_constant_##CTAG(TAG##_low);                                                                 \
  }

/* Steps known to the compiler, inclusive bounds, several loops in one region. */
#define DEFINE_CONSTANT_STEPS(TAG, T, CTAG, ...)                     \
  static void TAG##_constant_##CTAG(T low) {                         \
    struct cover c[4];                                               \
    cover_open(&c[0], 100);                                          \
    cover_open(&c[1], 34);                                           \
    cover_open(&c[2], TAG##_falls ? 100 : 0);                        \
    cover_open(&c[3], TAG##_falls ? 15 : 0);                         \
    OMP(parallel) {                                                  \
            OMP(for __VA_ARGS__)                                     \
      for (T i = low; i <= (T)(low + 99); i++) {                     \
        cover_hit(&c[0], (uint64_t)i - (uint64_t)low);               \
      }                                                              \
            OMP(for __VA_ARGS__)                                     \
      for (T i = low; i < (T)(low + 100); i += 3) {                  \
        cover_hit(&c[1], ((uint64_t)i - (uint64_t)low) / 3);         \
      }                                                              \
      if (TAG##_falls) {                                             \
            OMP(for __VA_ARGS__)                                     \
        for (T i = (T)(low + 110); i >= (T)(low + 11); i--) {        \
          cover_hit(&c[2], (uint64_t)i - (uint64_t)low - 11);        \
        }                                                            \
            OMP(for __VA_ARGS__)                                     \
        for (T i = (T)(low + 110); i > (T)(low + 10); i -= 7) {      \
          cover_hit(&c[3], ((uint64_t)low + 110 - (uint64_t)i) / 7); \
        }                                                            \
      }                                                              \
    }                                                                \
    cover_close(&c[0], "i <= , i++");                                \
    cover_close(&c[1], "i < , i += 3");                              \
    cover_close(&c[2], "i >= , i--");                                \
    cover_close(&c[3], "i > , i -= 7");                              \
  }

static void run_ranges(enum shape shape, wide least, wide most, loop_function* up, loop_function* down,
                       const char* form) {
  for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
    const struct range* r = &ranges[k];
    if (shape_of(r, least, most) == shape) {
      struct cover c;
      cover_open(&c, trip_count(r));
      (r->step > 0 ? up : down)(r, &c);
      cover_close(&c, "%s, range %d, from %lld step %lld", form, (int)k, (long long)r->first, (long long)r->step);
    }
  }
}

/* tag, type, least, most, a value from which 110 can be added */
#define TYPES(X)                                      \
  X(schar, schar, SCHAR_MIN, SCHAR_MAX, -100)         \
  X(short, short, SHRT_MIN, SHRT_MAX, 1)              \
  X(int, int, INT_MIN, INT_MAX, -20)                  \
  X(unsigned, unsigned, 0, UINT_MAX, (1U << 31) - 50) \
  X(long, long, LONG_MIN, LONG_MAX, -5000000000L)     \
  X(llong, long long, LLONG_MIN, LLONG_MAX, -40)      \
  X(ull, ull, 0, ULLONG_MAX, (1ULL << 63) - 50)

#define DEFINE_LIMITS(TAG, T, LEAST, MOST, LOW)                           \
  static const T TAG##_least = LEAST, TAG##_most = MOST, TAG##_low = LOW; \
  enum { TAG##_falls = sizeof(T) != sizeof(unsigned) || LEAST < 0 };
TYPES(DEFINE_LIMITS)

#define DEFINE_schar(CTAG, ...) DEFINE_LOOPS(schar, schar, CTAG, __VA_ARGS__)
#define DEFINE_short(CTAG, ...) DEFINE_LOOPS(short, short, CTAG, __VA_ARGS__)
#define DEFINE_int(CTAG, ...) DEFINE_LOOPS(int, int, CTAG, __VA_ARGS__)
#define DEFINE_unsigned(CTAG, ...) DEFINE_LOOPS(unsigned, unsigned, CTAG, __VA_ARGS__)
#define DEFINE_long(CTAG, ...) DEFINE_LOOPS(long, long, CTAG, __VA_ARGS__)
#define DEFINE_llong(CTAG, ...) DEFINE_LOOPS(llong, long long, CTAG, __VA_ARGS__)
#define DEFINE_ull(CTAG, ...) DEFINE_LOOPS(ull, ull, CTAG, __VA_ARGS__)

ALL_CLAUSES(DEFINE_schar)
ALL_CLAUSES(DEFINE_short)
ALL_CLAUSES(DEFINE_int)
ALL_CLAUSES(DEFINE_unsigned)
ALL_CLAUSES(DEFINE_long)
ALL_CLAUSES(DEFINE_llong)
ALL_CLAUSES(DEFINE_ull)

/* Apart, because GCC 12 hands the downward step of an unsigned int loop to the runtime
 * as a huge upward one: such a loop runs never, or once. */
#define DEFINE_UNSIGNED_DOWN(CTAG, ...)                        \
  static void unsigned_falling_##CTAG(void) {                  \
    struct cover c[2];                                         \
    cover_open(&c[0], 1023);                                   \
    cover_open(&c[1], 300);                                    \
    OMP(parallel) {                                            \
            OMP(for __VA_ARGS__)                               \
      for (unsigned i = UINT_MAX; i > 4194304; i -= 4194304) { \
        cover_hit(&c[0], (UINT_MAX - i) / 4194304);            \
      }                                                        \
            OMP(for __VA_ARGS__)                               \
      for (unsigned i = 300; i > 0; i--) {                     \
        cover_hit(&c[1], 300 - i);                             \
      }                                                        \
            OMP(for __VA_ARGS__)                               \
      for (unsigned i = 3; i > 7; i--) {                       \
        fail("an empty loop ran i = %u", i);                   \
      }                                                        \
    }                                                          \
    cover_close(&c[0], "from the maximum, i -= 4194304");      \
    cover_close(&c[1], "to 0, i--");                           \
  }
ALL_CLAUSES(DEFINE_UNSIGNED_DOWN)

#define CASE_schar(CTAG, ...) {"schar." #CTAG, schar_##CTAG},
#define CASE_short(CTAG, ...) {"short." #CTAG, short_##CTAG},
#define CASE_int(CTAG, ...) {"int." #CTAG, int_##CTAG},
#define CASE_unsigned(CTAG, ...) {"unsigned." #CTAG, unsigned_##CTAG},
#define CASE_long(CTAG, ...) {"long." #CTAG, long_##CTAG},
#define CASE_llong(CTAG, ...) {"llong." #CTAG, llong_##CTAG},
#define CASE_ull(CTAG, ...) {"ull." #CTAG, ull_##CTAG},

#define TAKEABLE_CLAUSES(X) DYNAMIC_CLAUSES(X) MONOTONIC_CLAUSES(X)
#define DEFINE_SHAPES(CTAG, ...)                                          \
  static void schar_wide_##CTAG(void) { schar_in_shape_##CTAG(is_wide); } \
  static void int_wide_##CTAG(void) { int_in_shape_##CTAG(is_wide); }     \
  static void long_wide_##CTAG(void) { long_in_shape_##CTAG(is_wide); }   \
  static void ull_wrap_##CTAG(void) { ull_in_shape_##CTAG(wrap); }
TAKEABLE_CLAUSES(DEFINE_SHAPES)
#define CASE_SHAPES(CTAG, ...)                                                    \
  {"schar-wide." #CTAG, schar_wide_##CTAG}, {"int-wide." #CTAG, int_wide_##CTAG}, \
      {"long-wide." #CTAG, long_wide_##CTAG}, {"ull-wrap." #CTAG, ull_wrap_##CTAG},
#define CASE_UNSIGNED_DOWN(CTAG, ...) {"unsigned-down." #CTAG, unsigned_falling_##CTAG},

static const struct test_case cases[] = {ALL_CLAUSES(CASE_schar) ALL_CLAUSES(CASE_short) ALL_CLAUSES(CASE_int)
                                             ALL_CLAUSES(CASE_unsigned) ALL_CLAUSES(CASE_long) ALL_CLAUSES(CASE_llong)
                                                 ALL_CLAUSES(CASE_ull) ALL_CLAUSES(CASE_UNSIGNED_DOWN)
                                                     TAKEABLE_CLAUSES(CASE_SHAPES)};

int main(int argc, char** argv) { return RUN_CASES(argc, argv, cases); }
