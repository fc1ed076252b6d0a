// SPDX-License-Identifier: Apache-2.0
#include "launch/launcher.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "launch/child.hpp"
#include "launch/compile_line.hpp"
#include "launch/links.hpp"
#include "launch/memory_file.hpp"
#include "launch/pragmas.hpp"
#include "launch/warnings.hpp"
#include "support/words.hpp"
#include "text/printable.hpp"

namespace steelyard::tool::launch {
namespace {

namespace fs = std::filesystem;

constexpr int nothing_to_do = 3;  // of the rewriter
constexpr int states_costs = 4;

/// One line in the log, if STEELYARD_CC_LOG names a file.
void log(const std::string& about, std::string_view what) {
  const char* file = std::getenv("STEELYARD_CC_LOG");
  if (file == nullptr || *file == '\0') return;
  const int descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    fmt::print(stderr, "steelyard: STEELYARD_CC_LOG={}: cannot be written ({})\n", printable(file),
               std::strerror(errno));
    return;
  }
  const auto line = fmt::format("{}: {}\n", about, what);
  if (write(descriptor, line.data(), line.size()) < 0) {
    // A log that cannot be written is no reason to fail a build.
  }
  close(descriptor);
}

void log_as_it_was(const std::string& about, std::string_view why) {
  log(about, fmt::format("compiled as it was: {}", why));
}

/// The rewriter: beside this command in the build tree, under libexec of an installation; empty: neither.
std::string find_rewriter() {
  std::error_code ignored;
  const auto folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* place : {"steelyard-rewrite", "../libexec/steelyard/steelyard-rewrite"}) {
    const auto candidate = folder / place;
    if (access(candidate.c_str(), X_OK) == 0) return candidate.native();
  }
  return "";
}

/// What is compiled in place of a source.
struct replacement {
  std::unique_ptr<memory_file> text;            // null: nothing is
  std::unique_ptr<memory_file> before{};        // where the text states costs: what can be rewritten without
  std::string why{};                            // what to log where it is not compiled; empty: nothing
  std::string said{};                           // by the preprocessor
  std::unique_ptr<memory_file> dependencies{};  // null: none are wanted
};

constexpr std::string_view compiler_speaks = "the compiler has something to say of it";
constexpr std::string_view no_memory_files = "the system has no files in memory";

replacement nothing(std::string why) { return {.text = nullptr, .why = std::move(why)}; }

/// The preprocessed text, rewritten. `option`: of the rewriter, empty: none. Where there is nothing to rewrite it is the text itself.
replacement rewritten_text(const compile_line& line, const source& of, const std::string& rewriter,
                           std::unique_ptr<memory_file> text, const std::string& option) {
  const memory_file said;
  auto result = std::make_unique<memory_file>();
  if (!said.good() || !result->good()) return nothing(std::string(no_memory_files));
  words command{rewriter};
  if (!option.empty()) command.push_back(option);
  for (auto& word : reading(line, of)) command.push_back(std::move(word));
  lseek(text->descriptor(), 0, SEEK_SET);
  const int status = run_child(command, {text->descriptor(), result->descriptor(), said.descriptor()});
  if (status == nothing_to_do) return {.text = std::move(text)};
  const bool with_costs = status == states_costs;
  if ((status == 0 || with_costs) && said.empty()) {
    return {std::move(result), with_costs ? std::move(text) : nullptr, std::string(compiler_speaks)};
  }
  return nothing(fmt::format("the rewriter ended with status {} and said: {}", status, printable(said.text(), 1000)));
}

/// Without loops it is the preprocessed text, for to preprocess again takes longer.
replacement rewritten(const compile_line& line, const source& of, const std::string& rewriter) {
  auto text = std::make_unique<memory_file>();
  const memory_file said;
  auto dependencies = line.dependencies.empty() ? nullptr : std::make_unique<memory_file>();
  const bool has_room = dependencies == nullptr || dependencies->good();
  if (!text->good() || !said.good() || !has_room) return nothing(std::string(no_memory_files));
  const auto command = preprocessing(line, of, dependencies != nullptr ? dependencies->path() : "");
  if (run_child(command, {.output = text->descriptor(), .errors = said.descriptor()}) != 0)
    return nothing("its preprocessor fails");
  const auto [changed, has_loops] = text->seen_by([&](auto all) {
    return std::pair(changed_by_preprocessing(all, line.is.clang), has_line_with(all, "#pragma omp", "for"));
  });
  if (!changed.empty()) return nothing("the compiler alone knows what it means: " + printable(changed, 200));
  auto found =
      has_loops ? rewritten_text(line, of, rewriter, std::move(text), "") : replacement{.text = std::move(text)};
  found.said = said.text();
  found.dependencies = std::move(dependencies);
  return found;
}

/// Takes the costs out of a text that states some.
void leave_costs_out(replacement& instead, const compile_line& line, const source& of, const std::string& rewriter) {
  auto without = rewritten_text(line, of, rewriter, std::move(instead.before), "--without-costs");
  without.said = std::move(instead.said);
  without.dependencies = std::move(instead.dependencies);
  instead = std::move(without);
}

