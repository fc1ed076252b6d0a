// SPDX-License-Identifier: Apache-2.0
#include "command/args.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command/commands.hpp"
#include "command/manual.hpp"
#include "launch/launcher.hpp"
#include "launch/links.hpp"
#include "text/failure.hpp"
#include "text/similar.hpp"

namespace steelyard::tool {
namespace {

constexpr const char* about = "Balances the parallel loops of OpenMP programs without touching them.";

constexpr const char* examples =
    "Examples:\n"
    "  steelyard compare -- ./app args        how each schedule does, loop by loop, and which one to use\n"
    "  steelyard run -- ./app args            each loop by the schedule that is found to be the best\n\n"
    "Exit status: 0 success, 2 wrong use or input, 70 an error of ours; each command's --help states its others.";

constexpr const char* run_statuses =
    "Without --schedule and --loops: `automatic`, unless STEELYARD_SCHEDULE, STEELYARD_LOOPS or OMP_SCHEDULE names\n"
    "one of ours. A program that cannot be reached (static, 32-bit, set-uid, its own OpenMP linked in) is run as it\n"
    "was, and one line says so.\n\n"
    "Exit status: the program's own; 2 wrong use or input; 126 the program cannot be executed; 127 it is not found.";

constexpr const char* compare_statuses =
    "One warm-up, then rounds in which every row runs once, in an order drawn anew each round. Standard input is\n"
    "re-opened for each run when it is a file, and empty otherwise. The program's output is shown only when it fails;\n"
    "what it prints to standard output, and does not vary as written, has to be the same under every schedule.\n\n"
    "A program without a loop that can be taken runs as written only, and what could be saved by a change of its "
    "source\n"
    "is shown.\n\n"
    "Exit status: 0 compared; 2 wrong use or input; 3 the program as written failed; 4 it ran past the time limit; 5 "
    "it\n"
    "has no loop that can be taken; 126 it cannot be executed; 127 it is not found; 130 interrupted: what the "
    "complete\n"
    "rounds showed is printed.";

constexpr const char* cc_statuses =
    "CXX=\"steelyard cc g++\" make, or cmake -DCMAKE_CXX_COMPILER_LAUNCHER=\"steelyard;cc\": static loops of OpenMP\n"
    "programs come into reach of `run` and `compare`, those of GCC, too. Without the drop-in, programs do what they "
    "did.\n"
    "What cannot be rewritten is compiled as it was; STEELYARD_CC_LOG=FILE names a file that says why.\n\n"
    "Exit status: the compiler's own, 127 if it is not found; of --report and --links: 0 success, 2 wrong use or "
    "input.";

constexpr const char* plain_statuses = "Exit status: 0 success, 2 wrong use.";

/// Says in the usage line where the program goes of `run` and `compare`, and both ways to use `cc`.
class formatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (app->get_name() == "cc")
      return "Usage: steelyard cc COMPILER [ARGUMENTS]\n       steelyard cc --report [--json] FILE...\n       "
             "steelyard cc --links "
             "FOLDER\n";
    const bool takes_program = app->get_prefix_command();
    if (!takes_program) return CLI::Formatter::make_usage(app, name);
    return fmt::format("Usage: {} [OPTIONS] -- PROGRAM [ARGUMENTS]\n", name.empty() ? app->get_name() : name);
  }
};

/// Arguments up to the first `--` and those after it.
struct divided {
  std::vector<std::string> ours;
  command_line program;
};

divided divide(int argc, char** argv) {
  const std::vector<std::string> all(argv + 1, argv + argc);
  const auto mark = std::find(all.begin(), all.end(), "--");
  divided parts{{all.begin(), mark}, {}};
  if (mark != all.end()) parts.program.assign(mark + 1, all.end());
  return parts;
}

/// The long options of a command.
std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

[[noreturn]] void refuse_option(const CLI::App& command, const std::string& word, const std::string& then = "") {
  const auto name = word.substr(0, word.find('='));
  const auto meant = did_you_mean(name, options_of(command));
  throw failure(
      bad_usage,
      fmt::format("{} has no option {}{}", command.get_name(), name,
                  meant.empty() ? fmt::format("; see steelyard {} --help{}", command.get_name(), then) : meant));
}

