// SPDX-License-Identifier: Apache-2.0
// What the owner of a deque pays for a push and a pop that nobody interferes with, under the synchronisation that each design
// needs; and what a thief that looks at it costs.   deques KIND: prints nanoseconds for a pair, the median of 15 batches.
//   plain      two stores and two loads (deque.md); answered by the owner, or taken under membarrier
//   answered   the same with one look at a flag instead (victim-answered, idempotent and split deques, in their private part)
//   fence      a full fence in pop (Chase & Lev, T.H.E. as published)
//   exchange   a read-modify-write in pop (Arora, Blumofe & Plaxton: a compare-and-swap of the last task's age)
//   lock       a lock around both
//   padded     plain, while a thief counts its looks once in a microsecond in a line of its own
//   unpadded   plain, while it counts them in the owner's line
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

struct alignas(64) slot {
  void (*run)();
  long payload[7];
};

struct alignas(128) lot {
  std::atomic<slot*> tail{};
  std::atomic<slot*> limit{};
  std::atomic<slot*> bound{};
  std::atomic<long> looks_here{};
  alignas(128) std::atomic<long> looks_there{};
  std::atomic<bool> locked{};
};

constexpr int depth = 16;
constexpr long batch = 2'000'000;

void nothing() {}

template <class Push, class Pop>
double pairs(lot& own, Push push, Pop pop) {
  std::vector<double> times;
  for (int i = 0; i < 15; ++i) {
    const auto began = std::chrono::steady_clock::now();
    for (long k = 0; k < batch / depth; ++k) {
      for (int d = 0; d < depth; ++d) push(own, k);
      for (int d = 0; d < depth; ++d) pop(own);
    }
    times.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count() / batch);
  }
  std::nth_element(times.begin(), times.begin() + 7, times.end());
  return times[7];
}

void fill(lot& own, long payload) {
  slot* const at = own.tail.load(std::memory_order_relaxed);
  at->run = nothing;
  at->payload[0] = payload;
  own.tail.store(at + 1, std::memory_order_release);
}

void push_plain(lot& own, long payload) {
  fill(own, payload);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (own.tail.load(std::memory_order_relaxed) > own.limit.load(std::memory_order_relaxed)) std::abort();
}

slot* lower(lot& own) {
  slot* const at = own.tail.load(std::memory_order_relaxed) - 1;
  own.tail.store(at, std::memory_order_relaxed);
  return at;
}

void pop_plain(lot& own) {
  slot* const at = lower(own);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (at < own.bound.load(std::memory_order_relaxed)) std::abort();
}

void pop_fence(lot& own) {
  slot* const at = lower(own);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (at < own.bound.load(std::memory_order_relaxed)) std::abort();
}

void pop_exchange(lot& own) {
  slot* at = own.tail.load(std::memory_order_relaxed);
  if (!own.tail.compare_exchange_strong(at, at - 1, std::memory_order_acq_rel)) std::abort();
  if (at - 1 < own.bound.load(std::memory_order_relaxed)) std::abort();
}

class locked {
 public:
  explicit locked(lot& own) : own_(own) {
    while (own_.locked.exchange(true, std::memory_order_acquire)) {
    }
  }
  ~locked() { own_.locked.store(false, std::memory_order_release); }
  locked(const locked&) = delete;
  locked& operator=(const locked&) = delete;

 private:
  lot& own_;
};

double beside_thief(lot& own, std::atomic<long>& looks) {
  std::atomic<bool> stop{false};
  std::thread thief([&] {
    while (!stop) {
      looks.fetch_add(1, std::memory_order_relaxed);
      for (const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(1);
           std::chrono::steady_clock::now() < end;) {
      }
    }
  });
  const double found = pairs(own, push_plain, pop_plain);
  stop = true;
  thief.join();
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc == 2 ? argv[1] : "";
  static slot slots[depth + 1];
  static lot own;
  own.tail = slots;
  own.bound = slots;
  own.limit = slots + depth;
  double found = 0;
  if (kind == "plain") {
    found = pairs(own, push_plain, pop_plain);
  } else if (kind == "answered") {
    found = pairs(own, fill, pop_plain);
  } else if (kind == "fence") {
    found = pairs(own, fill, pop_fence);
  } else if (kind == "exchange") {
    found = pairs(own, fill, pop_exchange);
  } else if (kind == "lock") {
    found = pairs(
        own,
        [](lot& of, long payload) {
          const locked here(of);
          fill(of, payload);
        },
        [](lot& of) {
          const locked here(of);
          lower(of);
        });
  } else if (kind == "padded") {
    found = beside_thief(own, own.looks_there);
  } else if (kind == "unpadded") {
    found = beside_thief(own, own.looks_here);
  } else {
    std::fprintf(stderr, "deques KIND: plain, answered, fence, exchange, lock, padded or unpadded\n");
    return 2;
  }
  std::printf("%.4f\n", found);
  return 0;
}
