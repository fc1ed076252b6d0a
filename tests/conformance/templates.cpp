// SPDX-License-Identifier: Apache-2.0
// C++ forms: templates over counters and clauses, iterators, exceptions, lambdas, members.
#include "harness.h"

#include <omp.h>

#include <limits>
#include <stdexcept>
#include <vector>

namespace {

using Wide = unsigned long long;

template <typename Counter>
Wide distance(Counter from, Counter to) {
  return static_cast<Wide>(to) - static_cast<Wide>(from);
}

#define DEFINE_TEMPLATES(CTAG, ...)                                                \
  template <typename Counter>                                                      \
  void count_##CTAG(Counter first, Counter bound, Counter step) {                  \
    cover c;                                                                       \
    cover_open(&c, (distance(first, bound) + Wide(step) - 1) / Wide(step));        \
        OMP(parallel for __VA_ARGS__)                                              \
    for (Counter i = first; i < bound; i += step) {                                \
      cover_hit(&c, distance(first, i) / Wide(step));                              \
    }                                                                              \
    cover_close(&c, "a template over counters of %d bytes", int(sizeof(Counter))); \
  }                                                                                \
  void templates_##CTAG() {                                                        \
    count_##CTAG<signed char>(-40, 40, 1);                                         \
    count_##CTAG<unsigned char>(0, 120, 3);                                        \
    count_##CTAG<short>(-600, 600, 7);                                             \
    count_##CTAG<unsigned short>(0, 65000, 100);                                   \
    count_##CTAG<int>(-1000, 1000, 3);                                             \
    count_##CTAG<unsigned>(7, 4000000000U, 9999999U);                              \
    count_##CTAG<long>(-5000000000L, 5000000000L, 99999999L);                      \
    count_##CTAG<unsigned long>(1UL << 63, (1UL << 63) + 500, 1);                  \
    count_##CTAG<Wide>((Wide(1) << 63) - 200, (Wide(1) << 63) + 200, 3);           \
  }                                                                                \
  void iterators_##CTAG() {                                                        \
    std::vector<int> values(777, 1);                                               \
    std::vector<char> flags(300, 0);                                               \
        OMP(parallel for __VA_ARGS__)                                              \
    for (auto it = values.begin(); it < values.end(); it += 2) {                   \
      *it += int(it - values.begin());                                             \
    }                                                                              \
        OMP(parallel for __VA_ARGS__)                                              \
    for (char& flag : flags) {                                                     \
      flag++;                                                                      \
    }                                                                              \
        OMP(parallel for __VA_ARGS__)                                              \
    for (char* p = flags.data() + 299; p >= flags.data(); p--) {                   \
      (*p)++;                                                                      \
    }                                                                              \
    for (int i = 0; i < 777; i++) {                                                \
      int right = i % 2 ? 1 : 1 + i;                                               \
      EXPECT(values[std::size_t(i)] == right, "iterator: element %d", i);          \
    }                                                                              \
    for (std::size_t i = 0; i < flags.size(); i++) {                               \
      EXPECT(flags[i] == 2, "range-for and pointer: element %d", int(i));          \
    }                                                                              \
  }                                                                                \
  void exceptions_##CTAG() {                                                       \
    cover c;                                                                       \
    long caught = 0;                                                               \
    cover_open(&c, 400);                                                           \
    OMP(parallel reduction(+ : caught)) {                                          \
            OMP(for __VA_ARGS__)                                                   \
      for (int i = 0; i < 400; i++) {                                              \
        try {                                                                      \
          cover_hit(&c, Wide(i));                                                  \
          if (i % 5 == 0) {                                                        \
            throw std::runtime_error("five");                                      \
          }                                                                        \
        } catch (const std::exception&) {                                          \
          caught++;                                                                \
        }                                                                          \
      }                                                                            \
    }                                                                              \
    cover_close(&c, "exceptions caught in the iteration");                         \
    EXPECT(caught == 80, "%ld exceptions of 80", caught);                          \
  }                                                                                \
  void lambdas_##CTAG() {                                                          \
    struct Summer {                                                                \
      long total = 0;                                                              \
      void add(int count) {                                                        \
        long sum = 0;                                                              \
                OMP(parallel for reduction(+ : sum) __VA_ARGS__)                   \
        for (int i = 0; i < count; i++) {                                          \
          auto part = [&sum](int value) { sum += value; };                         \
          part(i);                                                                 \
        }                                                                          \
        total += sum;                                                              \
      }                                                                            \
    } summer;                                                                      \
    for (int count = 0; count < 60; count++) {                                     \
      summer.add(count);                                                           \
    }                                                                              \
    EXPECT(summer.total == 34220, "members and lambdas: %ld", summer.total);       \
  }
ALL_CLAUSES(DEFINE_TEMPLATES)

// An object whose copy the last iteration leaves behind.
struct Tracked {
  int value = -1;
  Tracked() = default;
  Tracked(const Tracked&) = default;
  Tracked& operator=(const Tracked&) = default;
  ~Tracked() { value = -2; }
};

#define DEFINE_OBJECTS(CTAG, ...)                                                               \
  void objects_##CTAG() {                                                                       \
    for (int run = 0; run < 60; run++) {                                                        \
      Tracked object;                                                                           \
      int count = 1 + run;                                                                      \
            OMP(parallel for lastprivate(object) __VA_ARGS__)                                   \
      for (int i = 0; i < count; i++) {                                                         \
        if (i < count / 2 && i % 4 == 0) {                                                      \
          linger(8);                                                                            \
        }                                                                                       \
        object.value = i;                                                                       \
      }                                                                                         \
      EXPECT(object.value == count - 1, "run %d: lastprivate object is %d", run, object.value); \
    }                                                                                           \
  }
ALL_CLAUSES(DEFINE_OBJECTS)

#define CASES(CTAG, ...)                                                            \
  {"templates." #CTAG, templates_##CTAG}, {"iterators." #CTAG, iterators_##CTAG},   \
      {"exceptions." #CTAG, exceptions_##CTAG}, {"lambdas." #CTAG, lambdas_##CTAG}, \
      {"objects." #CTAG, objects_##CTAG},
const test_case cases[] = {ALL_CLAUSES(CASES)};

}  // namespace

int main(int argc, char** argv) { return RUN_CASES(argc, argv, cases); }
