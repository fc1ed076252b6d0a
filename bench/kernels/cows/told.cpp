// SPDX-License-Identifier: Apache-2.0
#include "told.hpp"

#include "binary_file.hpp"

namespace cows {

namespace {

constexpr binary_file::kind magic = {'c', 'o', 'w', 's', 't', 'o', 'l', '1'};

struct record {
  std::uint32_t site, ordinal, equal, guarded, terms, zero;
  std::uint64_t iterations;
  std::array<double, steelyard::learn::cost_terms::most> constants;
};

}  // namespace

void write_told(const std::string& path, const std::vector<told_loop>& loops) {
  binary_file file(path, "wb");
  file.begin(magic, loops.size());
  for (const auto& loop : loops) {
    const record head{loop.site, loop.ordinal,    loop.equal,    loop.guarded, loop.terms,
                      0,         loop.iterations, loop.constants};
    file.write(&head, 1);
    file.write(loop.numbers.data(), loop.terms);
  }
  file.close();
}

std::vector<told_loop> read_told(const std::string& path) {
  binary_file file(path, "rb");
  const auto count = file.records(magic, "holds no told costs: make it with cows-launched --told");
  std::vector<told_loop> loops;
  while (loops.size() < count) {
    auto& loop = loops.emplace_back();
    record head{};
    file.read(&head, 1);
    if (head.terms > loop.numbers.size()) throw graph::input_error(path + ": is damaged: make it anew");
    loop.site = head.site;
    loop.ordinal = head.ordinal;
    loop.equal = head.equal != 0;
    loop.guarded = head.guarded != 0;
    loop.terms = head.terms;
    loop.iterations = head.iterations;
    loop.constants = head.constants;
    file.read(loop.numbers.data(), head.terms);
  }
  return loops;
}

}  // namespace cows
