// SPDX-License-Identifier: Apache-2.0
#include "loop/settings.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

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

/// The choice in STEELYARD_SCHEDULE; nothing when there is none.
std::optional<schedules::choice> schedule() {
  const char* const text = std::getenv("STEELYARD_SCHEDULE");
  if (text == nullptr || *text == '\0') return std::nullopt;
  const auto parsed = schedules::parse_choice(text);
  if (parsed.error == schedules::choice_error::none) return parsed.value;
  std::fprintf(stderr, "steelyard: STEELYARD_SCHEDULE='%s' %s\n", text, schedules::explain(parsed.error));
  return std::nullopt;
}

bool leaves_out(const char* what) noexcept {
  const char* const text = std::getenv("STEELYARD_WITHOUT");
  return text != nullptr && std::strstr(text, what) != nullptr;
}

std::uint32_t least_left() noexcept {
  const char* const text = std::getenv("STEELYARD_LEAST_LEFT");
  return text != nullptr ? static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10)) : 0;
}

settings_of_process read() {
  const auto told = schedule();
  const schedules::choice ours{schedules::find("steal"), 0};
  return {threads(),
          told.value_or(ours),
          told.has_value(),
          {!leaves_out("reuse"), !leaves_out("equal"), !leaves_out("guarded")},
          leaves_out("search") ? schedules::halving::iterations : schedules::halving::search,
          !leaves_out("dearest"),
          least_left()};
}

}  // namespace

const settings_of_process& settings() {
  static const settings_of_process known = read();
  return known;
}

}  // namespace steelyard::loop
