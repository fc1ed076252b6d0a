// SPDX-License-Identifier: Apache-2.0
// bzip2-steelyard: an output that keeps its pieces in order; they are its window.
#include <cstdio>
#include <steelyard/pool.hpp>
#include <steelyard/task.hpp>

#include "program.hpp"

int main(int argc, char** argv) {
  bzip2::request wanted;
  wanted.parse(argc, argv, "Compresses on Steelyard");
  steelyard::pool pool(static_cast<std::uint32_t>(wanted.threads));
  pool.run([&wanted] {
    bzip2::writer* file = nullptr;
    steelyard::ordered_output<bzip2::piece> out(static_cast<std::size_t>(wanted.window),
                                                [&file](bzip2::piece& next) { file->write(next); });
    measure(wanted, [&](const bzip2::source& from, bzip2::writer& to) {
      file = &to;
      for (std::size_t i = 0; i < from.blocks(); ++i) {
        out.append([&from, i](bzip2::piece& next) { next.compress(from, i); });
      }
      out.wait();
    });
  });
  steelyard_task_counts counts{};
  steelyard_pool_task_counts(pool.handle(), &counts);
  std::printf("counter steals: %llu\n", static_cast<unsigned long long>(counts.stolen));
  return 0;
}
