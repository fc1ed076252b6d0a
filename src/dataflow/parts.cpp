// SPDX-License-Identifier: Apache-2.0
// Of the graph: which parts of an array overlap, and which are forgotten.
#include <algorithm>
#include <utility>

#include "dataflow/graph.hpp"
#include "support/assert.hpp"

namespace steelyard::dataflow {
namespace {

constexpr std::uint64_t most_squares = 64;
/// A square with more parts is divided, if they are smaller.
constexpr std::size_t crowd = 32;

template <class T>
void erase_one(std::vector<T*>& from, const T* which) noexcept {
  const auto found = std::find(from.begin(), from.end(), which);
  if (found == from.end()) return;
  *found = from.back();
  from.pop_back();
}

bool overlap(std::uint64_t a, std::uint64_t a_length, std::uint64_t b, std::uint64_t b_length) noexcept {
  return a < b ? b - a < a_length : a - b < b_length;
}

}  // namespace

std::size_t graph::square_hash::operator()(const square& of) const noexcept {
  const std::uint64_t both = of.row * 0x9e3779b97f4a7c15U + of.column;
  return both ^ both >> 32;
}

/// Those that a part lies in.
struct graph::area {
  std::uint64_t first_row, last_row, first_column, last_column;

  area(const array& of, const key& at) noexcept
      : first_row(at.row / of.unit_rows), last_row((at.row + at.rows - 1) / of.unit_rows),
        first_column(at.column / of.unit_columns), last_column((at.column + at.columns - 1) / of.unit_columns) {}
  [[nodiscard]] bool is_wide() const noexcept {
    const auto down = last_row - first_row + 1, across = last_column - first_column + 1;
    return down > most_squares || across > most_squares / down;
  }
  [[nodiscard]] bool has(std::uint64_t row, std::uint64_t column) const noexcept {
    return row >= first_row && row <= last_row && column >= first_column && column <= last_column;
  }
  template <class F>
  void for_each(F f) const {
    for (auto row = first_row; row <= last_row; ++row) {
      for (auto column = first_column; column <= last_column; ++column) f(square{row, column});
    }
  }
};

void graph::find_overlapping(located& part) {
  const key& at = part.first;
  auto& mine = part.second;
  auto& in = arrays_.try_emplace(at.of, array{at.rows, at.columns, {}, {}, {}}).first->second;
  const area all(in, at);
  mine.is_wide = all.is_wide();  // known to who takes it out again, whatever fails behind this
  mine.number = in.all.size();
  in.all.push_back(&part);
  mine.seen = ++searches_;
  const auto meet = [&](located* other) {
    const key& there = other->first;
    auto& its = other->second;
    if (its.seen == searches_) return;
    its.seen = searches_;
    if (!overlap(at.row, at.rows, there.row, there.rows) ||
        !overlap(at.column, at.columns, there.column, there.columns))
      return;
    mine.overlapping.push_back(other);
    its.overlapping.push_back(&part);
  };
  if (mine.is_wide) {
    std::for_each(in.all.begin(), in.all.end(), meet);
    in.wide.push_back(&part);
    return;
  }
  std::for_each(in.wide.begin(), in.wide.end(), meet);
  bool is_crowded = false;
  all.for_each([&](const square& which) {
    auto& there = in.grid[which];
    std::for_each(there.begin(), there.end(), meet);
    there.push_back(&part);
    is_crowded |= there.size() > crowd;
  });
  if (is_crowded) refine(in, at);
}

/// Smaller squares, if parts are as small as that one: half as many rows or columns at most, so this comes rarely.
void graph::refine(array& in, const key& like) {
  constexpr std::uint64_t most_parts = 8;
  const auto divided = [](std::uint64_t unit, std::uint64_t wanted) {
    return wanted <= unit / 2 ? std::max(wanted, unit / most_parts) : unit;
  };
  array finer{divided(in.unit_rows, like.rows), divided(in.unit_columns, like.columns), {}, {}, {}};
  if (finer.unit_rows == in.unit_rows && finer.unit_columns == in.unit_columns) return;
  finer.wide.reserve(in.all.size());
  for (located* const each : in.all) {
    const area its(finer, each->first);
    if (its.is_wide()) {
      finer.wide.push_back(each);
    } else {
      its.for_each([&](const square& which) { finer.grid[which].push_back(each); });
    }
  }
  for (located* const each : in.all) each->second.is_wide = area(finer, each->first).is_wide();
  finer.all.swap(in.all);
  in = std::move(finer);
}

/// It has been written, so whoever accesses what lies in it has to wait for that only.
void graph::cover(located& written) noexcept {
  const auto& [by, its] = written;
  const auto ends = [](std::uint64_t first, std::uint64_t length) { return first + length - 1; };
  for (std::size_t i = its.overlapping.size(); i-- > 0;) {
    located& other = *its.overlapping[i];
    if (other.second.used == tasks_) continue;
    key left = other.first;
    const bool rows = by.row <= left.row && ends(by.row, by.rows) >= ends(left.row, left.rows);
    const bool columns = by.column <= left.column && ends(by.column, by.columns) >= ends(left.column, left.columns);
    const auto cut = [&](std::uint64_t first, std::uint64_t length, std::uint64_t& of, std::uint64_t& its_length) {
      const auto end = ends(of, its_length);
      if (first <= of) {
        of = ends(first, length) + 1;
        its_length = end - of + 1;
      } else if (ends(first, length) >= end) {
        its_length = first - of;
      } else {
        return false;
      }
      return true;
    };
    if (rows && columns) {
      forget(other);
    } else if ((rows && cut(by.column, by.columns, left.column, left.columns)) ||
               (columns && cut(by.row, by.rows, left.row, left.rows))) {
      shrink(other, left);
    }
  }
}

/// From now on nobody finds it by its name, but by where it lies.
void graph::shrink(located& part, const key& to) noexcept {
  auto& in = arrays_.find(part.first.of)->second;
  if (!part.second.is_wide) {
    const area left(in, to);
    area(in, part.first).for_each([&](const square& which) {
      if (left.has(which.row, which.column)) return;
      const auto its = in.grid.find(which);
      STEELYARD_ASSERT(its != in.grid.end(), "graph.hpp: a part lies in all its squares");
      erase_one(its->second, &part);
      if (its->second.empty()) in.grid.erase(its);
    });
  }
  auto node = places_.extract(part.first);
  STEELYARD_ASSERT(!node.empty(), "graph.hpp: what is left of a part is known");
  node.key() = to;
  node.key().rest = ++rests_;
  places_.insert(std::move(node));
  auto& [at, mine] = part;
  for (std::size_t i = mine.overlapping.size(); i-- > 0;) {
    auto& [there, its] = *mine.overlapping[i];
    if (overlap(at.row, at.rows, there.row, there.rows) && overlap(at.column, at.columns, there.column, there.columns))
      continue;
    erase_one(its.overlapping, &part);
    mine.overlapping[i] = mine.overlapping.back();
    mine.overlapping.pop_back();
  }
}

/// Nobody has to wait for those who have accessed it. Where it was to be found it may not be yet.
void graph::forget(located& gone) noexcept {
  auto& [at, mine] = gone;
  const auto found = at.rows == STEELYARD_WHOLE ? arrays_.end() : arrays_.find(at.of);
  if (found != arrays_.end()) {
    auto& in = found->second;
    for (located* const other : mine.overlapping) erase_one(other->second.overlapping, &gone);
    if (mine.is_wide) {
      erase_one(in.wide, &gone);
    } else {
      area(in, at).for_each([&](const square& which) {
        const auto its = in.grid.find(which);
        if (its == in.grid.end()) return;
        erase_one(its->second, &gone);
        if (its->second.empty()) in.grid.erase(its);
      });
    }
    if (mine.number < in.all.size() && in.all[mine.number] == &gone) {
      in.all[mine.number] = in.all.back();
      in.all[mine.number]->second.number = mine.number;
      in.all.pop_back();
    }
    if (in.all.empty()) arrays_.erase(found);
  }
  const auto its = places_.find(at);
  STEELYARD_ASSERT(its != places_.end(), "graph.hpp: what is forgotten was known");
  places_.erase(its);
}

}  // namespace steelyard::dataflow
