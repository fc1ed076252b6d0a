// SPDX-License-Identifier: Apache-2.0
// Ordered outputs: every piece is made once and written in the order of the calls, whoever makes and writes it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <steelyard/dataflow.hpp>
#include <steelyard/pool.hpp>
#include <steelyard/task.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tasks.hpp"

namespace {

using steelyard::ordered_output;
using steelyard::pool;
using task_tests::meeting;

/// Some take a hundred times as long as others.
int make_number(int i) {
  static std::atomic<unsigned> sink{0};
  const unsigned turns = i % 7 == 0 ? 20000 : 200;
  for (unsigned turn = 0; turn < turns; ++turn) sink.store(turn, std::memory_order_relaxed);
  return i;
}

std::vector<int> first_numbers(int count) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i) all.push_back(i);
  return all;
}

TEST(OrderedOutput, WritesInTheOrderOfTheCalls) {
  for (const unsigned threads : {1U, 2U, 3U, 4U, 8U}) {
    for (const std::size_t window : {1U, 2U, 5U, 64U}) {
      pool(threads).run([=] {
        std::vector<int> written;
        ordered_output<int> out(window, [&written](int& piece) { written.push_back(piece); });
        for (int i = 0; i < 300; ++i) out.append([i](int& into) { into = make_number(i); });
        out.wait();
        EXPECT_EQ(written, first_numbers(300)) << threads << " threads, a window of " << window;
      });
    }
  }
}

TEST(OrderedOutput, Stress) {
  pool workers(8);
  for (int round = 0; round < 20; ++round) {
    workers.run([round] {
      constexpr int count = 2000;
      std::vector<int> written;
      std::array<std::atomic<int>, count> made{};
      ordered_output<int> out(static_cast<std::size_t>(1 + round),
                              [&written](const int& piece) { written.push_back(piece); });
      for (int i = 0; i < count; ++i) {
        out.append([i, &made](int& into) {
          into = i;
          ++made[static_cast<std::size_t>(i)];
        });
        if (i % 500 == 499) out.wait();
      }
      out.wait();
      ASSERT_EQ(written, first_numbers(count));
      for (const auto& each : made) ASSERT_EQ(each, 1);
    });
  }
}

/// Four threads make the first four pieces at the same time.
TEST(OrderedOutput, AllThreadsMakePieces) {
  pool(4).run([] {
    std::array<meeting, 4> all;
    bool met = true;
    ordered_output<bool> out(4, [&met](bool& piece) { met = met && piece; });
    for (auto& mine : all) {
      out.append([&](bool& into) {
        mine.come();
        into = std::all_of(all.begin(), all.end(), [](meeting& each) { return each.wait(); });
      });
    }
    out.wait();
    EXPECT_TRUE(met);
  });
}

/// Who has made piece 0 writes piece 1, too, whose maker has gone on to piece 2 meanwhile.
TEST(OrderedOutput, WhoMakesTheNextMissingPieceWrites) {
  pool(2).run([] {
    meeting later;
    std::array<std::thread::id, 2> made, written;
    ordered_output<int> out(3, [&](const int& piece) {
      if (piece < 2) written[static_cast<std::size_t>(piece)] = std::this_thread::get_id();
    });
    out.append([&](int& into) {
      into = 0;
      made[0] = std::this_thread::get_id();
      EXPECT_TRUE(later.wait());
    });
    out.append([&](int& into) {
      into = 1;
      made[1] = std::this_thread::get_id();
    });
    out.append([&](int& into) {
      into = 2;
      later.come();
    });
    out.wait();
    EXPECT_NE(made[0], made[1]);
    EXPECT_EQ(written[0], made[0]);
    EXPECT_EQ(written[1], made[0]);
  });
}

/// None is begun before the one that lies a window before it has been written, and each thread begins the oldest.
TEST(OrderedOutput, WindowAndOrderOfBeginning) {
  for (const int window : {1, 2, 6}) {
    pool(4).run([window] {
      std::atomic<int> written{0}, wrong{0};
      std::mutex lock;
      std::map<std::thread::id, int> last;
      ordered_output<int> out(static_cast<std::size_t>(window), [&written](int&) { ++written; });
      for (int i = 0; i < 500; ++i) {
        out.append([&, i](int&) {
          if (written < i + 1 - window) ++wrong;
          const std::lock_guard locked(lock);
          const auto [mine, is_first] = last.try_emplace(std::this_thread::get_id(), i);
          if (!is_first && mine->second >= i) ++wrong;
          mine->second = i;
          make_number(i);
        });
        if (written < i + 1 - window) ++wrong;
      }
      out.wait();
      EXPECT_EQ(written, 500);
      EXPECT_EQ(wrong, 0);
    });
  }
}

