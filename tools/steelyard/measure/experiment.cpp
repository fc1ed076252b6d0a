// SPDX-License-Identifier: Apache-2.0
#include "measure/experiment.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "measure/output_check.hpp"
#include "measure/process.hpp"
#include "measure/room.hpp"
#include "read/schedule_text.hpp"
#include "read/shim.hpp"
#include "text/failure.hpp"

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t seed = 20;
constexpr double least_timeout = 60;
constexpr double timeout_factor = 20;

/// A run that others disturbed is made so many times more at most.
constexpr int most_repeats = 2;

bool limit_in_round(unsigned round, unsigned rounds) {
  if (rounds == 0) return round < 3;
  return rounds < 3 || round == 0 || round == rounds / 2 || round == rounds - 1;
}

class experiment {
 public:
  experiment(const experiment_plan& plan, const progress_report& progress, const decision& decided)
      : plan_(plan), progress_(progress), decided_(decided), timeout_(plan.timeout_seconds),
        order_(plan.rows, plan.budget_seconds ? 0 : plan.rounds) {}

  experiment_result all() {
    result_.dropped = variables_to_drop();
    result_.of_our_library = plan_.of_our_library;
    warm_up();
    const auto budget = round_budget{plan_.rounds, plan_.budget_seconds};
    const double warm = spent();
    while (!result_.interrupted && budget.another(result_.rounds, spent(), warm)) {
      if (round() && early_end()) break;
    }
    judge();
    std::sort(result_.samples.begin(), result_.samples.end(),
              [](const sample& a, const sample& b) { return a.row != b.row ? a.row < b.row : a.round < b.round; });
    return std::move(result_);
  }

 private:
  /// False: it was interrupted, and counts for nothing.
  bool round() {
    const auto complete = result_.samples.size();
    try {
      for (const auto& run : order_.next()) measure(run);
    } catch (const failure& ended) {
      if (ended.status() != interrupted || result_.rounds == 0) throw;
      result_.samples.resize(complete);
      result_.interrupted = true;
      return false;
    }
    const bool all_tried = std::none_of(failed_.begin(), failed_.end(), [this](const auto& one) {
      return plan_.rows[one.first].what == row::kind::schedule;
    });
    if (++result_.rounds == 1 && all_tried && none(&site_facts::taken)) leave_schedules_out();
    return true;
  }

  /// Once more when others took too much of it, so long as that does not become the better part of the work.
  void measure(const planned_run& run) {
    if (failed_.contains(run.row) || (run.row != 0 && !result_.nothing_taken.empty())) return;
    auto best = one(run);
    for (int again = 0; again < most_repeats && best && best->lost.most() > most_lost && may_repeat(); ++again) {
      ++result_.repeated;
      auto next = one(run);
      if (!next || next->lost.most() < best->lost.most()) best = std::move(next);
    }
    ++runs_;
    if (best) result_.samples.push_back(std::move(*best));
  }

  [[nodiscard]] bool may_repeat() const {
    if (plan_.budget_seconds && spent() > *plan_.budget_seconds) return false;
    return result_.repeated < 2 + runs_ / 4;
  }

  bool early_end() {
    if (!plan_.budget_seconds || !result_.nothing_taken.empty()) return false;
    result_.looks = looks_within(result_.rounds) + (looks_after(result_.rounds) ? 0 : 1);
    if (!decided_ || !looks_after(result_.rounds)) return false;
    judge();
    return decided_(result_);
  }

  /// What is wrong with which row, as far as is known by now.
  void judge() {
    result_.faults = failed_;
    for (const auto& [row, where] : check_.faults()) result_.faults.try_emplace(row, row_fault{output_differs, where});
    result_.output_remark = plan_.ignore_output ? "" : check_.remark();
  }

  [[nodiscard]] double spent() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  /// Says what comes. With a budget only the time is known, so the number of runs is a guess.
  void tell(const std::string& what) const {
    const auto rounds = plan_.budget_seconds ? 1 : plan_.rounds;
    const bool all_rows = result_.nothing_taken.empty();
    std::size_t all = (all_rows ? order_of_runs(plan_.rows, rounds).size() : rounds) + 1;
    const auto done = static_cast<std::size_t>(number_);
    if (plan_.budget_seconds && done > 0) {
      const double each = spent() / static_cast<double>(done);
      all = done + static_cast<std::size_t>(std::max(0.0, *plan_.budget_seconds - spent()) / each);
    }
    progress_(done, std::max(all, done + 1), what);
  }

