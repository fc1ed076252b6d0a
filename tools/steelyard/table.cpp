// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <algorithm>

namespace steelyard::tool {
namespace {

std::string padded(const std::string& cell, std::size_t width, table::side align) {
  const auto used = displayed_width(cell);
  const std::string space(width > used ? width - used : 0, ' ');
  return align == table::left ? cell + space : space + cell;
}

void add_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + '\n';
}

}  // namespace

std::size_t displayed_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string table::text(const std::string& indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    auto width = displayed_width(columns_[c].title);
    for (const auto& row : rows_) {
      if (c < row.size()) width = std::max(width, displayed_width(row[c]));
    }
    widths.push_back(width);
  }
  std::string all;
  std::string heading = indent;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    heading += (c == 0 ? "" : "  ") + padded(columns_[c].title, widths[c], columns_[c].align);
  }
  add_line(all, heading);
  for (const auto& row : rows_) {
    std::string line = indent;
    for (std::size_t c = 0; c < std::min(row.size(), columns_.size()); ++c) {
      line += (c == 0 ? "" : "  ") + padded(row[c], widths[c], columns_[c].align);
    }
    add_line(all, line);
  }
  return all;
}

}  // namespace steelyard::tool
