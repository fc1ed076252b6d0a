// SPDX-License-Identifier: Apache-2.0
#include "text/table.hpp"

#include <algorithm>
#include <limits>

#include "text/display.hpp"

namespace steelyard::tool {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t wide_enough = 30;   // for a cell that may lose its middle
constexpr std::size_t least_elided = 12;  // else it says nothing any more
constexpr const char* bright = "\033[1;32m";
constexpr const char* as_before = "\033[0m";

std::string padded(const std::string& cell, std::size_t width, table::side align) {
  const auto used = displayed_width(cell);
  const std::string space(width > used ? width - used : 0, ' ');
  return align == table::left ? cell + space : space + cell;
}

/// Which columns are shown, and how wide.
class layout {
 public:
  layout(const std::vector<table::column>& columns, std::vector<std::size_t> widths, std::size_t indent)
      : columns_(columns), widths_(std::move(widths)), shown_(columns.size(), true), indent_(indent) {}

  void fit(std::size_t width) {
    if (width == 0 || total() <= width) return;
    if (columns_.back().below) shown_.back() = false;
    shrink(width, wide_enough);
    while (total() > width && leave_out()) {
    }
    shrink(width, least_elided);
  }

  [[nodiscard]] bool shows(std::size_t column) const { return shown_[column]; }
  [[nodiscard]] std::size_t width(std::size_t column) const { return widths_[column]; }
  [[nodiscard]] bool puts_below() const { return columns_.back().below && !shown_.back(); }

 private:
  [[nodiscard]] std::size_t total() const {
    std::size_t sum = indent_;
    std::size_t count = 0;
    for (std::size_t c = 0; c < widths_.size(); ++c) {
      if (shown_[c]) sum += widths_[c] + (count++ == 0 ? 0 : gap);
    }
    return sum;
  }

  void shrink(std::size_t width, std::size_t least) {
    const auto one = std::find_if(columns_.begin(), columns_.end(), [](const auto& column) { return column.elided; });
    if (one == columns_.end()) return;
    auto& its = widths_[static_cast<std::size_t>(one - columns_.begin())];
    const auto excess = total() > width ? total() - width : 0;
    const auto wanted = its > excess ? its - excess : 0;
    its = std::min(its, std::max(wanted, least));
  }

  /// The next column in the order; false: all that may be are left out.
  bool leave_out() {
    auto least = std::numeric_limits<unsigned>::max();
    std::size_t next = columns_.size();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (!shown_[c] || columns_[c].leaves == 0 || columns_[c].leaves >= least) continue;
      least = columns_[c].leaves;
      next = c;
    }
    if (next == columns_.size()) return false;
    shown_[next] = false;
    return true;
  }

  const std::vector<table::column>& columns_;
  std::vector<std::size_t> widths_;
  std::vector<bool> shown_;
  std::size_t indent_;
};

std::string line_of(const std::vector<std::string>& cells, const std::vector<table::column>& columns,
                    const layout& how) {
  std::string line;
  bool first = true;
  for (std::size_t c = 0; c < std::min(cells.size(), columns.size()); ++c) {
    if (!how.shows(c)) continue;
    const auto cell = columns[c].elided ? elided(cells[c], how.width(c)) : cells[c];
    line += std::string(first ? 0 : gap, ' ') + padded(cell, how.width(c), columns[c].align);
    first = false;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::vector<std::size_t> table::natural_widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    auto width = displayed_width(columns_[c].title);
    for (const auto& each : rows_) {
      if (c < each.cells.size()) width = std::max(width, displayed_width(each.cells[c]));
    }
    widths.push_back(width);
  }
  return widths;
}

std::string table::text(const std::string& indent, const page& on) const {
  layout how(columns_, natural_widths(), displayed_width(indent));
  how.fit(on.width);
  std::vector<std::string> titles;
  for (const auto& each : columns_) titles.push_back(each.title);
  auto all = indent + line_of(titles, columns_, how) + '\n';
  for (const auto& each : rows_) {
    const auto line = indent + line_of(each.cells, columns_, how);
    all += (each.stands_out && on.colour ? bright + line + as_before : line) + '\n';
    const bool more = how.puts_below() && each.cells.size() == columns_.size() && !each.cells.back().empty();
    if (more) all += wrapped(indent + "    " + each.cells.back() + '\n', on.width);
  }
  return all;
}

}  // namespace steelyard::tool
