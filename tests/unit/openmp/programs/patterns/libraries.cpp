// SPDX-License-Identifier: Apache-2.0
// Loops of a library that the program loads, and unloads again between regions.
#include <dlfcn.h>
#include <omp.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "pattern.hpp"

namespace patterns {
namespace {

/// One that lies beside the program.
class library {
 public:
  explicit library(const std::string& name) {
    char path[4096] = {};
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) std::abort();
    *std::strrchr(path, '/') = '\0';
    handle_ = dlopen((std::string(path) + '/' + name).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::exit(3);
    }
  }
  library(const library&) = delete;
  library& operator=(const library&) = delete;
  ~library() { dlclose(handle_); }

  template <class Function>
  Function* find(const char* name) const {
    void* const symbol = dlsym(handle_, name);
    if (symbol == nullptr) std::abort();
    Function* found;
    std::memcpy(&found, &symbol, sizeof found);
    return found;
  }

 private:
  void* handle_;
};

using orphaned = void(std::uint64_t*, long);
using own = void(std::uint64_t*, std::uint64_t*, long);

void run(const library& from, numbers& a, numbers& by_thread) {
  auto* const add_orphaned = from.find<orphaned>("add_orphaned");
  auto* const add_own = from.find<own>("add_own");
  const auto n = static_cast<long>(a.size());
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for nowait
      for (long i = 0; i < n; ++i) a[i] += cost(i);
      add_orphaned(a.data(), n);
#pragma omp for nowait
      for (long i = 0; i < n; ++i) a[i] ^= 3;
    }
    add_own(a.data(), by_thread.data(), n);
  }
}

void loaded(outcome& of) {
  numbers a(size.n), by_thread(a.size() * static_cast<std::size_t>(omp_get_max_threads()));
  const library one("library-1.so"), other("library-2.so");
  run(one, a, by_thread);
  run(other, a, by_thread);
  of.add_all(a);
}

void unloaded(outcome& of) {
  numbers a(size.n), by_thread(a.size() * static_cast<std::size_t>(omp_get_max_threads()));
  for (int time = 0; time < 4; ++time) {
    run(library("library-1.so"), a, by_thread);
    run(library("library-2.so"), a, by_thread);
  }
  of.add_all(a);
}

}  // namespace

const std::vector<pattern> libraries = {{"loaded", loaded}, {"unloaded", unloaded}};

}  // namespace patterns
