// SPDX-License-Identifier: Apache-2.0
// scope(f) returns when all tasks that were spawned in it have ended, those that tasks have spawned included.
#include <atomic>
#include <cstdio>
#include <steelyard/task.hpp>

struct node {
  unsigned seed;
  int depth;
};

void visit(steelyard::task_group& all, node at, std::atomic<long>& nodes) {
  ++nodes;
  if (at.depth == 0) return;
  for (unsigned child = 0; child < at.seed % 5; ++child) {
    const node next{(at.seed * 1103515245 + 12345 + child * 7919) >> 3, at.depth - 1};
    all.spawn([&all, next, &nodes] { visit(all, next, nodes); });
  }
}

long serial(node at) {
  long nodes = 1;
  if (at.depth == 0) return nodes;
  for (unsigned child = 0; child < at.seed % 5; ++child) {
    nodes += serial({(at.seed * 1103515245 + 12345 + child * 7919) >> 3, at.depth - 1});
  }
  return nodes;
}

int main() {
  constexpr node root{4, 14};
  std::atomic<long> nodes{0};
  steelyard::scope([&](steelyard::task_group& all) { visit(all, root, nodes); });
  std::printf("%ld nodes\n", nodes.load());
  return nodes == serial(root) ? 0 : 1;
}
