// SPDX-License-Identifier: Apache-2.0
#include "experiment.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "failure.hpp"
#include "process.hpp"
#include "random.hpp"
#include "schedule_text.hpp"
#include "shim.hpp"

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t seed = 20;
constexpr double least_timeout = 60;
constexpr double timeout_factor = 20;

bool limit_in_round(unsigned round, unsigned rounds) {
  return rounds < 3 || round == 0 || round == rounds / 2 || round == rounds - 1;
}

class experiment {
 public:
  experiment(const experiment_plan& plan, const progress_report& progress)
      : plan_(plan), progress_(progress), timeout_(plan.timeout_seconds) {}

  experiment_result all() {
    result_.dropped = variables_to_drop();
    warm_up();
    const auto runs = order_of_runs(plan_.rows, plan_.rounds);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      progress_(i + 1, runs.size() + 1, plan_.rows[runs[i].row].name());
      result_.samples.push_back(one(runs[i]));
      if (i == plan_.rows.size() - 1) require_taken();
    }
    for (auto& [key, region] : result_.regions) region.wall /= plan_.rounds + 1;
    std::sort(result_.samples.begin(), result_.samples.end(),
              [](const sample& a, const sample& b) { return a.row != b.row ? a.row < b.row : a.round < b.round; });
    return std::move(result_);
  }

 private:
  /// Fills caches, shows whether the program works, and how long it takes.
  void warm_up() {
    progress_(0, order_of_runs(plan_.rows, plan_.rounds).size() + 1, "warm-up");
    const auto first = one({0, 0});
    if (first.processes == 0) {
      throw failure(nothing_to_compare,
                    fmt::format("{}: used no OpenMP runtime that can be reached; {}", plan_.arguments.front(),
                                plan_.program->runtime_perhaps_inside
                                    ? "it may have one linked in statically; link libgomp.so or libomp.so"
                                    : "is it built with -fopenmp and linked dynamically, or does it start "
                                      "children with another environment?"));
    }
    if (result_.sites.empty() && result_.regions.empty()) require_taken();
    if (!timeout_) timeout_ = std::max(least_timeout, timeout_factor * first.wall * 1e-9);
  }

  /// After one round every schedule has met every loop.
  void require_taken() const {
    const auto taken = [](const auto& entry) { return entry.second.taken; };
    if (std::any_of(result_.sites.begin(), result_.sites.end(), taken)) return;
    std::set<std::string> reasons;
    for (const auto& [key, facts] : result_.sites) reasons.insert(facts.reason);
    std::string why =
        "its loops are plain static ones, which the compiler writes out; write schedule(runtime) in the source";
    if (!reasons.empty() && reasons != std::set<std::string>{"static"})
      why = fmt::format("each one keeps its own order ({})", fmt::join(reasons, ", "));
    throw failure(nothing_to_compare,
                  fmt::format("{}: has no loop that can be taken: {}", plan_.arguments.front(), why));
  }

  environment_changes environment(const row& wanted, const fs::path& folder) const {
    shim_settings settings;
    settings.schedule = wanted.what == row::kind::schedule ? wanted.schedule : "";
    settings.loops = "";
    settings.report = (folder / "report.%h.%p.json").native();
    settings.limit = wanted.what == row::kind::limit;
    settings.verbose = false;
    auto changes = shim_environment(plan_.library, settings);
    if (plan_.threads != 0) changes.emplace_back("OMP_NUM_THREADS", std::to_string(plan_.threads));
    if (result_.dropped.contains("OMP_SCHEDULE")) changes.emplace_back("OMP_SCHEDULE", std::nullopt);
    return changes;
  }

  sample one(const planned_run& run) {
    const auto& what = plan_.rows[run.row];
    auto name = fmt::format("{:04}-{}", number_++, what.name());
    std::replace(name.begin(), name.end(), ' ', '-');
    const auto folder = plan_.folder / name;
    fs::create_directories(folder);
    run_request request;
    request.program = plan_.program;
    request.arguments = &plan_.arguments;
    request.environment = environment(what, folder);
    request.output = plan_.folder / (name + ".output");
    request.timeout_seconds = timeout_;
    const auto ended = runner_.run(request);
    check(ended, what, request.output);
    sample found{run.row, run.round, ended.wall_ns, 0, 0, {}};
    merge_reports(read_reports(folder, result_.unreadable), what.what, found, result_);
    if (!plan_.keep) {
      fs::remove_all(folder);
      fs::remove(request.output);
    }
    return found;
  }

  void check(const outcome& ended, const row& what, const fs::path& output) const {
    if (ended.good()) return;
    if (ended.how == outcome::kind::interrupted) throw failure(interrupted, "interrupted");
    const bool late = ended.how == outcome::kind::timed_out;
    const auto lines = last_lines(output, 10);
    std::string remedy = late ? "raise --timeout, or give it less to do" : "try it alone";
    if (!late && what.what == row::kind::schedule) remedy = fmt::format("try steelyard run --schedule {}", what.name());
    if (!lines.empty()) remedy += "; above: the end of its output";
    const auto limit = late && timeout_ ? fmt::format(" of {:.4g} s", *timeout_) : std::string();
    throw failure(
        late ? program_timed_out : program_failed,
        fmt::format("{} {}{} in the run {}; {}", plan_.arguments.front(), ended.text(), limit, what.name(), remedy),
        lines);
  }

  const experiment_plan& plan_;
  const progress_report& progress_;
  std::optional<double> timeout_;
  runner runner_;
  unsigned number_ = 0;
  experiment_result result_;
};

}  // namespace

std::string row::name() const {
  switch (what) {
    case kind::as_written:
      return "as written";
    case kind::limit:
      return "limit";
    case kind::schedule:
      return schedule;
  }
  return {};
}

std::vector<planned_run> order_of_runs(const std::vector<row>& rows, unsigned rounds) {
  random_stream draw(seed);
  std::vector<planned_run> all;
  for (unsigned round = 0; round < rounds; ++round) {
    std::vector<planned_run> these;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].what != row::kind::limit || limit_in_round(round, rounds)) these.push_back({i, round});
    }
    draw.shuffle(these);
    all.insert(all.end(), these.begin(), these.end());
  }
  return all;
}

std::map<std::string, std::string> variables_to_drop() {
  std::map<std::string, std::string> found;
  for (const char* name : {"STEELYARD_SCHEDULE", "STEELYARD_LOOPS", "OMP_SCHEDULE"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    if (name != std::string_view("OMP_SCHEDULE") || only_ours(value)) found[name] = value;
  }
  return found;
}

experiment_result run_experiment(const experiment_plan& plan, const progress_report& progress) {
  return experiment(plan, progress).all();
}

}  // namespace steelyard::tool
