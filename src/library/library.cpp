// SPDX-License-Identifier: Apache-2.0
#include <steelyard/own_schedule.h>
#include <steelyard/steelyard.h>

#include <cstddef>
#include <string_view>

#include "schedules/choice.hpp"
#include "schedules/own.hpp"
#include "schedules/registry.hpp"

namespace {

namespace schedules = steelyard::schedules;
using schedules::all;
using schedules::operations;
using schedules::own;
using schedules::traits;

const operations* row_at(std::size_t index) noexcept {
  if (index < all().size()) return &all()[index];
  const auto added = own();
  return index - all().size() < added.size() ? &added[index - all().size()] : nullptr;
}

/// Of a row, or of none: then the number of all.
std::size_t index_of(const operations* row) noexcept {
  std::size_t index = 0;
  while (row_at(index) != row && row_at(index) != nullptr) ++index;
  return index;
}

const traits* about(std::size_t index) noexcept {
  const auto* const row = row_at(index);
  return row != nullptr ? &row->about : nullptr;
}

}  // namespace

const char* steelyard_version() noexcept { return STEELYARD_VERSION; }

std::size_t steelyard_schedule_count() noexcept { return all().size() + own().size(); }

const char* steelyard_schedule_name(std::size_t index) noexcept {
  const auto* row = about(index);
  return row != nullptr ? row->name : nullptr;
}

const char* steelyard_schedule_summary(std::size_t index) noexcept {
  const auto* row = about(index);
  return row != nullptr ? row->summary : nullptr;
}

const char* steelyard_schedule_chunk(std::size_t index) noexcept {
  const auto* row = about(index);
  return row != nullptr ? row->chunk_meaning : nullptr;
}

std::size_t steelyard_schedule_find(const char* name) noexcept {
  return index_of(name != nullptr ? schedules::find(name) : nullptr);
}

const char* steelyard_schedule_parse(const char* text, steelyard_choice* choice) noexcept {
  using namespace steelyard::schedules;
  const auto parsed = parse_choice(text != nullptr ? std::string_view{text} : std::string_view{});
  if (parsed.error != choice_error::none) return explain(parsed.error);
  if (choice != nullptr) {
    *choice = {index_of(parsed.value.schedule), parsed.value.chunk};
  }
  return nullptr;
}

const char* steelyard_schedule_add(const steelyard_schedule* added) noexcept { return schedules::add_own(added); }
