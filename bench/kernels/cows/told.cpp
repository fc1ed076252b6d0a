// SPDX-License-Identifier: Apache-2.0
#include "told.hpp"

#include <cstring>

#include "binary_file.hpp"

namespace cows {

namespace {

constexpr char magic[8] = {'c', 'o', 'w', 's', 't', 'o', 'l', '1'};
constexpr std::uint64_t most_loops = 1000000;

struct record {
  std::uint32_t site, ordinal, equal, guarded, terms, zero;
  std::uint64_t iterations;
  std::array<double, steelyard::learn::cost_terms::most> constants;
};

}  // namespace

void write_told(const std::string& path, const std::vector<told_loop>& loops) {
  binary_file file(path, "wb");
  const std::uint64_t count = loops.size();
  file.write(magic, sizeof magic);
  file.write(&count, 1);
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
  char found[sizeof magic];
  file.read(found, sizeof found);
  std::uint64_t count = 0;
  file.read(&count, 1);
  if (std::memcmp(found, magic, sizeof magic) != 0 || count > most_loops)
    throw graph::input_error(path + ": holds no told costs: make it with cows-launched --told");
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
