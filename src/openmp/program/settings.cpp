// SPDX-License-Identifier: Apache-2.0
#include "openmp/program/settings.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "openmp/host/slab.hpp"
#include "openmp/host/text.hpp"
#include "openmp/program/loops_file.hpp"
#include "openmp/program/plug_ins.hpp"
#include "openmp/program/runtime.hpp"
#include "schedules/plug_in.hpp"
#include "schedules/registry.hpp"
#include "support/on_off.hpp"
#include "support/variables.hpp"
#include "support/words.hpp"

namespace steelyard::openmp {

constinit settings config;

namespace {

using std::string_view;
using support::value_of;

void warn(const char* variable, const char* value, const char* why) noexcept {
  auto& line = config.new_warning();
  std::snprintf(line, sizeof line, "%s=%.80s %s", variable, value, why);
  say("%s; it is ignored", line);
}

/// Whether a variable is switched on. `usual`: where it is absent, empty, or says neither.
bool is_on(char** environment, const char* variable, bool usual = false) noexcept {
  const char* const value = value_of(environment, variable);
  if (value == nullptr || *value == '\0') return usual;
  const auto said = support::on_or_off(value);
  if (!said) warn(variable, value, "is neither 0 nor 1");
  return said.value_or(usual);
}

/// A form is a view of its text, and programs that set their title write over their environment.
schedules::choice with_kept_form(const schedules::choice& chosen, string_view value) noexcept {
  void* const copy = !chosen.form.empty() ? slab_take(value.size()) : nullptr;
  if (copy == nullptr) return chosen;
  std::memcpy(copy, value.data(), value.size());
  return schedules::parse_choice({static_cast<const char*>(copy), value.size()}).value;
}

void read_schedule(const char* value) noexcept {
  if (value == nullptr || *value == '\0') return;
  if (schedules::names_plug_in(value)) {
    config.all = to_be_loaded(schedules::not_yet_loaded(value));
    return;
  }
  const auto parsed = schedules::parse_choice(value);
  if (parsed.error != schedules::choice_error::none) {
    warn("STEELYARD_SCHEDULE", value, schedules::explain(parsed.error));
    return;
  }
  config.all = with_kept_form(parsed.value, value);
}

bool read_learn_by(const char* value) noexcept {
  if (value == nullptr || *value == '\0' || support::same_word(value, "ticks")) return false;
  if (support::same_word(value, "instructions")) return true;
  warn("STEELYARD_LEARN_BY", value, "is no way to measure; write ticks or instructions");
  return false;
}

/// Whether OpenMP itself knows the schedule a text names (or it names none); such values are left to the program's
/// runtime.
bool standard(string_view text) noexcept {
  constexpr string_view names[] = {"", "static", "dynamic", "guided", "auto", "trapezoidal", "static_steal"};
  const auto name = support::trimmed(text.substr(0, text.find(',')));
  for (const auto known : names) {
    if (support::same_word(name, known)) return true;
  }
  return false;
}

/// A copy in `room`: programs that set their title write over their environment. As it was when it does not fit.
template <std::size_t Size>
const char* kept(char (&room)[Size], const char* value) noexcept {
  const std::size_t length = std::strlen(value);
  return length < Size ? static_cast<const char*>(std::memcpy(room, value, length + 1)) : value;
}

void remove(char** environment, const char* value) noexcept {
  char** to = environment;
  for (char** from = environment; *from != nullptr; ++from) {
    if (*from + sizeof "OMP_SCHEDULE" != value) *to++ = *from;
  }
  *to = nullptr;
}

/// Takes OMP_SCHEDULE when it holds a name of ours; unknown names are the runtime's to complain about. What the runtime
/// would complain about because of us, it does not see.
void read_omp_schedule(char** environment) noexcept {
  const char* const value = value_of(environment, "OMP_SCHEDULE");
  if (value == nullptr) return;
  config.omp_schedule = kept(config.omp_schedule_text, value);
  const auto wanted = schedules::without_modifier(config.omp_schedule);
  auto unmodified = wanted;
  unmodified.remove_prefix(wanted.find(':') + 1);  // of `monotonic:`; nothing where there is no colon
  if (standard(unmodified)) config.openmp = schedules::parse_choice(unmodified).value;
  if (standard(wanted)) return;
  const auto parsed = schedules::parse_choice(wanted);
  if (parsed.value.schedule == nullptr && parsed.error == schedules::choice_error::unknown_name) return;
  const bool right = parsed.error == schedules::choice_error::none;
  if (right) {
    config.runtime = with_kept_form(parsed.value, wanted);
  } else {
    warn("OMP_SCHEDULE", value, schedules::explain(parsed.error));
  }
  // A script or a shell keeps the value for the program it starts.
  if (loaded_runtime() == nullptr) return;
  if (!right) return remove(environment, value);
  config.stand_in = parsed.value.chunk != 0 && parsed.value.chunk < 0x7fffffff ? parsed.value.chunk : 1;
  static char standard_value[64];
  std::snprintf(standard_value, sizeof standard_value, "OMP_SCHEDULE=dynamic,%llu",
                static_cast<unsigned long long>(config.stand_in));
  for (char** entry = environment; *entry != nullptr; ++entry) {
    if (*entry + sizeof "OMP_SCHEDULE" == value) *entry = standard_value;
  }
}

/// Whether that holds for what all loops are to run by that can be taken, or one.
template <class Condition>
bool any_forced(Condition holds) noexcept {
  const loop_rule* const rules = config.rules;
  return holds(config.all) ||
         std::any_of(rules, rules + config.rule_count, [&](const loop_rule& rule) { return holds(rule.choice); });
}

/// The same, and for schedule(runtime) loops.
template <class Condition>
bool any_choice(Condition holds) noexcept {
  return any_forced(holds) || holds(config.runtime);
}

/// Whether STEELYARD_WITHOUT, whose other words are the library's, leaves that out.
bool is_left_out(char** environment, string_view part) noexcept {
  const char* const text = value_of(environment, "STEELYARD_WITHOUT");
  for (string_view rest = text != nullptr ? text : ""; !rest.empty();) {
    if (support::take_first(rest, ',') == part) return true;
  }
  return false;
}

/// The program runs all the same. Said once, by the process that has a runtime: not by the shells before it.
void say_unknown(char** environment) noexcept {
  if (loaded_runtime() == nullptr) return;
  support::each_unknown_variable(environment, [](string_view written, string_view nearest) {
    say("STEELYARD_%.*s means nothing; did you mean STEELYARD_%.*s?",
        static_cast<int>(std::min<std::size_t>(written.size(), 80)), written.data(), static_cast<int>(nearest.size()),
        nearest.data());
  });
}

/// STEELYARD_STATIC: 0 takes no static loops, 1 also those that `automatic` leaves alone by itself.
void read_shares(char** environment) noexcept {
  const char* const said = value_of(environment, "STEELYARD_STATIC");
  const bool of_static = is_on(environment, "STEELYARD_STATIC", true);
  config.dynamic = schedules::find("dynamic");
  config.guided = schedules::find("guided");
  config.equal_blocks = schedules::find("static");
  config.shares = any_choice([](const auto& each) { return is_nustatic(each.schedule); }) ||
                  (of_static && any_forced(tells_shares));
  config.shares_are_given =
      any_choice([](const auto& each) { return is_nustatic(each.schedule) && each.shares.members() != 0; });
  config.at_barriers = any_choice([](const auto& each) { return each.at_barriers; });
  config.static_loops = config.shares && of_static;
  config.only_alone = chooses_schedule(config.all.schedule) && (said == nullptr || support::on_or_off(said) != true);
}

/// Where what `automatic` learns is kept for later processes. Others learn nothing of the kind.
void read_knowledge(char** environment) noexcept {
  if (!any_choice([](const auto& each) { return chooses_schedule(each.schedule); })) return;
  const char* const wrong = remember::read(environment, config.knowledge);
  if (wrong != nullptr) warn("STEELYARD_KNOWLEDGE", wrong, remember::why_no_folder(wrong));
}

}  // namespace

void read_settings(char** environment) noexcept {
  if (environment == nullptr || getauxval(AT_SECURE) != 0) return;  // set-uid: the environment is not trusted
  say_unknown(environment);
  read_schedule(value_of(environment, "STEELYARD_SCHEDULE"));
  read_omp_schedule(environment);
  if (const char* file = value_of(environment, "STEELYARD_LOOPS"); file != nullptr && *file != '\0') {
    char wrong[sizeof config.warnings[0]] = "";
    const auto rules = read_loops_file(file, wrong, sizeof wrong);
    if (*wrong != '\0') std::memcpy(config.new_warning(), wrong, sizeof wrong);
    config.rules = rules.data();
    config.rule_count = rules.size();
  }
  const char* const report = value_of(environment, "STEELYARD_REPORT");
  if (report != nullptr && *report != '\0') config.report = kept(config.report_text, report);
  if (config.report != nullptr && *config.report != '/') {
    if (getcwd(config.report_folder, sizeof config.report_folder) == nullptr) config.report_folder[0] = '\0';
  }
  config.verbose = is_on(environment, "STEELYARD_VERBOSE");
  config.measuring = is_on(environment, "STEELYARD_LIMIT");
  config.split_chunks = is_on(environment, "STEELYARD_SPLIT_CHUNKS");
  config.old_names = is_on(environment, "STEELYARD_OLD_NAMES");
  read_shares(environment);
  read_knowledge(environment);
  config.by_instructions = read_learn_by(value_of(environment, "STEELYARD_LEARN_BY")) && config.shares;
  config.free_reductions = is_on(environment, "STEELYARD_FREE_REDUCTIONS");
  config.spares = !is_left_out(environment, "sparing");
  config.reporting = config.report != nullptr || config.verbose || config.measuring;
  config.watching = config.reporting || config.shares;
  config.active = config.reporting || config.all.schedule != nullptr || config.runtime.schedule != nullptr ||
                  config.rule_count != 0;
}

}  // namespace steelyard::openmp
