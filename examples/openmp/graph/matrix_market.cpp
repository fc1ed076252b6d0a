// SPDX-License-Identifier: Apache-2.0
#include "matrix_market.hpp"

#include <algorithm>
#include <charconv>

#include "input_error.hpp"
#include "text_file.hpp"

namespace graph {

namespace {

struct header {
  bool has_value = false;
  bool symmetric = false;
  std::uint64_t rows = 0, columns = 0, entries = 0;
};

std::string lower_case_field(text_file& file) {
  std::string text(file.field());
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

void read_banner(text_file& file, header& head) {
  if (!file.next_line() || lower_case_field(file) != "%%matrixmarket")
    throw input_error(file.name() +
                      ":1: not a Matrix Market file: the first line must be "
                      "'%%MatrixMarket matrix coordinate ...'");
  if (lower_case_field(file) != "matrix" || lower_case_field(file) != "coordinate")
    file.fail("only 'matrix coordinate' can be read: convert the file");
  const std::string type = lower_case_field(file);
  if (type != "pattern" && type != "real" && type != "integer")
    file.fail("entries of type '" + printable(type) + "' cannot be read: use pattern, real or integer");
  const std::string symmetry = lower_case_field(file);
  if (symmetry != "general" && symmetry != "symmetric")
    file.fail("symmetry '" + printable(symmetry) + "' cannot be read: use general or symmetric");
  head.has_value = type != "pattern";
  head.symmetric = symmetry == "symmetric";
}

// Moves to the next line that is neither blank nor a comment.
bool next_data_line(text_file& file) {
  while (file.next_line())
    if (!file.is_blank() && file.line().front() != '%') return true;
  return false;
}

header read_header(text_file& file) {
  header head;
  read_banner(file, head);
  if (!next_data_line(file)) file.fail("the file ends before its size line: it is truncated, fetch it again");
  head.rows = file.number("row count", 1, id_limit);
  head.columns = file.number("column count", 1, id_limit);
  head.entries = file.number("entry count", 0, std::uint64_t{1} << 40);
  file.expect_end("the size line is 'ROWS COLUMNS ENTRIES'");
  return head;
}

void skip_value(text_file& file) {
  std::string_view text = file.field();
  if (text.empty()) file.fail("the entry's value is missing: write 'ROW COLUMN VALUE', or declare 'pattern'");
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const char* const last = text.data() + text.size();
  if (std::from_chars(text.data(), last, value).ptr != last)
    file.fail("'" + printable(text) + "' is not a number: correct the entry's value");
}

edge read_entry(text_file& file, const header& head) {
  const std::uint64_t row = file.number("row", 1, head.rows + 1);
  const std::uint64_t column = file.number("column", 1, head.columns + 1);
  if (head.has_value) skip_value(file);
  file.expect_end("the entry has more fields than its header declares");
  return {static_cast<vertex>(row - 1), static_cast<vertex>(column - 1)};
}

}  // namespace

edge_list read_matrix_market(const std::string& name) {
  text_file file(name);
  const header head = read_header(file);
  if (head.entries == 0) file.fail("the matrix has no entries: give a graph with at least one edge");
  edge_list list;
  list.name = name;
  // The count is only the file's word; an entry takes at least four bytes.
  list.edges.reserve(std::min<std::uint64_t>(head.entries, file.bytes() / 4 + 1) * (head.symmetric ? 2 : 1));
  std::uint64_t entries = 0;
  for (; next_data_line(file); ++entries) {
    if (entries == head.entries)
      file.fail("more than the declared " + std::to_string(head.entries) + " entries: correct the size line");
    const edge e = read_entry(file, head);
    list.edges.push_back(e);
    if (head.symmetric) list.edges.push_back({e.to, e.from});
  }
  if (entries < head.entries)
    file.fail("the file ends after " + std::to_string(entries) + " of " + std::to_string(head.entries) +
              " entries: it is truncated, fetch it again");
  renumber(list);
  return list;
}

}  // namespace graph