constexpr std::string_view costs_left_out = "compiled without the costs of its loops: with them the compiler fails";

/// How a compilation of rewritten texts went, and what was said of them.
struct outcome {
  bool succeeds = false;
  std::string said{};
};

outcome outcome_of(const words& command) {
  const memory_file said;
  if (!said.good()) return {};
  const int status = run_child(command, {.output = said.descriptor(), .errors = said.descriptor()});
  return {status == 0, said.text()};
}

/// What there is to say of the sources as they are; nothing where a compiler fails, or cannot be asked. `preprocessed`: of their
/// preprocessed texts, where GCC is as silent on macros as it is of the rewritten ones, and has other lines for what it says.
std::optional<std::string> said_of(const compile_line& line, std::span<const source> sources, bool by_optimiser,
                                   bool preprocessed) {
  std::string all;
  for (const auto& each : sources) {
    const memory_file said;
    const memory_file text;
    if (!said.good() || !text.good()) return std::nullopt;
    const auto prints = [&](const words& command, int output) {
      return run_child(command, {.output = output, .errors = said.descriptor()}) == 0;
    };
    if (preprocessed && !prints(preprocessing(line, each, ""), text.descriptor())) return std::nullopt;
    if (!prints(warning(line, each, by_optimiser, preprocessed ? text.path() : ""), -1)) return std::nullopt;
    all += said.text();
  }
  return all;
}

bool write_out(const std::string& text) { return std::fwrite(text.data(), 1, text.size(), stderr) == text.size(); }

/// Shows it. On a terminal the compiler itself does, for it minds colours, widths and what links are understood there.
bool show(const compile_line& line, std::span<const source> sources, bool by_optimiser, const std::string& said) {
  if (isatty(STDERR_FILENO) != 1) return write_out(said);
  return std::all_of(sources.begin(), sources.end(),
                     [&](const source& each) { return run_child(warning(line, each, by_optimiser, ""), {}) == 0; });
}

/// Options that Clang's driver has no use for.
constexpr std::string_view unused_options = "-Wunused-command-line-argument]";

/// The lines of a text that speak of those, or the others.
std::string lines_of(std::string_view text, bool of_unused_options) {
  std::string found;
  while (!text.empty()) {
    const auto line = support::take_first(text, '\n');
    if ((line.find(unused_options) != std::string_view::npos) == of_unused_options) found.append(line).append("\n");
  }
  return found;
}

/// What was said of the rewritten text and of its command line. For preprocessed text Clang has no use for other options than for the
/// source, as for the folders that mpicc adds: what it says of these is asked anew. Nothing: it would be an error, or cannot be asked.
struct words_said {
  std::string of_options;
  std::string of_text;
};
std::optional<words_said> take_apart(const compile_line& line, const std::string& all) {
  if (!line.is.clang || all.find(unused_options) == std::string::npos) return words_said{"", all};
  const auto driven = outcome_of(driving(line));
  auto of_options = lines_of(driven.said, true);
  if (!driven.succeeds || of_options.find(": error: ") != std::string::npos) return std::nullopt;
  return words_said{std::move(of_options), lines_of(all, false)};
}

bool has_loops(const replacement& each) { return each.text != nullptr && !each.why.empty(); }

/// Whether nothing was said but warnings that are said of the sources, too. Then those are shown, for they name macros. Without a loop
/// it takes less to compile the sources than to ask what there is to say of them.
bool only_warns_as_before(const compile_line& line, std::span<const source> sources,
                          std::span<const replacement> instead, const std::string& all) {
  const auto parts = take_apart(line, all);
  if (!parts) return false;
  if (parts->of_text.empty()) return write_out(parts->of_options);
  if (std::none_of(instead.begin(), instead.end(), has_loops)) return false;
  const auto warned = read_warnings(parts->of_text);
  if (!warned.only || warned.all.empty()) return false;
  const bool by_optimiser = all.find("[-Wpass-failed") != std::string::npos;
  const auto said = said_of(line, sources, by_optimiser, false);
  if (!said) return false;
  auto before = read_warnings(*said).with_notes;
  const auto are_all_before = [&] {
    return std::includes(before.begin(), before.end(), warned.all.begin(), warned.all.end());
  };
  if (!are_all_before())
    before.merge(read_warnings(said_of(line, sources, by_optimiser, true).value_or("")).with_notes);
  return are_all_before() && write_out(parts->of_options) && show(line, sources, by_optimiser, *said);
}

/// The compiler may fail on the sources as they are, and must not seem to have made it.
void take_back(const std::string& product) {
  std::error_code error;
  if (fs::is_regular_file(fs::symlink_status(product, error))) fs::remove(product, error);
}

