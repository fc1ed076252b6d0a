// SPDX-License-Identifier: Apache-2.0
#include "topology/processors.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace steelyard::topology {
namespace {

bool an_openmp_runtime_binds() noexcept {
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return true;
  }
  return false;
}

template <class Function>
Function* find(const char* name) noexcept {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// All places of the OpenMP runtime in this process; empty when there is none, or it has no places.
processors openmp_places() {
  auto* const places = find<int()>("omp_get_num_places");
  auto* const size = find<int(int)>("omp_get_place_num_procs");
  auto* const list = find<void(int, int*)>("omp_get_place_proc_ids");
  processors all;
  if (places == nullptr || size == nullptr || list == nullptr) return all;
  for (int place = 0; place < places(); ++place) {
    std::vector<int> ids(static_cast<std::size_t>(std::max(0, size(place))));
    if (!ids.empty()) list(place, ids.data());
    for (const int id : ids) {
      if (id >= 0) all.add(static_cast<unsigned>(id));
    }
  }
  return all;
}

/// Whatever any thread of the process may run on.
processors of_all_threads() {
  processors all;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", failed)) {
    const auto name = entry.path().filename().string();
    int thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    if (thread != 0) all.add(processors::of_thread(thread));
  }
  return all;
}

}  // namespace

void processors::add(unsigned processor) noexcept {
  if (processor < most) words_[processor / word_bits] |= 1UL << processor % word_bits;
}

void processors::add(const processors& others) noexcept {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= others.words_[i];
}

void processors::remove(unsigned processor) noexcept {
  if (processor < most) words_[processor / word_bits] &= ~(1UL << processor % word_bits);
}

bool processors::holds(unsigned processor) const noexcept {
  return processor < most && (words_[processor / word_bits] >> processor % word_bits & 1) != 0;
}

unsigned processors::count() const noexcept {
  unsigned all = 0;
  for (const auto word : words_) all += static_cast<unsigned>(std::popcount(word));
  return all;
}

bool operator==(const processors& a, const processors& b) noexcept { return a.words_ == b.words_; }

processors processors::of_thread(int thread) noexcept {
  processors found;
  // The kernel writes as many words as it has.
  if (sched_getaffinity(thread, sizeof found.words_, reinterpret_cast<cpu_set_t*>(found.words_.data())) != 0) return {};
  return found;
}

bool processors::bind_this_thread() const noexcept {
  return sched_setaffinity(0, sizeof words_, reinterpret_cast<const cpu_set_t*>(words_.data())) == 0;
}

processors of_process() {
  if (an_openmp_runtime_binds()) {
    if (auto places = openmp_places(); places.count() != 0) return places;
    return of_all_threads();
  }
  return processors::of_thread(getpid());
}

}  // namespace steelyard::topology