/// The program of `run` and `compare`: what stands after `--`, or from the first word that is no option of ours.
command_line program_of(const CLI::App& command, const divided& parts) {
  auto words = command.remaining();
  if (words.empty()) {
    words = parts.program;
  } else if (words.front().starts_with('-')) {
    refuse_option(command, words.front(), ", and put the program after --");
  } else if (!parts.program.empty()) {
    words.emplace_back("--");
    words.insert(words.end(), parts.program.begin(), parts.program.end());
  }
  if (words.empty()) {
    throw failure(bad_usage, fmt::format("no program given; write steelyard {0} [options] -- PROGRAM [ARGUMENTS]",
                                         command.get_name()));
  }
  return words;
}

void add_split_chunks(CLI::App& command, bool& wanted) {
  command.add_flag("--split-chunks", wanted,
                   "let schedules split the chunks that the program has written, as in dynamic,64");
}

void add_free_reductions(CLI::App& command, bool& wanted) {
  command
      .add_flag("--free-reductions", wanted,
                "balance static loops with a reduction, too, whose terms are then grouped in another way")
      ->group("Options");
}

CLI::App* add_run(CLI::App& app, run_options& options) {
  auto* run = app.add_subcommand("run", "Run a program with its loops under a schedule");
  run->add_option("-s,--schedule", options.schedule, "for every loop that can be taken; as-written: only observe")
      ->option_text("NAME[:FORM][,CHUNK]");
  run->add_option("-l,--loops", options.loops,
                  "file with a line SITE SCHEDULE[,CHUNK] for each of some loops; the first line of a loop counts")
      ->option_text("FILE");
  run->add_option("-r,--report", options.report,
                  "leave a report per process; %p: process id (else .ID is appended), %h: host name")
      ->option_text("PATTERN");
  run->add_flag("-v,--verbose", options.verbose, "say at the end which loops were taken, and why others were not");
  add_split_chunks(*run, options.split_chunks);
  add_free_reductions(*run, options.free_reductions);
  run->prefix_command();
  run->footer(run_statuses);
  return run;
}

/// Like CLI::PositiveNumber, whose message spells out the largest double.
std::string positive(const std::string& text) {
  double value = 0;
  const bool good = CLI::detail::lexical_cast(text, value) && value > 0;
  return good ? "" : fmt::format("'{}' is not a number above 0", text);
}

CLI::App* add_compare(CLI::App& app, compare_options& options) {
  auto* compare = app.add_subcommand("compare", "Measure a program under several schedules and advise");
  compare->add_option("-s,--schedules", options.schedules, "what to compare, or all; dynamic,64: dynamic with chunk 64")
      ->option_text("A,B,...");
  compare->add_option("-n,--rounds", options.rounds, "runs of each row, 1 to 1000 (default: 5; with --budget: at most)")
      ->check(CLI::Range(1, 1000))
      ->option_text("N");
  compare
      ->add_option("--budget", options.budget,
                   "rounds as this time allows, 90s, 10m or 1h; ends early when a verdict is certain")
      ->option_text("TIME");
  compare->add_option("--json", options.json, "write every number to this file; -: to standard output, and no text")
      ->option_text("FILE");
  compare
      ->add_option("--timeout", options.timeout_seconds,
                   "end a run after this time (default: none for the warm-up, then 20 times as long, at least 60)")
      ->check(positive)
      ->option_text("SECONDS");
  compare->add_option("--threads", options.threads, "OMP_NUM_THREADS for the program")
      ->check(CLI::Range(1, 65536))
      ->option_text("N");
  compare->add_flag("--wide", options.wide,
                    "print every column and every name whole, however wide the terminal (COLUMNS) is");
  compare->add_flag("--ignore-output", options.ignore_output,
                    "advise schedules under which the program prints other things");
  compare->add_option("--keep", options.keep, "keep every run's report and output in this folder")
      ->option_text("FOLDER");
  add_split_chunks(*compare, options.split_chunks);
  add_free_reductions(*compare, options.free_reductions);
  compare->prefix_command();
  compare->footer(compare_statuses);
  return compare;
}

CLI::App* add_schedules(CLI::App& app, schedules_options& options) {
  auto* schedules = app.add_subcommand("schedules", "List the schedules")->footer(plain_statuses);
  schedules->add_flag("--names", options.names_only, "bare names, one a line");
  schedules->add_flag("--all", options.all, "each schedule by itself, with what a chunk means for it");
  schedules->add_option("--explain", options.explained, "its formula, where it comes from and when to use it")
      ->option_text("NAME[:FORM]");
  return schedules;
}

