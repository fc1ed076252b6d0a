// SPDX-License-Identifier: Apache-2.0
#include "loop/settings.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/pool.hpp"
#include "schedules/registry.hpp"
#include "topology/allowed.hpp"

namespace steelyard::loop {
namespace {

std::uint32_t threads() {
  const char* const text = std::getenv("STEELYARD_NUM_THREADS");
  if (text != nullptr && *text != '\0') {
    std::uint32_t wanted = 0;
    const char* const end = text + std::strlen(text);
    const auto [at, failed] = std::from_chars(text, end, wanted);
    if (failed == std::errc{} && at == end && wanted >= 1 && wanted <= runtime::pool::most_workers + 1) return wanted;
    std::fprintf(stderr, "steelyard: STEELYARD_NUM_THREADS='%s' is ignored; give a whole number from 1 to %u\n", text,
                 runtime::pool::most_workers + 1);
  }
  return topology::allowed().effective();
}

schedules::choice schedule() {
  const schedules::choice ours{schedules::find("steal"), 0};
  const char* const text = std::getenv("STEELYARD_SCHEDULE");
  if (text == nullptr || *text == '\0') return ours;
  const auto parsed = schedules::parse_choice(text);
  if (parsed.error == schedules::choice_error::none) return parsed.value;
  std::fprintf(stderr, "steelyard: STEELYARD_SCHEDULE='%s' %s\n", text, schedules::explain(parsed.error));
  return ours;
}

}  // namespace

const settings_of_process& settings() {
  static const settings_of_process known{threads(), schedule()};
  return known;
}

}  // namespace steelyard::loop
