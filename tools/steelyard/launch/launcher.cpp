// SPDX-License-Identifier: Apache-2.0
#include "launch/launcher.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "launch/child.hpp"
#include "launch/compile_line.hpp"
#include "launch/memory_file.hpp"
#include "text/printable.hpp"

namespace steelyard::tool::launch {
namespace {

namespace fs = std::filesystem;

constexpr int nothing_to_do = 3;  // of the rewriter

/// One line in the log, if STEELYARD_CC_LOG names a file.
void log(const std::string& about, std::string_view why) {
  const char* file = std::getenv("STEELYARD_CC_LOG");
  if (file == nullptr || *file == '\0') return;
  const int descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    fmt::print(stderr, "steelyard: STEELYARD_CC_LOG={}: cannot be written ({})\n", printable(file),
               std::strerror(errno));
    return;
  }
  const auto line = fmt::format("{}: compiled as it was: {}\n", about, why);
  if (write(descriptor, line.data(), line.size()) < 0) {
    // A log that cannot be written is no reason to fail a build.
  }
  close(descriptor);
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

using text_of_source = std::unique_ptr<memory_file>;

constexpr std::string_view compiler_speaks = "the compiler has something to say of it";

/// The rewritten text of a source, or null and why not. Without loops it is the preprocessed text, for to preprocess again takes longer.
/// `why`: what to log where it is not compiled.
text_of_source rewritten(const compile_line& line, const source& of, const std::string& rewriter, std::string& why) {
  auto text = std::make_unique<memory_file>();
  memory_file said;
  auto result = std::make_unique<memory_file>();
  if (!text->good() || !said.good() || !result->good()) {
    why = "the system has no files in memory";
    return nullptr;
  }
  if (run_child(preprocessing(line, of), {.output = text->descriptor(), .errors = said.descriptor()}) != 0 ||
      !said.empty()) {
    why = "its preprocessor has something to say";
    return nullptr;
  }
  if (!text->contains_line_with("#pragma omp", "for")) return text;
  words command{rewriter};
  for (auto& word : reading(line, of)) command.push_back(std::move(word));
  lseek(text->descriptor(), 0, SEEK_SET);
  const int status = run_child(command, {text->descriptor(), result->descriptor(), said.descriptor()});
  if (status == nothing_to_do) return text;
  if (status == 0 && said.empty()) {
    why = compiler_speaks;
    return result;
  }
  why = fmt::format("the rewriter ended with status {} and said: {}", status, said.text());
  return nullptr;
}

/// Whether a command succeeds without a word.
bool silently(const words& command) {
  const memory_file said;
  return said.good() && run_child(command, {.output = said.descriptor(), .errors = said.descriptor()}) == 0 &&
         said.empty();
}

/// One source to one object: whether it was compiled rewritten.
bool compiled_rewritten(const compile_line& line, const source& of, const std::string& rewriter) {
  const auto& name = line.arguments[of.at];
  std::string why;
  const auto text = rewritten(line, of, rewriter, why);
  if (text != nullptr && silently(compiling(line, of, text->path()))) return true;
  if (!why.empty()) log(name, why);
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

bool linked_rewritten(const compile_line& line, const std::string& rewriter) {
  std::vector<text_of_source> texts;
  words paths;
  bool any = false;
  bool any_loops = false;
  for (const auto& each : line.sources) {
    std::string why;
    texts.push_back(rewritten(line, each, rewriter, why));
    if (texts.back() == nullptr) log(line.arguments[each.at], why);
    paths.push_back(texts.back() == nullptr ? "" : texts.back()->path());
    any = any || texts.back() != nullptr;
    any_loops = any_loops || (texts.back() != nullptr && !why.empty());
  }
  if (!any) return false;
  if (silently(linking(line, paths))) return true;
  if (any_loops) log(line.arguments[line.sources.front().at], compiler_speaks);
  return false;
}

/// Whether the environment asks for what the command line does not show.
bool environment_forbids() {
  for (const char* name : {"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "GCC_COMPARE_DEBUG"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

}  // namespace

int compile(const std::vector<std::string>& command) {
  const auto line = read_compile_line(command);
  if (!line.openmp || line.sources.empty()) become(command);
  const auto& name = line.arguments[line.sources.front().at];
  if (!line.plain_because.empty() || environment_forbids()) {
    log(name, line.plain_because.empty() ? "the environment asks for dependencies" : line.plain_because);
    become(command);
  }
  const auto rewriter = find_rewriter();
  if (rewriter.empty()) {
    log(name, "steelyard-rewrite is not installed");
    fmt::print(stderr,
               "steelyard cc: {}: compiled as it was, as steelyard-rewrite is not installed; docs/launcher.md says "
               "what it needs\n",
               printable(name));
    become(command);
  }
  if (line.makes == compile_line::product::program) {
    if (linked_rewritten(line, rewriter)) return 0;
    become(command);
  }
  if (line.sources.size() > 1) return compile_each(line, rewriter);
  if (compiled_rewritten(line, line.sources.front(), rewriter)) return 0;
  become(command);
}

}  // namespace steelyard::tool::launch
