// SPDX-License-Identifier: Apache-2.0
// steelyard-rewrite [ARGUMENTS OF CLANG]: reads a preprocessed unit from standard input and writes it again, with its loops in reach of
// the drop-in, and a list of them, as JSON, in the section .steelyard. With --list first it writes the list alone; with
// --without-costs first no loop states its costs. Exit status: 0 written, 4 written and some loop states its costs, 3 there is nothing to
// rewrite, 1 Clang gave up, 2 it cannot be read.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <sys/resource.h>

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include "unit.hpp"

namespace {

void limit(decltype(RLIMIT_CPU) what, rlim_t most) {
  rlimit now{};
  if (getrlimit(what, &now) != 0) return;
  now.rlim_cur = std::min(now.rlim_cur, most);
  setrlimit(what, &now);
}

/// There are units on which Clang's analysis does not end. They are compiled as they are then: these limits are far beyond what a text of so
/// many bytes takes.
void limit_itself(std::size_t bytes) {
  const rlim_t megabytes = bytes >> 20;
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, 60 + 20 * megabytes);  // seconds
  limit(RLIMIT_AS, (2048 + 256 * megabytes) << 20);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace steelyard::rewriter;
  const std::string first = argc > 1 ? argv[1] : "";
  const bool list = first == "--list";
  const auto costs = first == "--without-costs" ? costs_are::left_out : costs_are::stated;
  const bool ours = list || costs == costs_are::left_out;
  auto text = llvm::MemoryBuffer::getSTDIN();
  if (!text) return 2;
  limit_itself((*text)->getBufferSize());
  const auto unit = rewrite_unit((*text)->getBuffer(), {argv + (ours ? 2 : 1), argv + argc}, costs);
  if (!unit.parsed) return 1;
  if (unit.loops == 0) return 3;
  llvm::outs() << (list ? unit.list + "\n" : unit.text);
  return unit.states_costs && !list ? 4 : 0;
}
