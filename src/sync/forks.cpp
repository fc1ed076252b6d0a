// SPDX-License-Identifier: Apache-2.0
#include "sync/forks.hpp"

#include <pthread.h>

namespace steelyard::sync {
namespace {

constinit real::atomic<std::uint32_t> forks_so_far{};

/// When the library is loaded: later another thread may fork meanwhile.
[[gnu::constructor]] void count_forks() noexcept {
  pthread_atfork(nullptr, nullptr, [] { forks_so_far.fetch_add(1, relaxed, site{"O7"}); });
}

}  // namespace

std::uint32_t forks() noexcept { return forks_so_far.load(relaxed, site{"O8"}); }

}  // namespace steelyard::sync
