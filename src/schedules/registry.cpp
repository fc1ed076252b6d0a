// SPDX-License-Identifier: Apache-2.0
#include "schedules/registry.hpp"

#include "schedules/table.hpp"
#include "schedules/words.hpp"
#include "sync/real.hpp"

namespace steelyard::schedules {
std::span<const operations> all() noexcept { return table<sync::real>; }

const operations* find(std::string_view name) noexcept {
  for (const auto& row : all()) {
    if (same_word(row.about.name, name)) return &row;
  }
  return nullptr;
}

}  // namespace steelyard::schedules
