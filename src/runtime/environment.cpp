// SPDX-License-Identifier: Apache-2.0
#include "runtime/environment.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "runtime/pool.hpp"
#include "support/on_off.hpp"
#include "support/say.hpp"
#include "support/variables.hpp"
#include "sync/forks.hpp"
#include "topology/allowed.hpp"

namespace steelyard::runtime {

std::optional<std::uint32_t> number_in(const char* variable, std::uint32_t most) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return std::nullopt;
  std::uint32_t wanted = 0;
  const char* const end = text + std::strlen(text);
  const auto [at, failed] = std::from_chars(text, end, wanted);
  if (failed == std::errc{} && at == end && wanted >= 1 && wanted <= most) return wanted;
  support::say("%s='%.80s' is ignored; give a whole number from 1 to %u", variable, text, most);
  return std::nullopt;
}

bool is_on(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return false;
  const auto said = support::on_or_off(text);
  if (!said) support::say("%s='%.80s' is ignored; give 0 or 1", variable, text);
  return said.value_or(false);
}

namespace {

void say_unknown() {
  support::each_unknown_variable(environ, [](std::string_view written, std::string_view nearest) {
    support::say("STEELYARD_%.*s means nothing; did you mean STEELYARD_%.*s?", static_cast<int>(written.size()),
                 written.data(), static_cast<int>(nearest.size()), nearest.data());
  });
}

}  // namespace

std::uint32_t threads_of_process() {
  static constinit sync::made_once<std::uint32_t> known;
  return known.get([] {
    say_unknown();
    const auto told = number_in("STEELYARD_NUM_THREADS", pool::most_workers + 1);
    return told ? *told : topology::allowed().effective();
  });
}

bool measures_spans() noexcept {
  static constinit sync::made_once<bool> known;
  return known.get([] { return is_on("STEELYARD_SPAN"); });
}

}  // namespace steelyard::runtime