TEST(OrderedOutput, PiecesAreUsedAgain) {
  pool(3).run([] {
    std::vector<const void*> buffers;
    ordered_output<std::string> out(4, [&buffers](std::string& piece) { buffers.push_back(piece.data()); });
    for (int i = 0; i < 100; ++i) out.append([](std::string& into) { into.assign(1000, 'x'); });
    out.wait();
    ASSERT_EQ(buffers.size(), 100U);
    for (std::size_t i = 4; i < 100; ++i) EXPECT_EQ(buffers[i], buffers[i - 4]);
  });
}

/// What only moves, as a piece, in a task, and out of what is written.
TEST(OrderedOutput, MovesOnly) {
  pool(3).run([] {
    std::vector<std::unique_ptr<int>> taken;
    using piece = std::unique_ptr<int>;
    ordered_output<piece> out(3, [&taken](piece& made) { taken.push_back(std::move(made)); });
    for (int i = 0; i < 100; ++i) {
      out.append([mine = std::make_unique<int>(i)](piece& into) mutable {
        EXPECT_EQ(into, nullptr);
        into = std::move(mine);
      });
    }
    out.wait();
    ASSERT_EQ(taken.size(), 100U);
    for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(*taken[i], static_cast<int>(i));
  });
}

/// A later piece throws first; an earlier one throws, and that is what the sequential program throws.
TEST(OrderedOutput, TheFirstInOrderIsThrown) {
  for (const std::size_t window : {2U, 8U}) {
    pool(2).run([window] {
      meeting later;
      std::vector<int> written;
      ordered_output<int> out(window, [&written](const int& piece) { written.push_back(piece); });
      for (int i = 0; i < 10; ++i) {
        if (i == 4) out.wait();  // both have to find room
        out.append([&later, i](int& into) {
          into = i;
          if (i == 4) {
            EXPECT_TRUE(later.wait());
            throw std::runtime_error("4");
          }
          if (i == 5) {
            later.come();
            throw std::runtime_error("5");
          }
        });
      }
      for (int twice = 0; twice < 2; ++twice) {
        try {
          out.wait();
          ADD_FAILURE();
        } catch (const std::runtime_error& thrown) {
          EXPECT_STREQ(thrown.what(), "4");
        }
      }
      EXPECT_TRUE(out.has_failed());
      EXPECT_EQ(written, first_numbers(4));
    });
  }
}

TEST(OrderedOutput, PiecesBehindAFailureAreDropped) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    pool(threads).run([threads] {
      const auto held = std::make_shared<int>();
      std::atomic<int> begun{0};
      std::vector<int> written;
      ordered_output<int> out(6, [&written](const int& piece) { written.push_back(piece); });
      int appended = 0;
      for (; !out.has_failed() && appended < 1'000'000; ++appended) {
        out.append([&begun, held, i = appended](int& into) {
          into = i;
          ++begun;
          if (i == 50) throw std::runtime_error("50");
        });
      }
      EXPECT_LE(appended, 57);
      for (int i = 0; i < 20; ++i) out.append([&begun, held](int&) { ++begun; });
      EXPECT_THROW(out.wait(), std::runtime_error);
      EXPECT_EQ(written, first_numbers(50)) << threads;
      EXPECT_LE(begun, 57);
      EXPECT_EQ(held.use_count(), 1) << "what tasks hold has gone";
    });
  }
}

TEST(OrderedOutput, TheWriterThrows) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    pool(threads).run([] {
      std::vector<int> written;
      ordered_output<int> out(6, [&written](const int& piece) {
        if (piece == 20) throw std::runtime_error("full");
        written.push_back(piece);
      });
      for (int i = 0; i < 100; ++i) {
        out.append([i](int& into) {
          into = make_number(i);
          if (i == 23) throw std::logic_error("23");
        });
      }
      EXPECT_THROW(out.wait(), std::runtime_error);
      EXPECT_TRUE(out.has_failed());
      EXPECT_EQ(written, first_numbers(20));
    });
  }
}

