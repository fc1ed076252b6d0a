// SPDX-License-Identifier: Apache-2.0
// What a program and its plug-ins do, each with its own copy of the library: everything that the library keeps of a thread or a pool
// takes part.
#pragma once
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <steelyard/dataflow.hpp>
#include <steelyard/loop.hpp>
#include <steelyard/pool.hpp>
#include <steelyard/task.hpp>

/// What a plug-in shows of itself.
struct plug_in {
  long (*work)(void (*inside)(void* context), void* context);
  const void* library;    ///< an address in its copy
  unsigned (*threads)();  ///< of the pool that its copy keeps for the process
};

namespace {

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = steelyard::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

void append(steelyard::rw<std::string> text, char letter) { *text += letter; }

/// 1 for each part that went well, 5 in all. `inside` is called in a loop, in a task, in one of dataflow and in a pool of its own.
long work(void (*inside)(void* context), void* context) {
  using namespace steelyard;
  std::vector<long> all(1000);
  parallel_for(0, 1000,
               [&](int i) {
                 if (i == 500) inside(context);
                 all[static_cast<std::size_t>(i)] = i;
               },
               {.always_parallel = true});
  long well = std::accumulate(all.begin(), all.end(), 0L) == 499500 ? 1 : 0;

  long from_task = 0;
  scope([&](task_group& tasks) {
    tasks.spawn([&] {
      inside(context);
      from_task = fib(12);
    });
  });
  well += from_task == 144 ? 1 : 0;

  shared<std::string> text;
  for (char letter = 'a'; letter <= 'e'; ++letter) fork_task(append, text, letter);
  fork_task(
      [inside, context](rw<std::string> whole) {
        inside(context);
        *whole += "f";
      },
      text);
  sync_tasks();
  well += *text == "abcdef" ? 1 : 0;

  pool own(2);
  std::atomic<long> sum{0};
  own.run([&] {
    inside(context);
    parallel_for(0, 100, [&](int i) { sum += i; }, {.always_parallel = true});
  });
  well += sum == 4950 && own.threads() == 2 ? 1 : 0;

  try {
    parallel_for(0, 100,
                 [&](int i) {
                   if (i == 7) throw std::runtime_error("seven");
                 },
                 {.always_parallel = true});
  } catch (const std::runtime_error& error) {
    well += error.what() == std::string("seven") ? 1 : 0;
  }
  return well;
}

}  // namespace
