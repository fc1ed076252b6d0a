// SPDX-License-Identifier: Apache-2.0
#include "loop/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "learn/work_clock.hpp"
#include "runtime/environment.hpp"
#include "schedules/plug_in.hpp"
#include "schedules/registry.hpp"
#include "support/say.hpp"
#include "support/words.hpp"
#include "sync/forks.hpp"

namespace steelyard::loop {
namespace {

/// Where the program was started; empty: nobody asks.
char started_in[4096];

/// The path of a plug-in that is not whole begins there, wherever the program has gone until its first loop.
[[gnu::constructor]] void note_folder() noexcept {
  const char* const text = std::getenv("STEELYARD_SCHEDULE");
  if (text == nullptr || *text == '/' || !schedules::names_plug_in(text)) return;
  if (getcwd(started_in, sizeof started_in) == nullptr) started_in[0] = '\0';
}

/// What STEELYARD_SCHEDULE said: choices are views of it, and programs that set their title write over their environment. It stays, as loops may
/// run until the very end.
[[gnu::used]] const std::string* said = nullptr;

const char* kept(std::string_view text) {
  auto& copy = *new std::string;
  said = &copy;
  text = support::trimmed(text);
  if (started_in[0] != '\0') {
    while (text.starts_with("./")) text.remove_prefix(2);
    copy.append(started_in) += '/';
  }
  return copy.append(text).c_str();
}

/// The choice in STEELYARD_SCHEDULE; nothing when there is none.
std::optional<schedules::choice> schedule() {
  const char* text = std::getenv("STEELYARD_SCHEDULE");
  if (text == nullptr || *text == '\0') return std::nullopt;
  text = kept(text);
  if (schedules::names_plug_in(text)) {
    const auto loaded = schedules::load_choice(text);
    if (loaded.value.schedule != nullptr) return loaded.value;
    support::say("STEELYARD_SCHEDULE='%.200s' %s; it is ignored", text, loaded.wrong);
    return std::nullopt;
  }
  const auto parsed = schedules::parse_choice(text);
  if (parsed.error == schedules::choice_error::none) return parsed.value;
  support::say("STEELYARD_SCHEDULE='%.200s' %s", text, schedules::explain(parsed.error));
  return std::nullopt;
}

constexpr std::string_view parts[] = {"reuse", "equal", "guarded", "search", "expensive", "sparing"};

/// Which of the parts STEELYARD_WITHOUT names.
std::array<bool, std::size(parts)> left_out() noexcept {
  std::array<bool, std::size(parts)> found{};
  const char* const text = std::getenv("STEELYARD_WITHOUT");
  for (std::string_view rest = text != nullptr ? text : ""; !rest.empty();) {
    const auto word = support::take_first(rest, ',');
    const auto at = static_cast<std::size_t>(std::find(std::begin(parts), std::end(parts), word) - std::begin(parts));
    if (at < found.size()) {
      found[at] = true;
    } else {
      support::say(
          "'%.*s' in STEELYARD_WITHOUT is ignored; reuse, equal, guarded, search, expensive and "
          "sparing are known",
          static_cast<int>(word.size()), word.data());
    }
  }
  return found;
}

/// STEELYARD_LEARN_BY: what measures the blocks of loops with learnt shares.
void read_learn_by() {
  const char* const text = std::getenv("STEELYARD_LEARN_BY");
  if (text == nullptr || *text == '\0' || support::same_word(text, "ticks")) return;
  if (!support::same_word(text, "instructions")) {
    support::say("STEELYARD_LEARN_BY='%.80s' is ignored; give ticks or instructions", text);
    return;
  }
  const int error = learn::work.count_instructions(learn::instructions_of_kernel);
  if (error == 0) return;
  support::say("the kernel lets no instructions be counted here (%s); blocks are measured by time",
               std::strerror(error));
}

settings_of_process read() {
  read_learn_by();
  const auto told = schedule();
  const auto [reuse, equal, guarded, search, expensive, sparing] = left_out();
  const schedules::choice ours{schedules::find("automatic"), 0};
  return {told.value_or(ours),
          told.has_value(),
          {!reuse, !equal, !guarded},
          search ? schedules::halving::iterations : schedules::halving::search,
          !expensive,
          !sparing,
          runtime::is_on("STEELYARD_VERBOSE"),
          runtime::is_on("STEELYARD_ONE_TRY"),
          runtime::number_in("STEELYARD_LEAST_LEFT", std::numeric_limits<std::uint32_t>::max()).value_or(0)};
}

}  // namespace

const settings_of_process& settings() {
  static constinit sync::made_once<settings_of_process> known;
  return known.get(read);
}

}  // namespace steelyard::loop
