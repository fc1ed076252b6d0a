// SPDX-License-Identifier: Apache-2.0
// A loop on oneTBB, by the partitioner that the environment names: JIT_PARTITIONER=auto (default), affinity or simple. There are
// OMP_NUM_THREADS threads, as in the programs on OpenMP.
#pragma once

#include <cstdlib>
#include <cstring>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include "common/arguments.h"

namespace jit {

enum class partitioner { automatic, affinity, simple };

inline partitioner partitioner_of(const char* name) {
  if (name == nullptr || std::strcmp(name, "auto") == 0) return partitioner::automatic;
  if (std::strcmp(name, "affinity") == 0) return partitioner::affinity;
  if (std::strcmp(name, "simple") == 0) return partitioner::simple;
  bad_input("JIT_PARTITIONER=%s: no such partitioner: there are auto, affinity, simple", name);
}

inline std::size_t threads_of(const char* text) {
  return text != nullptr ? static_cast<std::size_t>(arguments_number("OMP_NUM_THREADS", text, 1, 4096)) : 1;
}

struct loop {
  long n;

  // One `affine` for each loop of a program: it remembers who ran what.
  template <class Body>
  void operator<<(const Body& body) const {
    static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                           threads_of(std::getenv("OMP_NUM_THREADS")));
    static const partitioner chosen = partitioner_of(std::getenv("JIT_PARTITIONER"));
    static tbb::affinity_partitioner affine;
    const tbb::blocked_range<long> all(0, n);
    const auto part = [&body](const tbb::blocked_range<long>& range) {
      for (long i = range.begin(); i < range.end(); ++i) body(i);
    };
    switch (chosen) {
      case partitioner::automatic:
        return tbb::parallel_for(all, part, tbb::auto_partitioner());
      case partitioner::affinity:
        return tbb::parallel_for(all, part, affine);
      case partitioner::simple:
        return tbb::parallel_for(all, part, tbb::simple_partitioner());
    }
  }
};

}  // namespace jit
