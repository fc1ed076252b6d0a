// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace steelyard::tool {

/// A table of plain text: a heading, rows, columns as wide as their widest cell (counted in characters, not bytes).
class table {
 public:
  enum side { left, right };
  struct column {
    std::string title;
    side align = right;
  };

  explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}

  /// Missing cells at the end are empty.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Every line, each starting with `indent` and ending with a newline.
  [[nodiscard]] std::string text(const std::string& indent = "") const;

 private:
  std::vector<column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Characters of a UTF-8 text, assuming each is one cell wide.
[[nodiscard]] std::size_t displayed_width(const std::string& text);

}  // namespace steelyard::tool
