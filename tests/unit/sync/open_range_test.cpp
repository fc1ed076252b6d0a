// SPDX-License-Identifier: Apache-2.0
// The open range between real threads; tests/model/open_range_test.cpp has all orders of a few steps.
#include "sync/open_range.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "sync/interrupt.hpp"
#include "sync/real.hpp"

namespace {

using steelyard::sync::answering;
using steelyard::sync::piece;
using steelyard::sync::real;
using steelyard::sync::reply;
using range = steelyard::sync::open_range<real>;

enum class how { take, ring, sleep, interrupt, queue, take_back };

/// Members that share one range, all dealt to the first.
class team {
 public:
  team(std::uint64_t iterations, unsigned members, how way) : way_(way), ran_(iterations), threads_(members) {
    real::prepare_membarrier();
    for (unsigned m = 0; m < members; ++m) {
      const auto end = m == 0 ? iterations : 0;
      ranges_.push_back(std::make_unique<range>(0, end));
    }
  }

  range& operator()(std::uint32_t m) { return *ranges_[m]; }

  /// How many iterations did not run once.
  std::size_t run() {
    std::vector<std::thread> members;
    for (unsigned m = 0; m < ranges_.size(); ++m) members.emplace_back([this, m] { take_part(m); });
    for (auto& member : members) member.join();
    std::size_t wrong = 0;
    for (const auto& times : ran_) wrong += times == 1 ? 0 : 1;
    return wrong;
  }

 private:
  void take_part(unsigned m) {
    threads_[m] = gettid();
    steelyard::sync::accept_interrupts();
    const answering here(
        [](void* of, unsigned number) {
          auto& self = *static_cast<team*>(of);
          self(number).answer(self);
        },
        this, m);
    if ((*this)(m).arrive()) own(m);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (done_ < ran_.size() && std::chrono::steady_clock::now() < end) {
      for (unsigned v = 0; v < ranges_.size(); ++v) {
        if (v != m && (*this)(v).left() >= 2) steal(m, v);
      }
      std::this_thread::yield();
    }
  }

  void own(unsigned m) {
    for (std::uint64_t n = 1;; n = n % 3 + 1) {
      const piece mine = (*this)(m).claim(n, *this);
      if (mine.count == 0) return;
      for (auto i = mine.first; i < mine.first + mine.count; ++i) ++ran_[i];
      done_ += mine.count;
    }
  }

  void steal(unsigned m, unsigned victim) {
    range& mine = (*this)(m);
    range& theirs = (*this)(victim);
    mine.want_all(way_ == how::take_back);
    const bool asked = way_ == how::queue ? mine.queue(theirs, m) : mine.ask(theirs, m);
    if (!asked) return;
    if (way_ == how::take) {
      mine.take(theirs, *this);
    } else {
      mine.ring(theirs);
    }
    if (way_ == how::interrupt) steelyard::sync::interrupt(threads_[victim]);
    auto answer = mine.hear();
    for (; answer == reply::none; answer = mine.hear()) {
      if (way_ == how::sleep) {
        mine.sleep();
      } else {
        std::this_thread::yield();
      }
    }
    if (answer != reply::given) return;
    mine.reopen();
    own(m);
  }

  how way_;
  std::vector<std::unique_ptr<range>> ranges_;
  std::vector<std::atomic<int>> ran_;
  std::vector<std::atomic<pid_t>> threads_;
  std::atomic<std::size_t> done_{0};
};

class OpenRange : public testing::TestWithParam<how> {};

TEST_P(OpenRange, EachIterationOnce) {
  for (const unsigned members : {2U, 3U, 5U}) {
    for (int round = 0; round < 20; ++round) {
      team shared(3000, members, GetParam());
      ASSERT_EQ(shared.run(), 0U) << members << " members, round " << round;
    }
  }
}

TEST_P(OpenRange, FewIterations) {
  for (std::uint64_t iterations = 1; iterations < 6; ++iterations) {
    for (int round = 0; round < 60; ++round) {
      team shared(iterations, 3, GetParam());
      ASSERT_EQ(shared.run(), 0U) << iterations << " iterations, round " << round;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, OpenRange,
                         testing::Values(how::take, how::ring, how::sleep, how::interrupt, how::queue, how::take_back));

}  // namespace
