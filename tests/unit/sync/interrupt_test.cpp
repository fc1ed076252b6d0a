// SPDX-License-Identifier: Apache-2.0
#include "sync/interrupt.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

namespace {

using steelyard::sync::accept_interrupts;
using steelyard::sync::answering;
using steelyard::sync::interrupt;
using steelyard::sync::interrupt_signal;

std::atomic<int> answers[3];

void count(void*, unsigned number) { answers[number].fetch_add(1, std::memory_order_relaxed); }

bool becomes(const std::atomic<int>& value, int at_least) {
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30); value < at_least;) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

void reset() {
  for (auto& each : answers) each = 0;
}

TEST(Interrupt, AnswersInnermostAndOuter) {
  reset();
  accept_interrupts();
  const answering outer(count, nullptr, 0);
  ASSERT_TRUE(interrupt(gettid()));
  EXPECT_TRUE(becomes(answers[0], 1));
  {
    const answering inner(count, nullptr, 1);
    answering::answer_all();
    EXPECT_EQ(answers[0], 2);
    EXPECT_EQ(answers[1], 1);
  }
  answering::answer_all();
  EXPECT_EQ(answers[0], 3);
  EXPECT_EQ(answers[1], 1);
}

TEST(Interrupt, ReachesAThreadThatComputes) {
  reset();
  std::atomic<pid_t> thread{0};
  std::atomic<bool> over{false};
  std::thread other([&] {
    accept_interrupts();
    const answering here(count, nullptr, 0);
    thread = gettid();
    while (!over) {
    }
  });
  while (thread == 0) std::this_thread::yield();
  for (int i = 1; i <= 100; ++i) {
    ASSERT_TRUE(interrupt(thread));
    ASSERT_TRUE(becomes(answers[0], i));
  }
  over = true;
  other.join();
  // A thread that is joined has still to leave the kernel's table of threads.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (interrupt(thread) && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_FALSE(interrupt(thread)) << "a thread that has ended";
}

TEST(Interrupt, OnAThreadWithNothingToAnswer) {
  reset();
  accept_interrupts();
  EXPECT_TRUE(interrupt(gettid()));
  EXPECT_EQ(answers[0], 0);
}

TEST(Interrupt, TakesARealTimeSignal) {
  EXPECT_GE(interrupt_signal(), SIGRTMIN);
  EXPECT_LE(interrupt_signal(), SIGRTMAX);
  sigset_t blocked;
  sigfillset(&blocked);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  std::thread([] {
    accept_interrupts();
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    EXPECT_EQ(sigismember(&mask, interrupt_signal()), 0);
    EXPECT_EQ(sigismember(&mask, SIGTERM), 1);
  }).join();
  pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
}

/// Answering objects that come and go while interrupts arrive are seen whole.
TEST(Interrupt, StormWhileMembersComeAndGo) {
  reset();
  std::atomic<pid_t> thread{0};
  std::atomic<bool> over{false};
  std::thread other([&] {
    accept_interrupts();
    thread = gettid();
    while (!over) {
      const answering outer(count, nullptr, 0);
      const answering inner(count, nullptr, 1);
    }
  });
  while (thread == 0) std::this_thread::yield();
  int sent = 0;
  for (int i = 0; i < 20000; ++i) sent += interrupt(thread) ? 1 : 0;
  over = true;
  other.join();
  EXPECT_GT(sent, 0);
  EXPECT_LE(answers[1], answers[0] + sent);
}

}  // namespace
