// SPDX-License-Identifier: Apache-2.0
#include "learn/work_clock.hpp"

#include <linux/perf_event.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace steelyard::learn {

constinit work_clock work;

namespace {

/// Of one thread.
struct counter {
  int number = -1;
  const void* page = nullptr;
};

[[gnu::tls_model("initial-exec")]] constinit thread_local counter here;
constinit work_clock::source counters{};
constinit pthread_key_t at_end{};

void close_here() noexcept {
  if (here.number >= 0) counters.close(here.number);
  here = {};
}

/// What is read from memory, between two equal values of its lock (perf_event_open(2)). False: the kernel has to be asked.
bool read_page([[maybe_unused]] const void* memory, [[maybe_unused]] std::uint64_t& count) noexcept {
#if defined(__x86_64__)
  const auto& page = *static_cast<const volatile perf_event_mmap_page*>(memory);
  std::uint32_t lock = 0;
  do {
    lock = page.lock;
    asm volatile("" ::: "memory");
    const std::uint32_t index = page.index;
    if (index == 0 || !page.cap_user_rdpmc) return false;
    const unsigned unused_bits = 64U - page.pmc_width;
    const auto raw = static_cast<std::uint64_t>(__rdpmc(static_cast<int>(index - 1)));
    count = static_cast<std::uint64_t>(page.offset) +
            static_cast<std::uint64_t>(static_cast<std::int64_t>(raw << unused_bits) >> unused_bits);
    asm volatile("" ::: "memory");
  } while (page.lock != lock);
  return true;
#else
  return false;
#endif
}

/// A program may have closed the file and opened another one by that number: that is not read.
bool is_counter(int number) noexcept {
  std::uint64_t id = 0;
  return ioctl(number, PERF_EVENT_IOC_ID, &id) == 0;
}

int open_in_kernel() {
  perf_event_attr what{};
  what.size = sizeof what;
  what.type = PERF_TYPE_HARDWARE;
  what.config = PERF_COUNT_HW_INSTRUCTIONS;
  what.exclude_kernel = 1;
  what.exclude_hv = 1;
  const long number = syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  return number >= 0 ? static_cast<int>(number) : -errno;
}

const void* page_of_kernel(int number) {
  void* const page = mmap(nullptr, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), PROT_READ, MAP_SHARED, number, 0);
  return page != MAP_FAILED ? page : nullptr;
}

bool read_in_kernel(int number, std::uint64_t& count) {
  return is_counter(number) && read(number, &count, sizeof count) == static_cast<ssize_t>(sizeof count);
}

void close_in_kernel(int number) {
  if (here.page != nullptr) {
    munmap(const_cast<void*>(here.page), static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  }
  if (is_counter(number)) close(number);
}

}  // namespace

const work_clock::source instructions_of_kernel{open_in_kernel, page_of_kernel, read_in_kernel, close_in_kernel};

int work_clock::count_instructions(const source& from) noexcept {
  close_here();
  counters = from;
  // A child would go on with its parent's counter.
  if (pthread_key_create(&at_end, [](void*) { close_here(); }) != 0) return ENOMEM;
  if (pthread_atfork(nullptr, nullptr, close_here) != 0) return ENOMEM;
  here.number = counters.open();
  if (here.number < 0) return -here.number;
  close_here();
  counts_.store(true, sync::release, sync::site{"W2"});
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t began = support::ticks();
    static_cast<void>(count());
    least = std::min(least, support::ticks() - began);
  }
  price_ = least;
  return counts_instructions() ? 0 : EIO;
}

std::uint64_t work_clock::count() noexcept {
  if (here.number < 0) {
    here.number = counters.open();
    if (here.number >= 0) {
      here.page = counters.page(here.number);
      pthread_setspecific(at_end, &here);
    }
  }
  std::uint64_t found = 0;
  if (here.number >= 0) {
    if (here.page != nullptr && read_page(here.page, found)) return found;
    if (counters.read(here.number, found)) return found;
  }
  counts_.store(false, sync::relaxed, sync::site{"W3"});
  return support::ticks();
}

}  // namespace steelyard::learn
