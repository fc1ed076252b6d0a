// SPDX-License-Identifier: Apache-2.0
#include "openmp/report/unmet_rules.hpp"

#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>

#include "openmp/host/text.hpp"
#include "openmp/program/loops_file.hpp"
#include "openmp/program/site.hpp"

namespace steelyard::openmp {
namespace {

/// Without a report nobody noted which calls begin loops: then each call site counts.
bool counts(const site& at) noexcept { return !config.reporting || at.is_loop(); }

const char* path_of(const site& at) noexcept { return at.in != nullptr ? at.in->path : nullptr; }

enum class meeting { none, near, met };

/// `near`: in the program, but elsewhere. What a library's or another program's rule misses is no mistake.
meeting meeting_of(const loop_rule& rule, const char* program) noexcept {
  const bool is_by_line = rule.line != 0;
  bool near = !is_by_line && in_same_file(rule, program, nullptr);
  for (const site* s = first_site(); s != nullptr; s = s->next) {
    if (!counts(*s)) continue;
    if (is_for(rule, path_of(*s), s->offset, s->ident)) return meeting::met;
    const bool of_program = path_of(*s) != nullptr && std::strcmp(path_of(*s), program) == 0;
    near = near || (is_by_line && of_program && in_same_file(rule, nullptr, s->ident));
  }
  return near && !rule.may_be_absent ? meeting::near : meeting::none;
}

struct findings {
  const loop_rule* first_near = nullptr;
  std::size_t near = 0;
  std::size_t met = 0;
  const loop_rule* first_line = nullptr;  ///< that names a position in the source
};

findings look(const char* program) noexcept {
  findings found;
  for (std::size_t i = 0; i < config.rule_count; ++i) {
    const loop_rule& rule = config.rules[i];
    const meeting what = meeting_of(rule, program);
    if (what == meeting::met) ++found.met;
    if (what == meeting::near && ++found.near == 1) found.first_near = &rule;
    if (rule.line != 0 && !rule.may_be_absent && found.first_line == nullptr) found.first_line = &rule;
  }
  return found;
}

bool any_loop() noexcept {
  for (const site* s = first_site(); s != nullptr; s = s->next) {
    if (counts(*s)) return true;
  }
  return false;
}

bool any_position() noexcept {
  for (const site* s = first_site(); s != nullptr; s = s->next) {
    if (counts(*s) && place_in(s->ident).line != 0) return true;
  }
  return false;
}

using site_name = char[140];

const char* name_of(const loop_rule& rule, site_name& out) noexcept {
  if (rule.line != 0) {
    std::snprintf(out, sizeof out, "%.100s:%lu", rule.place, static_cast<unsigned long>(rule.line));
  } else {
    std::snprintf(out, sizeof out, "%.100s+0x%llx", rule.place, static_cast<unsigned long long>(rule.offset));
  }
  return out;
}

}  // namespace

void say_unmet_rules() noexcept {
  if (config.rule_count == 0 || !any_loop()) return;
  char program[PATH_MAX] = "";
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length > 0 ? length : 0] = '\0';
  const findings found = look(program);
  settings::warning line = "";
  site_name name = "";
  bool unasked = true;
  if (found.near != 0) {
    char more[40] = "";
    if (found.near > 1) std::snprintf(more, sizeof more, " (and %zu more)", found.near - 1);
    std::snprintf(line, sizeof line, "loops file: no loop ran at %s%s; if the program was rebuilt, compare it again",
                  name_of(*found.first_near, name), more);
  } else if (found.met == 0 && found.first_line != nullptr && !any_position()) {
    std::snprintf(line, sizeof line,
                  "loops file: only steelyard run, given the program itself, finds %s here; else write module+0xOFFSET",
                  name_of(*found.first_line, name));
  } else if (found.met == 0 && config.reporting) {
    std::snprintf(line, sizeof line, "loops file: no line of it names a loop that ran in this process");
    unasked = false;
  }
  if (line[0] == '\0') return;
  std::memcpy(config.new_warning(), line, sizeof line);
  if (unasked || config.verbose) say("%s", line);
}

}  // namespace steelyard::openmp
