// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "command/commands.hpp"
#include "measure/budget.hpp"
#include "measure/experiment.hpp"
#include "measure/progress.hpp"
#include "measure/room.hpp"
#include "present/compare_text.hpp"
#include "read/modules.hpp"
#include "read/schedule_text.hpp"
#include "read/shim.hpp"
#include "read/target.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"
#include "topology/allowed.hpp"

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;

/// An empty folder for reports and outputs: the user's, or one that vanishes with it.
class work_folder {
 public:
  explicit work_folder(const std::string& keep) : kept_(!keep.empty()) {
    std::error_code error;
    if (kept_) {
      path_ = fs::absolute(keep);
      fs::create_directories(path_, error);
      if (error || access(path_.c_str(), R_OK | W_OK | X_OK) != 0) {
        throw failure(bad_usage, fmt::format("--keep {}: cannot write there; name a folder of yours", keep));
      }
      if (!fs::is_empty(path_)) {
        throw failure(bad_usage, fmt::format("--keep {}: not empty; name a new folder, or empty this one", keep));
      }
      return;
    }
    const auto parent = fs::temp_directory_path(error);
    if (error) {
      throw failure(bad_usage, fmt::format("no folder for temporary files: {}; set TMPDIR to a folder of yours, or use "
                                           "--keep",
                                           error.message()));
    }
    auto pattern = (parent / "steelyard.XXXXXX").native();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw failure(bad_usage, fmt::format("{}: cannot write there; set TMPDIR or use --keep", pattern));
    }
    path_ = pattern;
  }
  ~work_folder() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
  }
  work_folder(const work_folder&) = delete;
  work_folder& operator=(const work_folder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  bool kept_;
  fs::path path_;
};

/// `measured`: with the runs that measure limits.
std::vector<row> rows_for(const std::vector<std::string>& schedules, bool measured) {
  std::vector<row> rows = {{row::kind::as_written, ""}};
  for (const auto& name : schedules) rows.push_back({row::kind::schedule, name});
  if (measured) rows.push_back({row::kind::limit, ""});
  return rows;
}

target reachable(const compare_options& options) {
  auto program = inspect(find_program(options.program.front()));
  if (!program.unreachable.empty()) {
    throw failure(nothing_to_compare, fmt::format("{} {}", program.inspected.native(), program.unreachable));
  }
  return program;
}

/// As a file's name: the JSON takes the place of the text.
constexpr std::string_view standard_output = "-";

/// Finds out before an hour of measuring whether the result can be written, and leaves nothing behind.
void check_json(const std::string& file) {
  if (file.empty() || file == standard_output) return;
  std::error_code ignored;
  const bool exists = fs::exists(file, ignored);
  const auto folder = fs::absolute(file).parent_path();
  const bool good = exists ? !fs::is_directory(file, ignored) && access(file.c_str(), W_OK) == 0
                           : fs::is_directory(folder, ignored) && access(folder.c_str(), W_OK | X_OK) == 0;
  if (good) return;
  throw failure(bad_usage, fmt::format("--json {}: cannot be written; name a file in a folder of yours", file));
}

void write_json(const std::string& file, const std::string& text) {
  if (file.empty() || file == standard_output) return;
  std::ofstream out(file, std::ios::trunc);
  out << text;
  if (!out.flush()) throw failure(bad_usage, fmt::format("--json {}: cannot be written; is the disk full?", file));
}

constexpr unsigned usual_rounds = 5;
constexpr unsigned most_rounds = 1000;

void set_rounds(experiment_plan& plan, const compare_options& options) {
  plan.rounds = options.rounds.value_or(options.budget ? most_rounds : usual_rounds);
  if (!options.budget) return;
  plan.budget_seconds = parse_duration(*options.budget);
  if (plan.budget_seconds) return;
  throw failure(bad_usage,
                fmt::format("--budget {}: not a time above 0; write 90s, 10m or 1h", printable(*options.budget)));
}

experiment_result measure(const experiment_plan& plan, unsigned cores) {
  progress_bar bar;
  return run_experiment(
      plan, [&](auto done, auto all, const auto& what) { bar.show(done, all, what); },
      [&](const auto& so_far) {
        const auto found = analyse(plan.rows, so_far, cores);
        return advise(found).decided.what == verdict::kind::gain || surely_none(found);
      });
}

/// What is to be run, but for the folder it runs with.
experiment_plan plan_for(const compare_options& options, const target& program) {
  experiment_plan plan;
  set_rounds(plan, options);
  plan.program = &program;
  plan.arguments = options.program;
  plan.ignore_output = options.ignore_output;
  plan.timeout_seconds = options.timeout_seconds;
  plan.threads = options.threads;
  plan.split_chunks = options.split_chunks;
  plan.free_reductions = options.free_reductions;
  plan.keep = !options.keep.empty();
  return plan;
}

/// Runs what is planned.
compare_outcome outcome_of(const experiment_plan& plan, const compare_options& options) {
  compare_outcome all;
  all.options = &options;
  all.of_our_library = plan.of_our_library;
  if (getloadavg(&all.load_before, 1) != 1) all.load_before = 0;
  const auto start = std::chrono::steady_clock::now();
  all.cores = topology::allowed().effective();
  all.paper = standard_page(options.wide);
  all.measured = measure(plan, all.cores);
  all.seconds_taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return all;
}

}  // namespace

int compare_command(const compare_options& options) {
  const auto schedules = options.schedules ? schedule_list(*options.schedules, "--schedules") : usual_schedules();
  const auto program = reachable(options);
  const auto modules = modules_of(program);
  const source_loops loops(modules);
  check_json(options.json);
  auto plan = plan_for(options, program);
  const work_folder folder(options.keep);
  require_room(folder.path());
  plan.of_our_library = uses_our_library(modules);
  plan.rows = rows_for(schedules, !plan.of_our_library || !loops.empty() || loops.any_of_clang());
  plan.library = preloadable(find_shim(), folder.path());
  plan.folder = folder.path();

  auto all = outcome_of(plan, options);
  const bool nothing = !all.measured.nothing_taken.empty();
  if (nothing) plan.rows.resize(1);
  all.found = analyse(plan.rows, all.measured, all.cores);
  symbolise(all.found, loops);
  if (!nothing) all.given = advise(all.found);
  const auto json = compare_json(all);
  fmt::print("{}", options.json == standard_output ? json : compare_text(all));
  write_json(options.json, json);
  if (nothing && !all.measured.interrupted) {
    std::fflush(stdout);  // before the line on standard error
    throw failure(nothing_to_compare, nothing_taken_line(options.program.front(), all.measured));
  }
  return all.measured.interrupted ? interrupted : success;
}

}  // namespace steelyard::tool