  /// Fills caches, shows whether the program works, and how long it takes.
  void warm_up() {
    const auto first = one({0, 0}).value();
    reported_ = first.processes != 0;
    if (!reported_ && !plan_.of_our_library) {
      throw failure(nothing_to_compare,
                    fmt::format("{}: used no OpenMP runtime that can be reached; {}", plan_.arguments.front(),
                                plan_.program->runtime_perhaps_inside
                                    ? "it may have one linked in statically; link libgomp.so or libomp.so"
                                    : "is it built with -fopenmp and linked dynamically, or does it start "
                                      "children with another environment?"));
    }
    if (none(&site_facts::observed)) leave_schedules_out();
    if (!plan_.of_our_library && result_.sites.empty() && result_.regions.empty()) {
      throw failure(nothing_to_compare, nothing_taken_line(plan_.arguments.front(), result_));
    }
    if (!timeout_) timeout_ = std::max(least_timeout, timeout_factor * first.wall * 1e-9);
  }

  /// Whether no loop is so, of a program whose schedules are those of its loops. After one round every schedule has met every
  /// loop.
  bool none(bool site_facts::*fact) const {
    return !plan_.of_our_library && std::none_of(result_.sites.begin(), result_.sites.end(),
                                                 [&](const auto& entry) { return entry.second.*fact; });
  }

  std::string why_none_taken() const {
    std::set<std::string> reasons;
    for (const auto& [key, facts] : result_.sites) reasons.insert(facts.reason);
    const bool plain = reasons == std::set<std::string>{"static"};
    const bool rewritten = std::any_of(result_.sites.begin(), result_.sites.end(),
                                       [](const auto& entry) { return entry.second.abi == "compiled"; });
    if (rewritten && plain)
      return "its loops get learnt shares only, by nustatic, jit and automatic; steelyard cc --report PROGRAM says why";
    if (reasons.empty() || plain) {
      return "its loops are plain static ones, which the compiler writes out; write "
             "schedule(runtime) in the source, or compile by steelyard cc";
    }
    const bool all_static = std::all_of(result_.sites.begin(), result_.sites.end(),
                                        [](const auto& entry) { return entry.second.asks_for_block; });
    return fmt::format("each one keeps its {} ({})", all_static ? "equal blocks" : "own order",
                       fmt::join(reasons, ", "));
  }

  /// Nothing can be taken: what is left to run is the program as written, and so is what counts of what has been run.
  void leave_schedules_out() {
    result_.nothing_taken = why_none_taken();
    std::erase_if(result_.samples, [](const auto& run) { return run.row != 0; });
  }

  environment_changes environment(const row& wanted, const fs::path& folder) const {
    shim_settings settings;
    settings.knowledge = "";  // figures tell of learning, too
    settings.schedule = wanted.what == row::kind::schedule ? wanted.schedule : "";
    settings.loops = "";
    settings.report = (folder / "report.%h.%p.json").native();
    settings.limit = wanted.what == row::kind::limit;
    settings.verbose = false;
    settings.split_chunks = plan_.split_chunks;
    settings.free_reductions = plan_.free_reductions;
    auto changes = shim_environment(plan_.library, settings);
    if (plan_.threads != 0) changes.emplace_back("OMP_NUM_THREADS", std::to_string(plan_.threads));
    if (plan_.threads != 0 && plan_.of_our_library) {
      changes.emplace_back("STEELYARD_NUM_THREADS", std::to_string(plan_.threads));
    }
    if (result_.dropped.contains("OMP_SCHEDULE")) changes.emplace_back("OMP_SCHEDULE", std::nullopt);
    return changes;
  }

