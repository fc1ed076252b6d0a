// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "command/commands.hpp"
#include "measure/start.hpp"
#include "read/knowledge.hpp"
#include "read/loop_calls.hpp"
#include "read/loops_file.hpp"
#include "read/modules.hpp"
#include "read/schedule_text.hpp"
#include "read/shim.hpp"
#include "read/source_loops.hpp"
#include "read/target.hpp"
#include "read/translate.hpp"
#include "schedules/registry.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

/// What `run` does when it is not told: what is found to be the best for each loop, unless the environment already chooses.
std::optional<std::string> default_schedule() {
  if (is_set("STEELYARD_SCHEDULE") || is_set("STEELYARD_LOOPS")) return std::nullopt;
  const char* openmp = std::getenv("OMP_SCHEDULE");
  if (openmp != nullptr && only_ours(openmp)) return std::nullopt;
  return "automatic";
}

/// A pattern that still names the same place after the program changed its folder.
std::string checked_report(const std::string& pattern) {
  const auto absolute = fs::absolute(pattern);
  const auto folder = absolute.parent_path();
  if (fs::is_directory(absolute)) {
    throw failure(bad_usage, fmt::format("--report {}: is a directory; name a file in it", pattern));
  }
  if (folder.native().find('%') == std::string::npos && access(folder.c_str(), W_OK | X_OK) != 0) {
    throw failure(bad_usage,
                  fmt::format("--report {}: cannot write in {}; name a folder that exists", pattern, folder.native()));
  }
  return absolute.native();
}

void say(const std::string& line) { fmt::print(stderr, "steelyard: {}\n", line); }

/// The file that the library reads: the user's, unless it names loops by lines that only debug information knows. Empty:
/// nothing in it can be used, and that was said.
std::string checked_loops(const std::string& file, const target& program) {
  const auto found = read_loops_file(file);
  if (found.choices.empty()) {
    throw failure(bad_usage,
                  fmt::format("--loops {}: no line names a loop; write SITE SCHEDULE[,CHUNK]", printable(file)));
  }
  if (!found.warning.empty()) say(found.warning);
  const auto by_line = [](const auto& choice) { return !choice.file.empty(); };
  if (program.unreachable.empty() && std::any_of(found.choices.begin(), found.choices.end(), by_line)) {
    const source_loops loops(modules_of(program));
    if (!loops.empty()) {
      const auto lines = translate(found, loops, file, program.file.filename().native());
      for (const auto& remark : lines.remarks) say(remark);
      return lines.text.empty() ? "" : open_file_with(lines.text);
    }
  }
  return fs::absolute(file).native();
}

/// Whether all its loops are those of libsteelyard.so, whose own default may know more than ours.
bool is_of_our_library(const target& program) {
  if (program.remark.empty() || !program.unreachable.empty()) return false;  // calls an OpenMP runtime
  const auto modules = modules_of(program);
  const auto has_loops = [](const auto& module) { return !find_loop_calls(module).empty(); };
  return uses_our_library(modules) && std::none_of(modules.begin(), modules.end(), has_loops);
}

/// What --schedule says, as the library reads it.
std::optional<std::string> told_schedule(const run_options& options) {
  if (!options.schedule) return std::nullopt;
  return is_as_written(*options.schedule) ? "" : checked_schedule(*options.schedule, "--schedule");
}

/// Others learn nothing that would be remembered. `automatic` is the default of our library, too.
bool may_be_automatic(const shim_settings& settings, bool is_of_our_library) {
  if (settings.schedule) {
    const auto* const told = schedules::parse_choice(*settings.schedule).value.schedule;
    return (told != nullptr && told == schedules::find("automatic")) || settings.loops;
  }
  return is_of_our_library || settings.loops || is_set("STEELYARD_SCHEDULE") || is_set("STEELYARD_LOOPS") ||
         is_set("OMP_SCHEDULE");
}

shim_settings settings_of(const run_options& options, std::optional<std::string> told, const target& program) {
  shim_settings settings;
  settings.schedule = std::move(told);
  const bool is_left_to_library = !options.schedule && !options.loops && is_of_our_library(program);
  if (!options.schedule && !options.loops && !is_left_to_library) settings.schedule = default_schedule();
  if (options.loops) settings.loops = checked_loops(*options.loops, program);
  if (options.report) settings.report = checked_report(*options.report);
  if (options.verbose) settings.verbose = true;
  if (!is_set("STEELYARD_KNOWLEDGE") && may_be_automatic(settings, is_left_to_library))
    settings.knowledge = usual_knowledge().native();
  if (options.split_chunks) settings.split_chunks = true;
  if (options.free_reductions) settings.free_reductions = true;
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
  // First, because in `--schedule dynamic, 64` the mistake is not that there is no program named 64.
  auto told = told_schedule(options);
  const auto program = inspect(find_program(options.program.front()));
  const auto settings = settings_of(options, std::move(told), program);
  prepare(program, settings, options.verbose);
  start(program, options.program);
}

}  // namespace steelyard::tool