CLI::App* add_check_schedule(CLI::App& app, std::string& file) {
  auto* check = app.add_subcommand("check-schedule", "Check a schedule of your own, built as a plug-in");
  check->add_option("plug-in", file, "a shared object that STEELYARD_PLUG_IN is in")->required()->option_text("FILE");
  check->footer("Exit status: 0 nothing is wrong, 2 wrong use, 6 the schedule is wrong.");
  return check;
}

/// `steelyard cc` where no compiler follows.
struct cc_options {
  std::vector<std::string> files;
  std::optional<std::string> links;
  bool report = false;
  bool as_json = false;

  [[nodiscard]] int run() const {
    if (links && (report || as_json || !files.empty()))
      throw failure(bad_usage, "--links stands alone; write steelyard cc --links FOLDER");
    if (links) return launch::make_links(*links);
    if (!report && as_json)
      throw failure(bad_usage, "--json goes with --report; write steelyard cc --report --json FILE");
    if (!report && !files.empty())
      throw failure(bad_usage, "the compiler comes first; write steelyard cc g++ -fopenmp FILE");
    return launch::report(files, as_json);
  }
};

CLI::App* add_cc(CLI::App& app, cc_options& options) {
  auto* cc = app.add_subcommand("cc", "Compile an OpenMP program so that its static loops can be balanced");
  cc->add_option("compiler", options.files, "a command line of GCC or Clang; with --report: what was compiled so")
      ->option_text("COMPILER [ARGUMENTS]");
  cc->add_flag("--report", options.report, "list the loops of objects, archives and programs that were compiled so")
      ->group("Options");
  cc->add_flag("--json", options.as_json, "with --report: an object of JSON for each loop, a line each")
      ->group("Options");
  cc->add_option("--links", options.links,
                 "make a link for each compiler in PATH; with the folder first in PATH, builds need no other change")
      ->option_text("FOLDER");
  cc->footer(cc_statuses);
  return cc;
}

CLI::App* add_knowledge(CLI::App& app, knowledge_options& options) {
  auto* knowledge = app.add_subcommand("knowledge", "What automatic has learnt in earlier runs");
  knowledge->add_option("action", options.action, "show (default), loops: as a loops file, export, import, clear")
      ->option_text("[ACTION]");
  knowledge->add_option("file", options.file, "of export and import; -: standard output")->option_text("[FILE]");
  knowledge->footer(
      "It lies in STEELYARD_KNOWLEDGE, else in XDG_CACHE_HOME/steelyard, else in ~/.cache/steelyard.\n"
      "STEELYARD_KNOWLEDGE=off remembers nothing.\n\n"
      "Exit status: 0 success, 2 wrong use or input.");
  return knowledge;
}

CLI::App* add_info(CLI::App& app, bool& as_json) {
  auto* info = app.add_subcommand("info", "Cores, environment and hand-over costs of this machine (takes a second)");
  info->add_flag("--json", as_json, "as JSON")->group("Options");
  info->footer(plain_statuses);
  return info;
}

/// The commands that tell of the command line itself, for packages and shells.
struct self_description {
  CLI::App* man;
  CLI::App* complete;
  std::string shell = "bash";

  explicit self_description(CLI::App& app)
      : man(app.add_subcommand("man", "Print the manual page: steelyard man | man -l -")->footer(plain_statuses)),
        complete(app.add_subcommand("completion", "Print a script that completes the command line in a shell")
                     ->footer(plain_statuses)) {
    complete->add_option("shell", shell, "bash, zsh or fish")->option_text("[SHELL]");
  }
  [[nodiscard]] bool print(const CLI::App& app) const {
    if (man->parsed()) fmt::print("{}", man_page(app));
    if (complete->parsed()) fmt::print("{}", completion(app, shell));
    return man->parsed() || complete->parsed();
  }
};