/// Whether it compiles, and with no word that is not said of the sources: as it is, else, where that fails, without the costs that
/// loops state.
template <class Compile>
bool compiles_alike(const compile_line& line, std::span<const source> sources, std::span<replacement> instead,
                    const std::string& rewriter, Compile compile) {
  const auto is_alike = [&](outcome how) {
    for (const auto& each : instead) how.said += each.said;
    if (!how.succeeds) return false;
    if (how.said.empty() || only_warns_as_before(line, sources, instead, how.said)) return true;
    take_back(product_of(line, sources.front()));
    return false;
  };
  const auto states = [](const replacement& each) { return each.before != nullptr; };
  const auto how = compile();
  if (how.succeeds || std::none_of(instead.begin(), instead.end(), states)) return is_alike(how);
  for (std::size_t i = 0; i < instead.size(); ++i) {
    if (states(instead[i])) leave_costs_out(instead[i], line, sources[i], rewriter);
  }
  if (!is_alike(compile())) return false;
  log(line.arguments[sources.front().at], costs_left_out);
  return true;
}

/// Behind the compiler, which leaves nothing where it is interrupted.
bool writes_dependencies(const compile_line& line, const source& of, const replacement& instead) {
  if (instead.dependencies == nullptr) return true;
  std::ofstream file(dependencies_of(line, of), std::ios::binary);
  return static_cast<bool>(file << instead.dependencies->text() << std::flush);
}

/// One source to one object: whether it was compiled rewritten.
bool compiled_rewritten(const compile_line& line, const source& of, const std::string& rewriter) {
  auto instead = rewritten(line, of, rewriter);
  const auto compile = [&] {
    return instead.text == nullptr ? outcome{} : outcome_of(compiling(line, of, instead.text->path()));
  };
  if (compiles_alike(line, {&of, 1}, {&instead, 1}, rewriter, compile)) {
    if (writes_dependencies(line, of, instead)) return true;
    take_back(product_of(line, of));
    instead.why = "its dependencies cannot be written";
  }
  if (!instead.why.empty()) log_as_it_was(line.arguments[of.at], instead.why);
  return false;
}

/// Several sources without one output: as the compiler, goes on after one that fails.
int compile_each(const compile_line& line, const std::string& rewriter) {
  int worst = 0;
  for (const auto& each : line.sources) {
    if (compiled_rewritten(line, each, rewriter)) continue;
    const int status = run_child(one_of(line, each), {});
    if (status != 0) worst = status;
  }
  return worst;
}

/// Compiles and links; empty paths stand for sources as they are.
outcome linked(const compile_line& line, const std::vector<replacement>& instead) {
  words paths;
  for (const auto& each : instead) paths.push_back(each.text == nullptr ? "" : each.text->path());
  return outcome_of(linking(line, paths));
}

bool linked_rewritten(const compile_line& line, const std::string& rewriter) {
  std::vector<replacement> instead;
  bool any = false;
  bool any_loops = false;
  for (const auto& each : line.sources) {
    instead.push_back(rewritten(line, each, rewriter));
    const auto& last = instead.back();
    if (last.text == nullptr) log_as_it_was(line.arguments[each.at], last.why);
    any = any || last.text != nullptr;
    any_loops = any_loops || has_loops(last);
  }
  if (!any) return false;
  if (compiles_alike(line, line.sources, instead, rewriter, [&] { return linked(line, instead); })) return true;
  if (any_loops) log_as_it_was(line.arguments[line.sources.front().at], compiler_speaks);
  return false;
}

/// Why it cannot be done here, whatever the command line says; empty: it can.
std::string forbidden_by_environment() {
  if (fcntl(STDERR_FILENO, F_GETFD) < 0) return "there is no standard error";
  for (const char* name : {"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "GCC_COMPARE_DEBUG"}) {
    if (std::getenv(name) != nullptr) return "the environment asks for dependencies";
  }
  return "";
}

/// In the environment of what a launcher starts: a wrapper starts a compiler, which may be a link to the launcher once more.
constexpr const char* at_work = "STEELYARD_CC_AT_WORK";

}  // namespace

int compile(std::vector<std::string> command) {
  command.front() = away_from_here(command.front());
  if (std::getenv(at_work) != nullptr) become(command);
  const auto line = read_compile_line(command);
  if (!line.openmp || line.preprocesses || line.sources.empty()) become(command);
  const auto& name = line.arguments[line.sources.front().at];
  if (const auto why = line.plain_because.empty() ? forbidden_by_environment() : line.plain_because; !why.empty()) {
    log_as_it_was(name, why);
    become(command);
  }
  const auto rewriter = find_rewriter();
  if (rewriter.empty()) {
    log_as_it_was(name, "steelyard-rewrite is not installed");
    fmt::print(stderr,
               "steelyard cc: {}: compiled as it was, as steelyard-rewrite is not installed; docs/launcher.md says "
               "what it needs\n",
               printable(name));
    become(command);
  }
  setenv(at_work, "1", 1);
  if (line.makes == compile_line::product::program) {
    if (linked_rewritten(line, rewriter)) return 0;
    become(command);
  }
  if (line.sources.size() > 1) return compile_each(line, rewriter);
  if (compiled_rewritten(line, line.sources.front(), rewriter)) return 0;
  become(command);
}

}  // namespace steelyard::tool::launch
