// SPDX-License-Identifier: Apache-2.0
// cows-graph: makes or reads a graph, numbers its vertices anew, and writes it as the kernels' programs load it.
#include <cstdio>
#include <string>

#include "datasets.hpp"
#include "graph/program.hpp"
#include "graph_file.hpp"
#include "network.hpp"
#include "order.hpp"

namespace {

int run(int argc, char** argv) {
  graph::program given;
  const char* dataset = nullptr;
  const char* order = nullptr;
  const char* output = nullptr;
  const char* name = nullptr;
  long scale = 16;
  given.parse(
      argc, argv, "A graph for the COWS kernels",
      {argument_text("--dataset", "NAME", "youtube, livejournal, orkut, road-ca or road-pa, in its figures", &dataset),
       argument_number("--scale", "of a data set: 1/N of its vertices and edges (default 16)", 1, 4096, &scale),
       argument_text("--order", "ORDER", "given, random (default for data sets), degree or levels", &order),
       argument_text("--name", "TEXT", "what to call it", &name),
       argument_text("--output", "FILE", "where to write it", &output)});
  if (output == nullptr) bad_input("no output: give --output FILE");
  const bool made = dataset != nullptr;
  const auto list = made ? cows::generate(cows::find_dataset(dataset), static_cast<unsigned>(scale)) : given.load();
  cows::named_graph result{name != nullptr ? name : list.name, graph::build(list, graph::direction::both)};
  result.graph = cows::reordered(std::move(result.graph), order != nullptr ? order : made ? "random" : "given");
  cows::write_graph(output, result);
  const graph::csr& graph = result.graph;
  std::printf("%s: %u vertices, %llu edges, maximum degree %llu\n", result.name.c_str(), graph.vertex_count(),
              static_cast<unsigned long long>(graph.edge_count() / 2),
              static_cast<unsigned long long>(graph.degree(cows::root_of(graph))));
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