/// Who appends gets what copying throws, and the output goes on.
TEST(OrderedOutput, ATaskThatCannotBeCopied) {
  struct picky {
    picky() = default;
    picky(const picky&) { throw std::bad_alloc(); }
    void operator()(int&) const {}
  };
  pool(2).run([] {
    std::vector<int> written;
    ordered_output<int> out(2, [&written](const int& piece) { written.push_back(piece); });
    const picky no;
    for (int i = 0; i < 10; ++i) {
      EXPECT_THROW(out.append(no), std::bad_alloc);
      out.append([i](int& into) { into = i; });
    }
    out.wait();
    EXPECT_EQ(written, first_numbers(10));
  });
}

TEST(OrderedOutput, ItsEndWaits) {
  std::atomic<int> written{0};
  pool(3).run([&written] {
    ordered_output<int> out(8, [&written](int&) { ++written; });
    for (int i = 0; i < 100; ++i) out.append([i](int&) { make_number(i); });
  });
  EXPECT_EQ(written, 100);
  pool(3).run([&written] {
    ordered_output<int> out(8, [&written](int&) { ++written; });
    out.append([](int&) { throw std::runtime_error("dropped"); });
  });
  EXPECT_EQ(written, 100);
}

TEST(OrderedOutput, OfNothing) {
  ordered_output<int> out(0, [](int&) { ADD_FAILURE(); });
  out.wait();
  EXPECT_FALSE(out.has_failed());
}

TEST(OrderedOutput, OutsideOfAnyPool) {
  std::vector<int> written;
  ordered_output<int> out(4, [&written](const int& piece) { written.push_back(piece); });
  for (int i = 0; i < 100; ++i) out.append([i](int& into) { into = make_number(i); });
  out.wait();
  EXPECT_EQ(written, first_numbers(100));
}

/// One thread needs no window: a piece is made and written when it is appended.
TEST(OrderedOutput, OnOneThreadAtOnce) {
  pool(1).run([] {
    int written = 0;
    ordered_output<int> out(16, [&written](int&) { ++written; });
    for (int i = 0; i < 10; ++i) {
      out.append([](int&) {});
      EXPECT_EQ(written, i + 1);
    }
    out.wait();
  });
}

/// A piece of a piece, and what it forks has ended before it is written; the output's own tasks come after forked ones.
TEST(OrderedOutput, AmongOtherTasks) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      steelyard::shared<int> before(0);
      const auto add_one = [](steelyard::rw<int> what) { *what += 1; };
      steelyard::fork_task(add_one, before);
      std::string all;
      ordered_output<std::string> out(4, [&all](std::string& piece) { all += piece; });
      for (int i = 0; i < 40; ++i) {
        steelyard::fork_task(add_one, before);
        out.append([i](std::string& into) {
          into = std::to_string(task_tests::fib(10 + i % 3)) + ":";
          ordered_output<char> inner(2, [&into](char& piece) { into += piece; });
          for (char c = 'a'; c < 'e'; ++c) inner.append([c](char& letter) { letter = c; });
          inner.wait();
          steelyard::shared<std::string*> end(&into);
          for (int n = 0; n < 3; ++n) {
            steelyard::fork_task([n](steelyard::rw<std::string*> what) { **what += std::to_string(n); }, end);
          }
        });
      }
      out.wait();
      steelyard::sync_tasks();
      EXPECT_EQ(*before, 41);
      std::string expected;
      for (int i = 0; i < 40; ++i)
        expected += std::array{"55", "89", "144"}[static_cast<std::size_t>(i % 3)] + std::string(":abcd012");
      EXPECT_EQ(all, expected);
    });
  }
}

/// What a piece forks throws where the piece would.
TEST(OrderedOutput, WhatAPieceForksThrows) {
  pool(2).run([] {
    std::atomic<int> written{0};
    ordered_output<int> out(4, [&written](int&) { ++written; });
    for (int i = 0; i < 10; ++i) {
      out.append([i](int&) {
        if (i == 5) steelyard::fork_task([] { throw std::runtime_error("forked"); });
      });
    }
    EXPECT_THROW(out.wait(), std::runtime_error);
    EXPECT_EQ(written, 5);
  });
}

}  // namespace
