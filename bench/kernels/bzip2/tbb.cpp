// SPDX-License-Identifier: Apache-2.0
// bzip2-tbb: parallel_pipeline, whose tokens are the window.
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <utility>
#include <vector>

#include "program.hpp"

int main(int argc, char** argv) {
  bzip2::request wanted;
  wanted.parse(argc, argv, "Compresses on oneTBB");
  const auto threads = static_cast<std::size_t>(wanted.threads);
  const tbb::global_control most(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  std::vector<bzip2::piece> window(static_cast<std::size_t>(wanted.window));
  return measure(wanted, [&](const bzip2::source& from, bzip2::writer& to) {
    using numbered = std::pair<bzip2::piece*, std::size_t>;
    std::size_t next = 0;
    const auto source = tbb::make_filter<void, numbered>(tbb::filter_mode::serial_in_order, [&](auto& control) {
      if (next == from.blocks()) control.stop();
      const std::size_t i = next++;
      return numbered(&window[i % window.size()], i);
    });
    const auto compress = tbb::make_filter<numbered, bzip2::piece*>(tbb::filter_mode::parallel, [&from](numbered at) {
      at.first->compress(from, at.second);
      return at.first;
    });
    const auto write = tbb::make_filter<bzip2::piece*, void>(tbb::filter_mode::serial_in_order,
                                                             [&to](bzip2::piece* done) { to.write(*done); });
    arena.execute([&] { tbb::parallel_pipeline(window.size(), source & compress & write); });
  });
}