  /// Nothing: this row failed.
  std::optional<sample> one(const planned_run& run) {
    const auto& what = plan_.rows[run.row];
    tell(number_ == 0 ? "warm-up" : what.name());
    auto name = fmt::format("{:04}-{}", number_++, what.name());
    std::replace(name.begin(), name.end(), ' ', '-');
    const auto folder = plan_.folder / name;
    fs::create_directories(folder);
    run_request request;
    request.program = plan_.program;
    request.arguments = &plan_.arguments;
    request.environment = environment(what, folder);
    request.output = plan_.folder / (name + ".output");
    request.errors = plan_.folder / (name + ".errors");
    request.timeout_seconds = timeout_;
    const auto ended = runner_.run(request);
    const bool good = check(ended, run, request);
    sample found{run.row, run.round, ended.wall_ns, 0, 0, {}, {}, {}};
    found.lost = lost_in(ended.account, static_cast<unsigned>(result_.threads));
    merge_reports(read_reports(folder, result_.unreadable), what.what, found, result_);
    if (found.processes == 0 && (number_ == 1 || reported_)) require_room(plan_.folder);
    if (good && !plan_.ignore_output) compare_output(run.row, request.output);
    if (!plan_.keep) {
      fs::remove_all(folder);
      if (request.output != reference_) fs::remove(request.output);
      fs::remove(request.errors);
    }
    return good ? std::optional(std::move(found)) : std::nullopt;
  }

  /// With that of the first run as written. Measuring runs advise nothing.
  void compare_output(std::size_t row, const fs::path& output) {
    if (plan_.rows[row].what == row::kind::limit) return;
    if (reference_.empty()) {
      reference_ = output;
    } else if (plan_.rows[row].what == row::kind::as_written) {
      check_.learn(compare_outputs(reference_, output));
    } else {
      check_.add(row, compare_outputs(reference_, output));
    }
  }

  /// False: another row than that as written failed, and is not run again.
  bool check(const outcome& ended, const planned_run& run, const run_request& request) {
    if (ended.good()) return true;
    if (ended.how == outcome::kind::interrupted) throw failure(interrupted, "interrupted");
    require_room(plan_.folder);
    const bool late = ended.how == outcome::kind::timed_out;
    const auto limit = late && timeout_ ? fmt::format(" of {:.4g} s", *timeout_) : std::string();
    if (run.row != 0) {
      failed_[run.row] = {"failed", fmt::format("it {}{} in round {}", ended.text(), limit, run.round + 1)};
      return false;
    }
    const auto lines = last_lines(request.output, 10) + last_lines(request.errors, 10);
    std::string remedy = late ? "raise --timeout, or give it less to do" : "try it alone";
    if (!lines.empty()) remedy += "; above: the end of its output";
    throw failure(late ? program_timed_out : program_failed,
                  fmt::format("{} {}{} in the run {}; {}", plan_.arguments.front(), ended.text(), limit,
                              plan_.rows[run.row].name(), remedy),
                  lines);
  }

  const experiment_plan& plan_;
  const progress_report& progress_;
  const decision& decided_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<double> timeout_;
  run_order order_;
  runner runner_;
  unsigned number_ = 0;    ///< of the run to come
  unsigned runs_ = 0;      ///< without the warm-up and repetitions
  bool reported_ = false;  ///< the first run left a report
  fs::path reference_;     ///< the output of the first run
  output_check check_;
  std::map<std::size_t, row_fault> failed_;
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

run_order::run_order(const std::vector<row>& rows, unsigned rounds) : rows_(rows), rounds_(rounds), draw_(seed) {}

std::vector<planned_run> run_order::next() {
  std::vector<planned_run> these;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].what != row::kind::limit || limit_in_round(round_, rounds_)) these.push_back({i, round_});
  }
  draw_.shuffle(these);
  ++round_;
  return these;
}

std::vector<planned_run> order_of_runs(const std::vector<row>& rows, unsigned rounds) {
  run_order order(rows, rounds);
  std::vector<planned_run> all;
  for (unsigned round = 0; round < rounds; ++round) {
    const auto these = order.next();
    all.insert(all.end(), these.begin(), these.end());
  }
  return all;
}

std::map<std::string, std::string> variables_to_drop() {
  std::map<std::string, std::string> found;
  for (const char* name : {"STEELYARD_SCHEDULE", "STEELYARD_LOOPS", "STEELYARD_SPLIT_CHUNKS", "OMP_SCHEDULE"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    if (name != std::string_view("OMP_SCHEDULE") || only_ours(value)) found[name] = value;
  }
  return found;
}

std::string nothing_taken_line(const std::string& program, const experiment_result& result) {
  return fmt::format("{}: has no loop that can be taken: {}", program, result.nothing_taken);
}

experiment_result run_experiment(const experiment_plan& plan, const progress_report& progress,
                                 const decision& decided) {
  return experiment(plan, progress, decided).all();
}

}  // namespace steelyard::tool
