// SPDX-License-Identifier: Apache-2.0
// Regions that pass, inside a small runtime of pthreads: several threads fork them at once, while others say what may.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <thread>
#include <vector>

#include "gomp.hpp"
#include "openmp/kmp/names.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/team/passing.hpp"
#include "openmp/team/team.hpp"

extern "C" {
void __kmpc_push_num_threads(steelyard::openmp::kmp::ident* where, std::int32_t thread, std::int32_t threads);
void __kmpc_fork_call(steelyard::openmp::kmp::ident* where, std::int32_t count,
                      void (*body)(std::int32_t*, std::int32_t*, ...), ...);
int omp_get_thread_num();
int omp_get_num_threads();
}

namespace steelyard::openmp {
namespace {

constexpr unsigned members = 3;
constexpr int regions = 200;

struct counts {
  std::atomic<int> members{0};
  std::atomic<int> numbers{0};
  std::atomic<int> unseen{0};
};

void count(counts& to) {
  EXPECT_EQ(omp_get_num_threads(), static_cast<int>(members));
  to.numbers += omp_get_thread_num();
  ++to.members;
  if (self.top == nullptr || self.top->team == nullptr) ++to.unseen;
}

void gomp_body(void* data) { count(*static_cast<counts*>(data)); }

kmp::ident where{0, 2, 0, 0, ";passing_regions_test.cpp;;1;1;;"};

void kmp_body(std::int32_t* thread, std::int32_t* bound, ...) {
  std::va_list list;
  va_start(list, bound);
  auto& to = *va_arg(list, counts*);
  va_end(list);
  EXPECT_EQ(*thread, *bound);
  count(to);
}

struct gomp_fork {
  static const void* body() { return reinterpret_cast<const void*>(gomp_body); }
  static void run(counts& to) { GOMP_parallel(gomp_body, &to, members, 0); }
};

struct kmp_fork {
  static const void* body() { return reinterpret_cast<const void*>(kmp_body); }
  static void run(counts& to) {
    __kmpc_push_num_threads(&where, 0, members);
    __kmpc_fork_call(&where, 1, kmp_body, &to);
  }
};

template <class Fork>
class PassingRegions : public testing::Test {
 protected:
  void SetUp() override {
    config.active = true;
    forget_passes();
    counts nothing;
    Fork::run(nothing);  // finds the runtime
    EXPECT_EQ(nothing.unseen, 0);
  }

  static void let(std::uint32_t more) {
    while (!is_idle(Fork::body())) continue;
    let_pass(Fork::body(), more);
  }

  static void expect_all(const counts& found, int forks) {
    EXPECT_EQ(found.members, forks * static_cast<int>(members));
    EXPECT_EQ(found.numbers, forks * 3);
  }
};

using forks = testing::Types<gomp_fork, kmp_fork>;
TYPED_TEST_SUITE(PassingRegions, forks);

TYPED_TEST(PassingRegions, MembersFindNoRegionOfTheirs) {
  this->let(regions / 2);
  counts found;
  for (int i = 0; i < regions; ++i) TypeParam::run(found);
  this->expect_all(found, regions);
  EXPECT_EQ(found.unseen, regions / 2 * static_cast<int>(members));
}

TYPED_TEST(PassingRegions, SeveralThreadsForkThemAtOnce) {
  constexpr int hosts = 3;
  counts found;
  std::atomic<int> running{hosts};
  std::vector<std::thread> all;
  for (int host = 0; host < hosts; ++host) {
    all.emplace_back([&] {
      for (int i = 0; i < regions; ++i) TypeParam::run(found);
      --running;
    });
  }
  while (running != 0) {
    this->let(5);
    std::this_thread::yield();
    forget_passes();
  }
  for (auto& each : all) each.join();
  this->expect_all(found, hosts * regions);
}

}  // namespace
}  // namespace steelyard::openmp
