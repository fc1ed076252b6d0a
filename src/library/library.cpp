// SPDX-License-Identifier: Apache-2.0
#include <steelyard/steelyard.h>

#include <cstddef>
#include <string_view>

#include "schedules/choice.hpp"
#include "schedules/registry.hpp"

namespace {

using steelyard::schedules::all;
using steelyard::schedules::traits;

const traits* about(std::size_t index) noexcept { return index < all().size() ? &all()[index].about : nullptr; }

}  // namespace

const char* steelyard_version() noexcept { return STEELYARD_VERSION; }

std::size_t steelyard_schedule_count() noexcept { return all().size(); }

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
  const auto* row = name != nullptr ? steelyard::schedules::find(name) : nullptr;
  return row != nullptr ? static_cast<std::size_t>(row - all().data()) : all().size();
}

const char* steelyard_schedule_parse(const char* text, steelyard_choice* choice) noexcept {
  using namespace steelyard::schedules;
  const auto parsed = parse_choice(text != nullptr ? std::string_view{text} : std::string_view{});
  if (parsed.error != choice_error::none) return explain(parsed.error);
  if (choice != nullptr) {
    *choice = {static_cast<std::size_t>(parsed.value.schedule - all().data()), parsed.value.chunk};
  }
  return nullptr;
}
