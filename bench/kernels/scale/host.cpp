// SPDX-License-Identifier: Apache-2.0
// scale-host: measures what this machine charges for lines of memory that threads share, and prints its description for scale-replay.
// With --table also what is behind it: a line of memory between the first core and each other one, and a counter that all add to.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "common/arguments.h"
#include "topology/processors.hpp"
#include "work.hpp"

namespace {

struct alignas(128) word {
  std::atomic<std::uint64_t> value{0};
};

using steelyard::topology::processors;

std::vector<unsigned> allowed() {
  const auto mine = steelyard::topology::of_process();
  std::vector<unsigned> found;
  for (unsigned cpu = 0; cpu < processors::most; ++cpu) {
    if (mine.holds(cpu)) found.push_back(cpu);
  }
  return found;
}

void pin(unsigned cpu) {
  processors one;
  one.add(cpu);
  if (!one.bind_this_thread()) bad_input("no thread can be bound to processor %u", cpu);
}

/// Two threads write one word in turn. Nanoseconds from one write to the next: the line comes to the reader, and then to the writer.
double ns_of_hop(unsigned first, unsigned second) {
  constexpr std::uint64_t trips = 4000;
  constexpr std::uint64_t batches = 9;
  word shared;
  const auto play = [&shared](std::uint64_t turn, std::uint64_t end) {
    for (; turn < end; turn += 2) {
      while (shared.value.load(std::memory_order_acquire) != turn) {
      }
      shared.value.store(turn + 1, std::memory_order_release);
    }
  };
  std::thread other([&] {
    pin(second);
    play(1, 2 * trips * batches);
  });
  pin(first);
  std::vector<double> found;
  for (std::uint64_t batch = 0; batch < batches; ++batch) {
    const auto began = work::clock::now();
    play(2 * trips * batch, 2 * trips * (batch + 1));
    found.push_back(work::ns_since(began) / (2 * trips));
  }
  other.join();
  return work::median_of(found);
}

/// A counter in a line of one's own.
double ns_of_update() {
  constexpr int times = 100000;
  word own;
  std::vector<double> found;
  for (int batch = 0; batch < 9; ++batch) {
    const auto began = work::clock::now();
    for (int i = 0; i < times; ++i) own.value.fetch_add(1, std::memory_order_relaxed);
    found.push_back(work::ns_since(began) / times);
  }
  return work::median_of(found);
}

/// So many threads add to one counter, with work of so many steps between: nanoseconds from one addition to the next.
double ns_of_addition(const std::vector<unsigned>& cpus, std::size_t threads, std::uint32_t steps) {
  word counter, ready;
  std::atomic<bool> go{false}, stop{false};
  const auto add = [&] {
    std::uint64_t x = 1;
    while (!stop.load(std::memory_order_relaxed)) {
      x = work::chain(x + counter.value.fetch_add(1, std::memory_order_relaxed), steps);
    }
    work::keep(x);
  };
  std::vector<std::thread> team;
  for (std::size_t i = 0; i < threads; ++i) {
    team.emplace_back([&, i] {
      pin(cpus[i]);
      ready.value.fetch_add(1);
      while (!go.load()) {
      }
      add();
    });
  }
  while (ready.value.load() < threads) std::this_thread::yield();
  go = true;
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); };
  pause();
  const auto before = counter.value.load();
  const auto began = work::clock::now();
  pause();
  const auto added = std::max<std::uint64_t>(counter.value.load() - before, 1);
  const double found = work::ns_since(began) / static_cast<double>(added);
  stop = true;
  for (auto& each : team) each.join();
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  int table_too = 0;
  const argument table[] = {argument_flag("--table", "also the measurements behind it", &table_too)};
  arguments_parse(argc, argv, "What this machine charges for lines of memory", table, std::size(table));
  const auto cpus = allowed();
  if (cpus.size() < 2) bad_input("one processor in this process's mask: two are needed");
  std::vector<double> hops;
  for (std::size_t other = 1; other < cpus.size(); ++other) hops.push_back(ns_of_hop(cpus[0], cpus[other]));
  std::printf("name this-host\ngroup %zu %.1f\nupdate %.1f\n", cpus.size(), work::median_of(hops) / 2, ns_of_update());
  if (table_too == 0) return EXIT_SUCCESS;
  for (std::size_t other = 1; other < cpus.size(); ++other)
    std::printf("# hop %u %u %.1f\n", cpus[0], cpus[other], hops[other - 1]);
  const double step = work::ns_of_step();
  std::printf("# step %.4f\n", step);
  for (std::size_t threads = 1; threads <= cpus.size(); threads *= 2) {
    for (const int between : {0, 20, 50, 100, 200, 500, 1000}) {
      const auto steps = static_cast<std::uint32_t>(std::lround(between / step));
      std::printf("# counter threads %zu between %d each %.2f\n", threads, between,
                  ns_of_addition(cpus, threads, steps));
    }
  }
  return EXIT_SUCCESS;
}
