// SPDX-License-Identifier: Apache-2.0
#include "edge_list.hpp"

#include <unistd.h>
#include <algorithm>
#include <bit>

#include "input_error.hpp"

namespace graph {

namespace {

// The set of ids in use, and the rank of each in it.
class id_set {
 public:
  explicit id_set(vertex largest) : words_(largest / 64 + std::size_t{1}), before_(words_.size()) {}

  void insert(vertex id) { words_[id / 64] |= std::uint64_t{1} << (id % 64); }

  vertex count_ranks() {
    vertex total = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      before_[i] = total;
      total += static_cast<vertex>(std::popcount(words_[i]));
    }
    return total;
  }

  vertex rank(vertex id) const {
    const std::uint64_t lower = words_[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1);
    return before_[id / 64] + static_cast<vertex>(std::popcount(lower));
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<vertex> before_;
};

}  // namespace

void renumber(edge_list& list) {
  vertex largest = 0;
  for (const edge& e : list.edges) largest = std::max({largest, e.from, e.to});
  id_set ids(largest);
  for (const edge& e : list.edges) {
    ids.insert(e.from);
    ids.insert(e.to);
  }
  list.vertices = ids.count_ranks();
  for (edge& e : list.edges) e = {ids.rank(e.from), ids.rank(e.to)};
}

void require_memory(const std::string& name, std::uint64_t vertices, std::uint64_t edges) {
  // The list, both directions in compressed rows, and a program's arrays per vertex.
  const double need = 24.0 * static_cast<double>(edges) + 64.0 * static_cast<double>(vertices);
  const double have = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  if (need > have)
    throw input_error(name + ": needs about " + std::to_string(std::uint64_t(need / gibibyte)) +
                      " GiB, this machine has " + std::to_string(std::uint64_t(have / gibibyte)) +
                      ": ask for a smaller graph");
}

}  // namespace graph
