// SPDX-License-Identifier: Apache-2.0
// Turns a Debian package index (apt-cache dumpavail, or a Packages file) into a SNAP edge list: packages are vertices, an
// edge leads to each package that Depends, Pre-Depends or Recommends names. Not parallel; it feeds the programs that are.
//
// An alternative (a | b) gives an edge to each of its packages. A name that is no package itself, but that packages
// provide, gives an edge to each of those. Version constraints and architecture qualifiers are ignored.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/arguments.h"
#include "graph/input_error.hpp"
#include "graph/text_file.hpp"

namespace {

using vertex = std::uint32_t;

// Calls visit with each package name of a dependency field: "a (>= 1) | b:any, c [amd64]" names a, b and c.
template <class Visit>
void for_each_name(std::string_view field, Visit visit) {
  while (!field.empty()) {
    const std::string_view entry = field.substr(0, field.find_first_of(",|"));
    field.remove_prefix(std::min(entry.size() + 1, field.size()));
    const std::size_t first = entry.find_first_not_of(" \t");
    if (first == entry.npos) continue;
    const std::string_view name = entry.substr(first);
    visit(std::string(name.substr(0, name.find_first_of(" \t(:[<"))));
  }
}

struct index_reader {
  std::unordered_map<std::string, vertex> packages;  // numbered in the order of the index
  std::unordered_map<std::string, std::vector<vertex>> providers;
  std::vector<std::pair<vertex, std::string>> dependencies;

  // A package that is listed twice (two versions) is one vertex with the dependencies of both.
  void add_stanza(const std::string& package, const std::string& provides, const std::string& depends) {
    if (package.empty()) return;
    const vertex v = packages.try_emplace(package, static_cast<vertex>(packages.size())).first->second;
    for_each_name(provides, [&](const std::string& name) { providers[name].push_back(v); });
    for_each_name(depends, [&](const std::string& name) { dependencies.emplace_back(v, name); });
  }
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Reads "Field: value" stanzas divided by blank lines; a line that starts with a blank continues the field before it.
index_reader read_index(graph::text_file& file) {
  index_reader index;
  std::string package, provides, depends;
  std::string ignored;
  std::string* current = &ignored;
  const auto finish = [&] {
    index.add_stanza(package, provides, depends);
    for (std::string* text : {&package, &provides, &depends, &ignored}) text->clear();
    current = &ignored;
  };
  while (file.next_line()) {
    std::string_view line = file.line();
    if (file.is_blank()) {
      finish();
      continue;
    }
    if (line.front() != ' ' && line.front() != '\t') {
      const std::string_view field = line.substr(0, line.find(':'));
      line.remove_prefix(std::min(field.size() + 1, line.size()));
      const bool dependency = field == "Depends" || field == "Pre-Depends" || field == "Recommends";
      current = field == "Package" ? &package : field == "Provides" ? &provides : dependency ? &depends : &ignored;
      if (dependency) depends += ',';
    }
    if (current != &ignored) current->append(trimmed(line)).append(current == &package ? "" : " ");
  }
  finish();
  return index;
}

struct package_graph {
  std::vector<std::pair<vertex, vertex>> edges;  // ascending, no duplicates
  std::size_t unresolved = 0;                    // dependencies on names the index does not have
};

package_graph resolve(const index_reader& index) {
  package_graph g;
  for (const auto& [from, name] : index.dependencies) {
    const auto package = index.packages.find(name);
    const auto provided = index.providers.find(name);
    if (package != index.packages.end()) {
      g.edges.emplace_back(from, package->second);
    } else if (provided != index.providers.end()) {
      for (const vertex to : provided->second) g.edges.emplace_back(from, to);
    } else {
      ++g.unresolved;
    }
  }
  std::erase_if(g.edges, [](const auto& e) { return e.first == e.second; });
  std::sort(g.edges.begin(), g.edges.end());
  g.edges.erase(std::unique(g.edges.begin(), g.edges.end()), g.edges.end());
  return g;
}

void write(const index_reader& index, const package_graph& g) {
  std::vector<std::size_t> in_degree(index.packages.size(), 0);
  for (const auto& e : g.edges) ++in_degree[e.second];
  const auto most = static_cast<vertex>(std::max_element(in_degree.begin(), in_degree.end()) - in_degree.begin());
  const auto hub = std::find_if(index.packages.begin(), index.packages.end(),
                                [&](const auto& package) { return package.second == most; });
  std::printf("# Debian package dependency graph: %zu vertices, %zu edges\n", index.packages.size(), g.edges.size());
  std::printf("# maximum in-degree %zu: %s, vertex %u\n", in_degree[most], hub->first.c_str(), most);
  std::printf("# dependencies on names not in the index: %zu, left out\n", g.unresolved);
  std::printf("# FromNodeId\tToNodeId\n");
  for (const auto& [from, to] : g.edges) std::printf("%u\t%u\n", from, to);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw graph::input_error("standard output: cannot be written: is the disk full?");
}

void convert(const char* name) {
  graph::text_file file(name);
  const index_reader index = read_index(file);
  const std::string source = std::string(name) == "/dev/stdin" ? "standard input" : name;
  if (index.packages.empty())
    throw graph::input_error(source + ": holds no package: run 'apt-get update', then 'apt-cache dumpavail'");
  const package_graph g = resolve(index);
  if (g.edges.empty())
    throw graph::input_error(source +
                             ": no package depends on another one in it: run 'apt-get update' for a full index");
  write(index, g);
}

}  // namespace

int main(int argc, char** argv) {
  const char* file = "/dev/stdin";
  const argument table[] = {argument_text("--index", "FILE", "the package index, otherwise standard input", &file)};
  const bool bare_name = argc == 2 && argv[1][0] != '-';
  arguments_parse(bare_name ? 1 : argc, argv, "Debian package index (apt-cache dumpavail) to SNAP edge list", table,
                  std::size(table));
  if (bare_name) file = argv[1];
  try {
    convert(file);
  } catch (const graph::input_error& error) {
    bad_input("%s", error.what());
  }
  return EXIT_SUCCESS;
}
