// SPDX-License-Identifier: Apache-2.0
// steelyard-rewrite [ARGUMENTS OF CLANG]: reads a preprocessed unit from standard input and writes it again, with its loops in reach of
// the drop-in, and a list of them, as JSON, in the section .steelyard. With --list first it writes the list alone; with
// --without-costs first no loop states its costs. Exit status: 0 written, 4 written and some loop states its costs, 3 there is nothing to
// rewrite, 1 Clang gave up, 2 it cannot be read.
#include <string>
#include <vector>

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include "unit.hpp"

int main(int argc, char** argv) {
  using namespace steelyard::rewriter;
  const std::string first = argc > 1 ? argv[1] : "";
  const bool list = first == "--list";
  const auto costs = first == "--without-costs" ? costs_are::left_out : costs_are::stated;
  const bool ours = list || costs == costs_are::left_out;
  auto text = llvm::MemoryBuffer::getSTDIN();
  if (!text) return 2;
  const auto unit = rewrite_unit((*text)->getBuffer(), {argv + (ours ? 2 : 1), argv + argc}, costs);
  if (!unit.parsed) return 1;
  if (unit.loops == 0) return 3;
  llvm::outs() << (list ? unit.list + "\n" : unit.text);
  return unit.states_costs && !list ? 4 : 0;
}
