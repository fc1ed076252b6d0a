// SPDX-License-Identifier: Apache-2.0
// Small right programs, for ThreadSanitizer, with a library that is not built with it; and a wrong one.   programs NAME
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <steelyard/dataflow.hpp>
#include <steelyard/loop.hpp>
#include <steelyard/task.hpp>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace steelyard;

const loop_options shared_loop{.always_parallel = true};
constexpr int rounds = 30;

/// Some work, so that the others come.
long busy(long i) {
  volatile long all = i;
  for (int k = 0; k < 200; ++k) all = all + k;
  return all;
}

bool loop() {
  std::vector<long> all(20'000);
  for (int round = 0; round < rounds; ++round) {
    parallel_for(
        0, 20'000, [&](int i) { all[static_cast<std::size_t>(i)] = i + round; }, shared_loop);
    long sum = 0;
    for (const long each : all) sum += each;
    if (sum != 19'999L * 10'000 + 20'000L * round) return false;
  }
  return true;
}

bool idws_loop() {
  std::vector<long> all(2'000);
  for (const char* schedule : {"idws", "wsri", "dynamic,4", "guided"}) {
    for (int round = 0; round < rounds; ++round) {
      parallel_for(0, 2'000, [&](int i) { all[static_cast<std::size_t>(i)] = busy(i); },
                   {.schedule = schedule, .always_parallel = true});
      if (all[3] != busy(3)) return false;
    }
  }
  return true;
}

bool reduction() {
  for (int round = 0; round < rounds; ++round) {
    for (const order how : {order::any, order::fixed}) {
      const auto sum = parallel_reduce(
          0, 10'000, std::string(), [](int i) { return std::string(i % 100 == 0, 'x'); }, std::plus<>{}, shared_loop,
          how);
      if (sum.size() != 100) return false;
    }
  }
  return true;
}

bool scan() {
  std::vector<long> all(100'000, 1);
  for (int round = 0; round < rounds; ++round) {
    std::vector<long> sums(all.size());
    parallel_scan(all.begin(), all.end(), sums.begin(), 0L, std::plus<>{}, shared_loop);
    if (sums.back() != 100'000) return false;
  }
  return true;
}

long fib(long n) {
  if (n < 2) return n + busy(n) * 0;
  const auto [a, b] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}
bool join_by_value() { return fib(18) == 2584; }

long fib_of(const std::string& n) {
  if (n.size() < 2) return static_cast<long>(n.size()) + busy(1) * 0;
  long a = 0;
  std::string b;
  join([&] { a = fib_of(n.substr(1)); }, [&] { b = std::to_string(fib_of(n.substr(2))); });
  return a + std::stol(b);
}
bool join_by_reference() { return fib_of(std::string(16, 'x')) == 987; }

bool family() {
  std::vector<long> all(1000);
  for (int round = 0; round < rounds; ++round) {
    join_each(1000, [&](std::size_t i) { all[i] = busy(round); });
    const auto text = join_reduce(1000, std::string(), [&](std::size_t i) { return std::string(all[i] != 0, 'x'); });
    if (text.size() != 1000) return false;
  }
  return true;
}

bool group() {
  std::vector<std::string> results(200);
  for (int round = 0; round < rounds; ++round) {
    task_group tasks;
    for (auto& each : results) {
      tasks.spawn([&each, &tasks] {
        each = std::to_string(busy(1));
        tasks.spawn([&each] { each += "!"; });
      });
    }
    tasks.wait();
    for (const auto& each : results) {
      if (each.back() != '!') return false;
    }
  }
  return true;
}

bool futures() {
  for (int round = 0; round < rounds; ++round) {
    task_group tasks;
    std::vector<future<std::string>> sums;
    for (int i = 0; i < 50; ++i) {
      const auto a = tasks.async([i] { return std::to_string(i + 0 * busy(i)); });
      const auto b = tasks.async([] { return std::make_unique<long>(busy(2)); });
      sums.push_back(tasks.after([](const std::string& x, const auto& y) { return x + (*y != 0 ? "!" : "?"); }, a, b));
    }
    tasks.wait();
    for (const auto& each : sums) {
      if (each.get().back() != '!') return false;
    }
  }
  return true;
}

void append(rw<std::string> to, int digit) { *to += static_cast<char>('0' + digit % 10 + 0 * busy(digit)); }
void copy(r<std::string> from, w<std::string> to) { *to = *from; }
struct plus {
  void operator()(long& into, long more) const { into += more; }
};

bool dataflow() {
  for (int round = 0; round < rounds; ++round) {
    shared<std::string> chains[4] = {shared<std::string>(), shared<std::string>(), shared<std::string>(),
                                     shared<std::string>()};
    shared<std::string> last(renaming);
    shared<long> sum(0L);
    for (int i = 0; i < 400; ++i) {
      fork_task(append, chains[i % 4], i / 4);
      if (i % 16 == 0) fork_task(copy, chains[i % 4], last);
      fork_task([](cw<long, plus> to) { to.add(busy(1) * 0 + 1); }, sum);
    }
    sync_tasks();
    if (chains[3]->size() != 100 || *sum != 400 || last->empty()) return false;
  }
  return true;
}

bool pools() {
  std::vector<long> all(1000);
  for (int round = 0; round < 5; ++round) {
    pool own(3);
    own.run([&] {
      parallel_for(
          0, 1000, [&](int i) { all[static_cast<std::size_t>(i)] = busy(i); }, shared_loop);
      static_cast<void>(fib(12));
    });
    if (all[999] != busy(999)) return false;
  }
  return true;
}

bool nested() {
  std::vector<std::vector<long>> all(20, std::vector<long>(500));
  for (int round = 0; round < rounds; ++round) {
    parallel_for(
        0, 20,
        [&](int i) {
          auto& row = all[static_cast<std::size_t>(i)];
          parallel_for(
              0, 500, [&](int j) { row[static_cast<std::size_t>(j)] = busy(j); }, shared_loop);
          if (row[7] != busy(7)) throw std::logic_error("nested");
          static_cast<void>(join([&] { return busy(row[1]); }, [&] { return busy(row[2]); }));
        },
        shared_loop);
  }
  return true;
}

bool stop() {
  std::stop_source source;
  std::vector<long> all(20'000);
  const bool done = parallel_for(0, 20'000,
                                 [&](int i) {
                                   all[static_cast<std::size_t>(i)] = busy(i);
                                   if (i == 700) source.request_stop();
                                 },
                                 {.always_parallel = true, .stop = source.get_token()});
  return !done && all[700] != 0;
}

bool exceptions() {
  int caught = 0;
  for (int round = 0; round < rounds; ++round) {
    try {
      parallel_for(
          0, 1000,
          [&](int i) {
            if (busy(i) != 0 && i == 500 + round) throw std::runtime_error(std::to_string(i));
          },
          shared_loop);
    } catch (const std::runtime_error& error) {
      caught += error.what() == std::to_string(500 + round) ? 1 : 0;
    }
    try {
      join([] { static_cast<void>(busy(1)); }, [] { throw std::runtime_error("half"); });
    } catch (const std::runtime_error& error) {
      caught += std::strcmp(error.what(), "half") == 0 ? 1 : 0;
    }
  }
  return caught == 2 * rounds;
}

/// Waits until two threads have been there, which does not order what they do.
class meeting {
 public:
  void come() {
    std::thread::id nobody{};
    first_.compare_exchange_strong(nobody, std::this_thread::get_id(), std::memory_order_relaxed);
    if (first_.load(std::memory_order_relaxed) != std::this_thread::get_id()) {
      are_two_.store(true, std::memory_order_relaxed);
    }
  }
  void wait() {
    while (!are_two_.load(std::memory_order_relaxed)) std::this_thread::yield();
  }

 private:
  std::atomic<std::thread::id> first_{};
  std::atomic<bool> are_two_{};
};

/// Two iterations write the same variable.
bool race() {
  long same = 0;
  meeting both;
  parallel_for(
      0, 2'000,
      [&](int i) {
        same = busy(i);
        both.come();
        both.wait();  // in the first iteration of the first thread, so that there is one left for another
        same = busy(i);
      },
      shared_loop);
  return same != 0;
}
/// So do two halves of a join.
bool race_of_halves() {
  long same = 0;
  meeting both;
  const auto half = [&] {
    same = busy(1);
    both.come();
    both.wait();
    same = busy(2);
  };
  join(half, half);
  return same != 0;
}

struct program {
  const char* name;
  bool (*run)();
};
constexpr program programs[] = {
    {"loop", loop},
    {"idws_loop", idws_loop},
    {"reduction", reduction},
    {"scan", scan},
    {"join_by_value", join_by_value},
    {"join_by_reference", join_by_reference},
    {"family", family},
    {"group", group},
    {"futures", futures},
    {"dataflow", dataflow},
    {"pools", pools},
    {"nested", nested},
    {"stop", stop},
    {"exceptions", exceptions},
    {"race", race},
    {"race_of_halves", race_of_halves},
};

}  // namespace

/// Without a name: lists them.
int main(int count, char** arguments) {
  for (const auto& each : programs) {
    if (count < 2) std::puts(each.name);
    if (count == 2 && std::strcmp(arguments[1], each.name) == 0) return each.run() ? 0 : 1;
  }
  return count < 2 ? 0 : 2;
}
