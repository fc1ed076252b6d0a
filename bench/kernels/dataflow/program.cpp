// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "blocks.hpp"

namespace dataflow_kernels {

void request::parse(int argc, char** argv, const char* summary) {
  const char* name = nullptr;
  const argument table[] = {
      argument_text("--kernel", "NAME", "chain, stolen, flight, cholesky, lu, smith-waterman, sparse-lu or fib", &name),
      argument_number("--size", "tasks, n of the matrix or of fib, letters, or blocks in a row", 1, 100'000'000, &size),
      argument_number("--tile", "side of the blocks; that of sparse-lu is fixed", 1, 100'000, &tile),
      argument_number("--threads", "threads, the program's own included", 1, 4096, &threads),
      argument_number("--repeat", "timed runs", 1, 1000, &repeat),
      argument_number("--work", "turns of an empty loop in each task of stolen", 0, 1'000'000, &work),
      argument_flag("--verify", "check the result, not only that all runs have the same", &verify)};
  arguments_parse(argc, argv, summary, table, sizeof table / sizeof table[0]);
  const auto* const known = std::find_if(std::begin(kernels), std::end(kernels), [name](const kernel_sizes& one) {
    return name != nullptr && one.name == name;
  });
  if (known == std::end(kernels)) bad_input("--kernel %s: no such kernel; see --help", name != nullptr ? name : "NAME");
  kernel = known->name;
  if (size == 0) size = known->size;
  if (tile == 0) tile = known->tile;
  if (size % tile != 0) bad_input("--tile %ld: --size must be a multiple, and %ld is none", tile, size);
}

void wrong(const char* what) {
  std::fprintf(stderr, "WRONG: %s\n", what);
  std::exit(EXIT_FAILURE);
}

void print_counter(const char* name, std::uint64_t value) { std::printf("counter %s: %" PRIu64 "\n", name, value); }

std::uint64_t resident_bytes() {
  unsigned long pages = 0, resident = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%lu %lu", &pages, &resident) != 2) wrong("no memory in proc");
  std::fclose(file);
  return std::uint64_t{resident} * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void print_result(const request& wanted, std::uint64_t tasks, std::uint64_t result) {
  std::printf("%.*s %ld: %" PRIu64 " tasks, result %016" PRIx64 "\n", static_cast<int>(wanted.kernel.size()),
              wanted.kernel.data(), wanted.size, tasks, result);
}

void print_error(double error, double most) {
  std::printf("error: %.3g\n", error);
  if (!(error <= most)) wrong("the result is none");
}

void print_seconds(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const std::size_t count = seconds.size();
  std::printf("kernel: median %.9f s, best %.9f s of %zu runs\n", (seconds[(count - 1) / 2] + seconds[count / 2]) / 2,
              seconds.front(), count);
}

}  // namespace dataflow_kernels
