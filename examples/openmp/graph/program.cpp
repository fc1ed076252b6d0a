// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <new>

#include "input_error.hpp"
#include "lattice.hpp"
#include "matrix_market.hpp"
#include "rmat.hpp"
#include "snap.hpp"

namespace graph {

namespace {

constexpr long largest_scale = 30;
constexpr long largest_edge_factor = 1024;
constexpr long largest_side = 46000;  // its square still fits a signed 32-bit number

edge_list load_rmat(const std::string& text) {
  const std::size_t comma = text.find(',');
  const std::string scale = text.substr(0, comma);
  const std::string factor = comma == text.npos ? "16" : text.substr(comma + 1);
  return rmat(static_cast<unsigned>(arguments_number("--rmat SCALE", scale.c_str(), 1, largest_scale)),
              static_cast<unsigned>(arguments_number("--rmat EDGEFACTOR", factor.c_str(), 1, largest_edge_factor)));
}

}  // namespace

void program::parse(int argc, char** argv, const char* summary, const std::vector<argument>& own) {
  std::vector<argument> table{
      argument_text("--rmat", "SCALE[,EDGEFACTOR]", "a power-law graph of 2^SCALE vertices, the default", &rmat),
      argument_text("--lattice", "SIDE", "a road-like graph of SIDE * SIDE crossings", &lattice),
      argument_text("--snap", "FILE", "an edge list: two ids a line, # starts a comment", &snap),
      argument_text("--mtx", "FILE", "a sparse matrix in Matrix Market coordinate form", &mtx),
      argument_number("--repeat", "timed runs of the kernel", 1, report_most_runs, &repeat),
      argument_flag("--no-verify", "skip the serial check of the result", &no_verify)};
  table.insert(table.end(), own.begin(), own.end());
  arguments_parse(argc, argv, summary, table.data(), table.size());
  if ((rmat != nullptr) + (lattice != nullptr) + (snap != nullptr) + (mtx != nullptr) > 1)
    bad_input("more than one graph: give one of --rmat, --lattice, --snap, --mtx");
}

edge_list program::load() const {
  if (lattice) return graph::lattice(static_cast<unsigned>(arguments_number("--lattice", lattice, 2, largest_side)));
  if (snap) return read_snap(snap);
  if (mtx) return read_matrix_market(mtx);
  return load_rmat(rmat ? rmat : default_rmat);
}

int guarded(int (*run)(int, char**), int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const input_error& error) {
    bad_input("%s", error.what());
  } catch (const std::bad_alloc&) {
    bad_input("not enough memory for this graph: use a smaller one");
  }
}

}  // namespace graph
