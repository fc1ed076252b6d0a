// SPDX-License-Identifier: Apache-2.0
// tasks-sections: parallel sections inside each other, the way of OpenMP before it had tasks; for what consists of pairs of calls.
// Teams of two, so deep that there are as many threads as wanted.
#include <omp.h>

#include "program.hpp"

namespace {

struct omp_sections : task_kernels::calls {
  template <class F, class G>
  static void both(const F& f, const G& g) {
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
      f();
#pragma omp section
      g();
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  task_kernels::request wanted;
  wanted.parse(argc, argv, "A sort on OpenMP's nested parallel sections");
  if (!wanted.what->name.ends_with("sort")) bad_input("only quicksort and mergesort have sections");
  const int levels = static_cast<int>(std::bit_width(static_cast<unsigned long>(wanted.threads - 1)));
  omp_set_dynamic(0);
  omp_set_max_active_levels(levels);
  return measure<omp_sections>(wanted, [](const auto& f) { f(); });
}
