// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "text/page.hpp"

namespace steelyard::tool {

/// A table of plain text: a heading, rows, columns as wide as their widest cell, in columns of the terminal.
///
/// Where it is wider than the page, in this order: the column with `below` goes to lines of its own behind each row; cells
/// of the column with `elided` lose their middle, down to 30 columns; columns are left out, those with the least `leaves`
/// first; cells of the elided column lose more.
class table {
 public:
  enum side { left, right };
  struct column {
    std::string title;
    side align = right;
    unsigned leaves = 0;  ///< 0: never left out
    bool elided = false;  ///< of one column at most
    bool below = false;   ///< of the last column only
  };

  explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}

  /// Missing cells at the end are empty. `stands_out`: in colour where there is one.
  void add(std::vector<std::string> cells, bool stands_out = false) { rows_.push_back({std::move(cells), stands_out}); }

  /// Every line, each starting with `indent` and ending with a newline.
  [[nodiscard]] std::string text(const std::string& indent = "", const page& on = {}) const;

 private:
  struct row {
    std::vector<std::string> cells;
    bool stands_out;
  };
  [[nodiscard]] std::vector<std::size_t> natural_widths() const;

  std::vector<column> columns_;
  std::vector<row> rows_;
};

}  // namespace steelyard::tool
