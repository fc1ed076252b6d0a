// SPDX-License-Identifier: Apache-2.0
#include "schedules/registry.hpp"

#include "schedules/table.hpp"
#include "sync/real.hpp"

namespace steelyard::schedules {
namespace {

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

}  // namespace

std::span<const operations> all() noexcept { return table<sync::real>; }

const operations* find(std::string_view name) noexcept {
  for (const auto& row : all()) {
    if (same_name(row.about.name, name)) return &row;
  }
  return nullptr;
}

}  // namespace steelyard::schedules
