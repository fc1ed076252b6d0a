// SPDX-License-Identifier: Apache-2.0
// tasks-queue: one queue with a lock for all threads, the traditional way. Who waits runs what is in the queue, the youngest
// first, or stacks would grow without bounds.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "program.hpp"

namespace {

class queue {
 public:
  explicit queue(long threads) {
    for (long i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }
  ~queue() {
    {
      const std::lock_guard locked(lock_);
      ended_ = true;
    }
    more_.notify_all();
    for (auto& each : workers_) each.join();
  }
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;

  void put(std::function<void()> task) {
    {
      const std::lock_guard locked(lock_);
      tasks_.push_back(std::move(task));
    }
    more_.notify_one();
  }

  void wait(const std::atomic<int>& left) {
    while (left != 0) {
      if (!run_one()) std::this_thread::yield();
    }
  }

 private:
  bool run_one() {
    std::unique_lock locked(lock_);
    if (tasks_.empty()) return false;
    const auto task = std::move(tasks_.back());
    tasks_.pop_back();
    locked.unlock();
    task();
    return true;
  }

  void work() {
    for (;;) {
      {
        std::unique_lock locked(lock_);
        more_.wait(locked, [this] { return ended_ || !tasks_.empty(); });
        if (ended_) return;
      }
      run_one();
    }
  }

  std::mutex lock_;
  std::condition_variable more_;
  std::deque<std::function<void()>> tasks_;
  bool ended_ = false;
  std::vector<std::thread> workers_;
};

queue* everybody = nullptr;

struct queued {
  static int fib(int n) {
    if (n < 2) return n;
    int second = 0;
    std::atomic<int> left{1};
    everybody->put([&second, &left, n] {
      second = fib(n - 2);
      --left;
    });
    const int first = fib(n - 1);
    everybody->wait(left);
    return first + second;
  }

  template <class F>
  static std::int64_t sum(int n, const F& f) {
    std::vector<std::int64_t> parts(static_cast<std::size_t>(n));
    std::atomic<int> left{n};
    for (int i = 0; i < n; ++i) {
      everybody->put([&parts, &left, &f, i] {
        parts[static_cast<std::size_t>(i)] = f(i);
        --left;
      });
    }
    everybody->wait(left);
    std::int64_t all = 0;
    for (const auto part : parts) all += part;
    return all;
  }
};

}  // namespace

int main(int argc, char** argv) {
  task_kernels::request wanted;
  wanted.parse(argc, argv, "A task kernel on a queue with a lock");
  queue tasks(wanted.threads);
  everybody = &tasks;
  return measure(wanted, [&] { return run<queued>(*wanted.what, static_cast<int>(wanted.size)); });
}
