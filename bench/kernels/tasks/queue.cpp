// SPDX-License-Identifier: Apache-2.0
// tasks-queue: one queue with a lock for all threads, the traditional way. Who waits runs what is in the queue, the youngest
// first. That piles wait upon wait, so every thread gets a stack that is large enough.
#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

#include "program.hpp"

namespace {

pthread_t start(void* (*run)(void*), void* context) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{8} << 30);
  pthread_t thread{};
  if (pthread_create(&thread, &attributes, run, context) != 0)
    bad_input("no thread with a stack of 8 GiB can be started");
  pthread_attr_destroy(&attributes);
  return thread;
}

class queue {
 public:
  explicit queue(long threads) {
    for (long i = 1; i < threads; ++i)
      workers_.push_back(start(
          [](void* self) -> void* {
            static_cast<queue*>(self)->work();
            return nullptr;
          },
          this));
  }
  ~queue() {
    {
      const std::lock_guard locked(lock_);
      ended_ = true;
    }
    more_.notify_all();
    for (const auto each : workers_) pthread_join(each, nullptr);
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
      if (!run_one()) sched_yield();
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
  std::vector<pthread_t> workers_;
};

queue* everybody = nullptr;

struct queued : task_kernels::sum_of_parts<queued> {
  static int fib(int n) {
    if (n < 2) return n;
    int first = 0, second = 0;
    both([&first, n] { first = fib(n - 1); }, [&second, n] { second = fib(n - 2); });
    return first + second;
  }
  template <class F, class G>
  static void both(const F& f, const G& g) {
    std::atomic<int> left{1};
    everybody->put([&g, &left] {
      g();
      --left;
    });
    f();
    everybody->wait(left);
  }
  template <class F>
  static void each(int n, const F& f) {
    std::atomic<int> left{n};
    for (int i = 0; i < n; ++i) {
      everybody->put([&left, &f, i] {
        f(i);
        --left;
      });
    }
    everybody->wait(left);
  }
};

}  // namespace

int main(int argc, char** argv) {
  struct context {
    task_kernels::request wanted;
    int status;
  } here{};
  here.wanted.parse(argc, argv, "A task kernel on a queue with a lock");
  const auto main_thread = start(
      [](void* at) -> void* {
        auto& it = *static_cast<context*>(at);
        queue tasks(it.wanted.threads);
        everybody = &tasks;
        it.status = measure<queued>(it.wanted, [](const auto& f) { f(); });
        return nullptr;
      },
      &here);
  pthread_join(main_thread, nullptr);
  return here.status;
}
