// SPDX-License-Identifier: Apache-2.0
// What the drop-in learns of the times of chunks, for schedules that go by them. The host is the runtime of pthreads in
// tests/stress, time is made up.
#include "openmp/measure/chunk_times.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "../made_up_clock.hpp"
#include "chosen_for_all.hpp"
#include "gomp.hpp"
#include "schedules/registry.hpp"

namespace {

namespace openmp = steelyard::openmp;
namespace schedules = steelyard::schedules;

constexpr long iterations = 4096;

struct counted {
  std::atomic<long> ran{0};
  std::atomic<int> chunks{0};
};

/// A site for each Place. All iterations take a microsecond.
template <int Place>
[[gnu::noinline]] int chunks_of_instance(unsigned threads = 2) {
  counted found;
  GOMP_parallel(
      [](void* data) {
        auto& of = *static_cast<counted*>(data);
        long from = 0;
        long to = 0;
        for (bool more = GOMP_loop_nonmonotonic_dynamic_start(0, iterations, 1, 1, &from, &to); more;
             more = GOMP_loop_nonmonotonic_dynamic_next(&from, &to)) {
          of.ran += to - from;
          ++of.chunks;
          made_up_clock::work(std::chrono::microseconds(to - from));
        }
        GOMP_loop_end_nowait();
      },
      &found, threads, 0);
  asm volatile("" ::"r"(Place));
  EXPECT_EQ(found.ran, iterations);
  return found.chunks;
}

/// What does not vary needs no more than a chunk for each member.
TEST(ChunkTimes, OfOneInstanceAreKnownInTheNext) {
  openmp::choose_for_all("fac");
  EXPECT_GT(chunks_of_instance<1>(), 8);
  EXPECT_EQ(chunks_of_instance<1>(), 2);
  EXPECT_EQ(chunks_of_instance<1>(), 2);
}

TEST(ChunkTimes, AreThoseOfASite) {
  openmp::choose_for_all("fac");
  EXPECT_GT(chunks_of_instance<2>(), 8);
  EXPECT_GT(chunks_of_instance<3>(), 8) << "another loop";
  EXPECT_EQ(chunks_of_instance<2>(4), 4) << "in a team of another size";
}

TEST(ChunkTimes, AreNotWantedByOthers) {
  openmp::choose_for_all("factoring");
  const int chunks = chunks_of_instance<4>();
  EXPECT_EQ(chunks_of_instance<4>(), chunks);
  for (const auto& row : schedules::all()) {
    if (row.feedback != nullptr) continue;
    for (auto* each = openmp::first_site(); each != nullptr; each = each->next) {
      EXPECT_FALSE(openmp::is_to_be_timed(row, *each)) << row.about.name;
    }
  }
}

}  // namespace
