// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "commands.hpp"
#include "failure.hpp"
#include "loops_file.hpp"
#include "schedule_text.hpp"
#include "schedules/registry.hpp"
#include "shim.hpp"
#include "start.hpp"
#include "target.hpp"

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

/// What `run` does when it is not told: our own schedule, unless the environment already chooses one.
std::optional<std::string> default_schedule() {
  if (is_set("STEELYARD_SCHEDULE") || is_set("STEELYARD_LOOPS")) return std::nullopt;
  const char* openmp = std::getenv("OMP_SCHEDULE");
  if (openmp != nullptr && only_ours(openmp)) return std::nullopt;
  return schedules::find("steal") == nullptr ? schedules::all().front().about.name : "steal";
}

/// A pattern that still names the same place after the program changed its folder.
std::string checked_report(const std::string& pattern) {
  const auto absolute = fs::absolute(pattern);
  const auto folder = absolute.parent_path();
  if (folder.native().find('%') == std::string::npos && access(folder.c_str(), W_OK | X_OK) != 0) {
    throw failure(bad_usage,
                  fmt::format("--report {}: cannot write in {}; name a folder that exists", pattern, folder.native()));
  }
  return absolute.native();
}

void say(const std::string& line) { fmt::print(stderr, "steelyard: {}\n", line); }

std::string checked_loops(const std::string& file) {
  const auto found = read_loops_file(file);
  if (found.choices.empty()) {
    throw failure(bad_usage, fmt::format("--loops {}: no line names a loop; write SITE SCHEDULE[,CHUNK]", file));
  }
  if (!found.warning.empty()) say(found.warning);
  return fs::absolute(file).native();
}

shim_settings settings_of(const run_options& options) {
  shim_settings settings;
  if (options.schedule && is_as_written(*options.schedule)) {
    settings.schedule = "";
  } else if (options.schedule) {
    settings.schedule = checked_schedule(*options.schedule, "--schedule");
  } else if (!options.loops) {
    settings.schedule = default_schedule();
  }
  if (options.loops) settings.loops = checked_loops(*options.loops);
  if (options.report) settings.report = checked_report(*options.report);
  if (options.verbose) settings.verbose = true;
  return settings;
}

/// Tells the library what to do, or says in one line why it cannot be loaded.
void prepare(const target& program, const shim_settings& settings, bool verbose) {
  if (!program.unreachable.empty()) {
    say(fmt::format("{} {}; running it as it was", program.inspected.native(), program.unreachable));
    return;
  }
  if (verbose && !program.remark.empty()) say(program.remark);
  try {
    apply(shim_environment(preloadable(find_shim()), settings));
  } catch (const failure& missing) {
    if (is_set("STEELYARD_LIBRARY")) throw;
    say(fmt::format("{}; running it as it was", missing.what()));
  }
}

}  // namespace

int run_command(const run_options& options) {
  const auto settings = settings_of(options);
  const auto program = inspect(find_program(options.program.front()));
  prepare(program, settings, options.verbose);
  start(program, options.program);
}

}  // namespace steelyard::tool
