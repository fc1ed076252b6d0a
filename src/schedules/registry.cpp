// SPDX-License-Identifier: Apache-2.0
#include "schedules/registry.hpp"

#include "schedules/own.hpp"
#include "schedules/table.hpp"
#include "support/words.hpp"
#include "sync/real.hpp"

namespace steelyard::schedules {
namespace {

constexpr alias all_aliases[] = {{"ss", "dynamic"},     {"gss", "guided"}, {"tss", "trapezoid"},
                                 {"fac2", "factoring"}, {"mfac", "fac"},   {"faca", "fac"}};

}  // namespace

std::span<const operations> all() noexcept { return table<sync::real>; }

std::span<const alias> aliases() noexcept { return all_aliases; }

const operations* find(std::string_view name) noexcept {
  for (const auto& row : all()) {
    if (support::same_word(row.about.name, name)) return &row;
  }
  for (const auto& row : own()) {
    if (support::same_word(row.about.name, name)) return &row;
  }
  for (const auto& [other, meant] : all_aliases) {
    if (support::same_word(other, name)) return find(meant);
  }
  return nullptr;
}

}  // namespace steelyard::schedules