/// A long option behind a single dash, which the parser takes for a short one with its value.
void check_dashes(const CLI::App& command, const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size() && words[i].starts_with('-'); ++i) {
    const auto& word = words[i];
    const auto name = word.substr(0, word.find('='));
    if (name.size() > 2 && name[1] != '-' && command.get_option_no_throw("-" + name) != nullptr) {
      throw failure(bad_usage, fmt::format("{}: write -{}, with two dashes", name, name));
    }
    const auto* option = command.get_option_no_throw(word);
    if (option != nullptr && option->get_items_expected_max() > 0) ++i;
  }
}

/// Anything but a command first, or an option of ours.
void check_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) {
    throw failure(bad_usage,
                  "no command given; write for example steelyard compare -- PROGRAM, or see steelyard --help");
  }
  const auto& first = words.front();
  if (first.starts_with('-')) {
    if (app.get_option_no_throw(first) != nullptr) return;
    throw failure(bad_usage, fmt::format("there is no option {} before a command; see steelyard --help", first));
  }
  const auto commands = app.get_subcommands([&](const CLI::App* one) { return one->get_name() == first; });
  if (commands.empty()) {
    std::vector<std::string> known;
    for (const auto* one : app.get_subcommands({})) known.push_back(one->get_name());
    const auto meant = did_you_mean(first, known);
    throw failure(bad_usage,
                  fmt::format("'{}' is no command{}", first, meant.empty() ? "; steelyard --help lists them" : meant));
  }
  check_dashes(*commands.front(), words);
}

/// One line instead of the parser's several.
[[noreturn]] void explain(const CLI::App& app, const CLI::ParseError& error) {
  const auto parsed = app.get_subcommands();
  const auto& at = parsed.empty() ? app : *parsed.front();
  const bool is_rest = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const auto rest = is_rest ? app.remaining(true) : std::vector<std::string>();
  if (!rest.empty() && rest.front().starts_with("--")) refuse_option(at, rest.front());
  std::string line =
      is_rest && !rest.empty() ? fmt::format("{} takes no '{}'", at.get_name(), rest.front()) : error.what();
  std::replace(line.begin(), line.end(), '\n', ' ');
  throw failure(bad_usage, fmt::format("{}; see steelyard {}--help", line, parsed.empty() ? "" : at.get_name() + " "));
}

/// Reads what is ours of the command line; a status where that was all, as of --help.
std::optional<int> parse(CLI::App& app, std::vector<std::string> ours) {
  check_command(app, ours);
  std::reverse(ours.begin(), ours.end());
  try {
    app.parse(ours);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    explain(app, error);
  }
  return std::nullopt;
}

/// What stands behind `steelyard cc`; empty: something else is wanted. A compiler's arguments are its own, and it is started often: so
/// nothing else is read or set up before it.
std::vector<std::string> compiler_command(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == "cc" && argv[2][0] != '-') return {argv + 2, argv + argc};
  return {};
}

void set_up(CLI::App& app) {
  app.set_version_flag("--version", "steelyard " STEELYARD_VERSION);
  const auto shape = std::make_shared<formatter>();
  shape->column_width(30);
  app.formatter(shape);
  app.require_subcommand(1);
  app.footer(examples);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  if (const auto command = compiler_command(argc, argv); !command.empty()) return launch::compile(command);
  CLI::App app(about, "steelyard");
  set_up(app);
  run_options run_with;
  compare_options compare_with;
  bool as_json = false;
  auto* run = add_run(app, run_with);
  auto* compare = add_compare(app, compare_with);
  schedules_options listed;
  const auto* schedules = add_schedules(app, listed);
  add_info(app, as_json);
  std::string checked;
  const auto* check = add_check_schedule(app, checked);
  knowledge_options asked;
  const auto* knowledge = add_knowledge(app, asked);
  cc_options compile_with;
  const auto* cc = add_cc(app, compile_with);
  const self_description itself(app);

  const auto parts = divide(argc, argv);
  if (const auto status = parse(app, parts.ours)) return *status;
  if (run->parsed()) {
    run_with.program = program_of(*run, parts);
    return run_command(run_with);
  }
  if (compare->parsed()) {
    compare_with.program = program_of(*compare, parts);
    return compare_command(compare_with);
  }
  if (check->parsed()) return check_schedule_command(checked);
  if (knowledge->parsed()) return knowledge_command(asked);
  if (cc->parsed()) return compile_with.run();
  if (itself.print(app)) return success;
  return schedules->parsed() ? schedules_command(listed) : info_command(as_json);
}

}  // namespace steelyard::tool
