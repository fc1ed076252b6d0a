// SPDX-License-Identifier: Apache-2.0
// What the memory of a task costs: records KIND IN_FLIGHT: prints nanoseconds for a record of 48 bytes that is made, filled, read
// and given back, the median of 15 batches. IN_FLIGHT: how many are made before the first is read.
//   arena    behind each other in memory that is used again from its beginning (src/dataflow)
//   malloc   each by itself; with LD_PRELOAD, whatever malloc that brings
//   elsewhere   each by itself, and given back by another thread: where a thief has run the task
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

struct record {
  std::uint64_t words[6];
};

constexpr std::size_t records = 1'000'000;

void fill(record& it, std::uint64_t with) {
  for (auto& word : it.words) word = with;
}
std::uint64_t sum(const record& it) {
  std::uint64_t all = 0;
  for (const auto word : it.words) all += word;
  return all;
}

std::uint64_t in_arena(record* memory, std::size_t in_flight) {
  std::uint64_t all = 0;
  for (std::size_t done = 0; done < records; done += in_flight) {
    for (std::size_t i = 0; i < in_flight; ++i) fill(memory[i], done + i);
    for (std::size_t i = 0; i < in_flight; ++i) all += sum(memory[i]);
  }
  return all;
}

std::uint64_t by_malloc(std::vector<record*>& of, std::size_t in_flight) {
  std::uint64_t all = 0;
  for (std::size_t done = 0; done < records; done += in_flight) {
    for (std::size_t i = 0; i < in_flight; ++i) {
      of[i] = static_cast<record*>(std::malloc(sizeof(record)));
      fill(*of[i], done + i);
    }
    for (std::size_t i = 0; i < in_flight; ++i) {
      all += sum(*of[i]);
      std::free(of[i]);
    }
  }
  return all;
}

/// Two threads, each of which does one half of the work on a batch that is handed to and fro.
std::uint64_t elsewhere(std::vector<record*>& of, std::size_t in_flight) {
  std::atomic<std::size_t> made{0}, read{0};
  std::uint64_t all = 0;
  std::thread reader([&] {
    for (std::size_t done = 0; done < records; done += in_flight) {
      while (made.load(std::memory_order_acquire) == done) {
      }
      for (std::size_t i = 0; i < in_flight; ++i) {
        all += sum(*of[i]);
        std::free(of[i]);
      }
      read.store(done + in_flight, std::memory_order_release);
    }
  });
  for (std::size_t done = 0; done < records; done += in_flight) {
    for (std::size_t i = 0; i < in_flight; ++i) {
      of[i] = static_cast<record*>(std::malloc(sizeof(record)));
      fill(*of[i], done + i);
    }
    made.store(done + in_flight, std::memory_order_release);
    while (read.load(std::memory_order_acquire) == done) {
    }
  }
  reader.join();
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc == 3 ? argv[1] : "";
  const std::size_t in_flight = argc == 3 ? std::strtoul(argv[2], nullptr, 10) : 0;
  if (in_flight == 0 || records % in_flight != 0 || (kind != "arena" && kind != "malloc" && kind != "elsewhere")) {
    std::fputs("usage: records arena|malloc|elsewhere IN_FLIGHT, which divides 1000000\n", stderr);
    return 2;
  }
  const std::unique_ptr<record[]> memory(new record[in_flight]);
  std::vector<record*> pointers(in_flight);
  std::vector<double> times;
  std::uint64_t expected = records * (records - 1) / 2 * 6;
  for (int i = 0; i < 15; ++i) {
    const auto began = std::chrono::steady_clock::now();
    const auto all = kind == "arena"    ? in_arena(memory.get(), in_flight)
                     : kind == "malloc" ? by_malloc(pointers, in_flight)
                                        : elsewhere(pointers, in_flight);
    times.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count() /
                    records);
    if (all != expected) return 1;
  }
  std::nth_element(times.begin(), times.begin() + 7, times.end());
  std::printf("%.3f\n", times[7]);
  return 0;
}
