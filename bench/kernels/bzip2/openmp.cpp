// SPDX-License-Identifier: Apache-2.0
// bzip2-openmp: tasks that depend on pieces of the window and on the output.
#include <omp.h>

#include <vector>

#include "program.hpp"

int main(int argc, char** argv) {
  bzip2::request wanted;
  wanted.parse(argc, argv, "Compresses on OpenMP");
  std::vector<bzip2::piece> window(static_cast<std::size_t>(wanted.window));
  omp_set_dynamic(0);
  omp_set_num_threads(static_cast<int>(wanted.threads));
  return measure(wanted, [&window](const bzip2::source& from, bzip2::writer& to) {
#pragma omp parallel
#pragma omp single
    for (std::size_t i = 0; i < from.blocks(); ++i) {
      bzip2::piece* const here = &window[i % window.size()];
#pragma omp task firstprivate(i, here) shared(from) depend(out : *here)
      here->compress(from, i);
#pragma omp task firstprivate(here) shared(to) depend(in : *here) depend(inout : to)
      to.write(*here);
    }
  });
}
