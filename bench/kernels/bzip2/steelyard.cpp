// SPDX-License-Identifier: Apache-2.0
// bzip2-steelyard: tasks of dataflow. Blocks that go through the same piece of the window are ordered by what their tasks access,
// and so is what is written.
#include <cstdio>
#include <steelyard/dataflow.hpp>
#include <steelyard/pool.hpp>
#include <vector>

#include "program.hpp"

namespace {

using steelyard::fork_task, steelyard::r, steelyard::rw, steelyard::shared, steelyard::w;

void compress(const bzip2::source* from, std::size_t i, w<bzip2::piece> into) { into->compress(*from, i); }
void append(r<bzip2::piece> next, rw<bzip2::writer*> to) { (*to)->write(*next); }

}  // namespace

int main(int argc, char** argv) {
  bzip2::request wanted;
  wanted.parse(argc, argv, "Compresses on Steelyard");
  steelyard::pool pool(static_cast<std::uint32_t>(wanted.threads));
  std::vector<shared<bzip2::piece>> window(static_cast<std::size_t>(wanted.window));
  measure(wanted, [&](const bzip2::source& from, bzip2::writer& to) {
    pool.run([&] {
      shared<bzip2::writer*> out(&to);
      for (std::size_t i = 0; i < from.blocks(); ++i) {
        fork_task(compress, &from, i, window[i % window.size()]);
        fork_task(append, window[i % window.size()], out);
      }
    });
  });
  steelyard_task_counts counts{};
  steelyard_pool_task_counts(pool.handle(), &counts);
  std::printf("counter steals: %llu\n", static_cast<unsigned long long>(counts.stolen));
  return 0;
}
