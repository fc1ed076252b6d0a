// SPDX-License-Identifier: Apache-2.0
#include "launch/compile_line.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "launch/options.hpp"
#include "launch/response_file.hpp"

namespace steelyard::tool::launch {
namespace {

constexpr std::array<std::string_view, 4> wrappers = {"ccache", "sccache", "distcc", "icecc"};

std::optional<language> by_suffix(const std::string& file) {
  const auto suffix = std::filesystem::path(file).extension().native();
  if (suffix == ".c") return language::c;
  for (const char* each : {".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C"}) {
    if (suffix == each) return language::cxx;
  }
  return std::nullopt;
}

/// Objects, libraries and texts that no preprocessor reads: options of the preprocessor are not for them.
bool is_ready(const std::string& file) {
  constexpr std::string_view known[] = {".o", ".a",  ".so",  ".lo",  ".obj", ".i",  ".ii",
                                        ".s", ".ld", ".lds", ".map", ".def", ".res"};
  const auto suffix = std::filesystem::path(file).extension().native();
  return std::find(std::begin(known), std::end(known), suffix) != std::end(known) ||
         file.find(".so.") != std::string::npos;
}

bool is_no_file(const std::string& output) { return output == "-" || output.starts_with("/dev/"); }

/// Reads the arguments one after the other.
class reader {
 public:
  explicit reader(compile_line& line) : line_(line) {}

  void all() {
    for (at_ = 0; at_ < line_.arguments.size(); ++at_) {
      const auto& word = line_.arguments[at_];
      if (word == "-" || word.empty()) return plainly("it reads standard input");
      if (word.front() == '@') return plainly("a response file cannot be read");
      if (word.front() == '-') {
        option(word);
      } else {
        input(word);
      }
    }
  }

 private:
  void plainly(const std::string& why) {
    if (line_.plain_because.empty()) line_.plain_because = why;
  }

  void option(const std::string& word) {
    if (word == "-S") line_.makes = compile_line::product::assembly;
    if (word == "-c" && line_.makes == compile_line::product::program) line_.makes = compile_line::product::object;
    if (word == "-fopenmp" || word.starts_with("-fopenmp=")) line_.openmp = true;
    if (word == "-fno-openmp") line_.openmp = false;
    if (word == "-E" || word == "-M" || word == "-MM") line_.preprocesses = true;
    if (word == "-MD" || word == "-MMD") line_.dependencies = word;
    if (word.starts_with("-MF") && word.size() > 3) written_to(word.substr(3));
    if (word.starts_with("-o") && word.size() > 2 && !takes_a_word(word)) return joined_output(word);
    if (word.starts_with("-x") && word.size() > 2) return forced_language(word.substr(2));
    if (forbids_rewriting(word)) plainly(word + " is for the compiler alone");
    if (takes_a_word(word)) value_of(word);
  }

  void written_to(const std::string& file) {
    line_.dependency_file = file;
    if (is_no_file(file)) plainly("-MF " + file + " is no file");
  }

  void joined_output(const std::string& word) {
    line_.output = word.substr(2);
    plainly(word + " is written in one word");
  }

  void value_of(const std::string& option) {
    if (++at_ >= line_.arguments.size()) return plainly(option + " has no value");
    const auto& value = line_.arguments[at_];
    if (option == "-o") line_.output = value;
    if (option == "-x") forced_language(value);
    if (option == "-MF") written_to(value);
    if (option == "-Xclang" && forbids_rewriting(value)) plainly(value + " is for the compiler alone");
    if (option == "-Xpreprocessor" && value.starts_with("-M"))
      plainly(option + " " + value + " is for the compiler alone");
  }

  void forced_language(const std::string& name) {
    forced_ = name == "none" ? "" : name;
    if (!forced_.empty() && forced_ != "c" && forced_ != "c++") plainly("-x " + forced_ + " is a language of its own");
  }

  void input(const std::string& word) {
    std::optional<language> written = by_suffix(word);
    if (!forced_.empty()) written = forced_ == "c" ? language::c : language::cxx;
    if (!written && !is_ready(word)) return plainly(word + " is of another language");
    if (!written) return;
    if (*written == language::c && forced_.empty() && line_.is.takes_c_for_cxx) written = language::cxx;
    line_.sources.push_back({at_, *written, forced_});
  }

  compile_line& line_;
  std::size_t at_ = 0;
  std::string forced_;
};

std::string check_whole(const compile_line& line) {
  if (line.sources.empty()) return "there is nothing to compile";
  if (line.output && is_no_file(*line.output)) return "its output is no file";
  if (line.makes == compile_line::product::program && !line.dependencies.empty())
    return "it writes dependencies of a program";
  if (line.sources.size() > 1 && line.makes != compile_line::product::program && line.output)
    return "one output of several sources";
  if (line.sources.size() > 1 && !line.dependencies.empty()) return "dependencies of several sources";
  return "";
}

bool worth_asking(const compile_line& line) {
  return line.openmp && !line.sources.empty() && line.plain_because.empty();
}

bool has_option(const compile_line& line, std::string_view name) {
  return std::any_of(line.arguments.begin(), line.arguments.end(),
                     [&](const auto& each) { return each.starts_with(name); });
}

std::string output_of(const compile_line& line, const source& of, const char* suffix) {
  if (line.output) return *line.output;
  return std::filesystem::path(line.arguments[of.at]).filename().replace_extension(suffix).native();
}

/// What dependencies are of: where no output is named it is an object, even if assembly is made.
std::string target_of(const compile_line& line, const source& of) { return output_of(line, of, ".o"); }

enum class keep { all, no_preprocessing, no_linking };

/// Calls `each(index, words)` for the options of the line that are kept, and for its inputs.
template <class Each>
void options_of(const compile_line& line, keep which, Each each) {
  for (std::size_t i = 0; i < line.arguments.size(); ++i) {
    const auto& word = line.arguments[i];
    const bool is_option = word.front() == '-';
    const std::size_t taken = is_option && takes_a_word(word) ? 2 : 1;
    const bool dropped = is_option && ((which == keep::no_preprocessing && is_preprocessors(word)) ||
                                       (which == keep::no_linking && is_linkers(word)));
    const auto begin = line.arguments.begin() + static_cast<std::ptrdiff_t>(i);
    if (!dropped) each(i, words(begin, begin + static_cast<std::ptrdiff_t>(taken)));
    i += taken - 1;
  }
}

void append(words& to, const words& more) { to.insert(to.end(), more.begin(), more.end()); }

bool is_source(const compile_line& line, std::size_t at) {
  return std::any_of(line.sources.begin(), line.sources.end(), [&](const auto& each) { return each.at == at; });
}

/// A preprocessed text, and then the language that was in force before, if more files follow: Clang warns of one that is for none.
words as_text(const compile_line& line, const source& of, const std::string& text, bool alone) {
  words all{"-x", of.written_in == language::c ? "cpp-output" : "c++-cpp-output", text};
  bool more = false;
  options_of(line, keep::all, [&](std::size_t at, const words& kept) {
    more = more || (at > of.at && kept.front().front() != '-' && !(alone && is_source(line, at)));
  });
  if (more) append(all, {"-x", of.forced.empty() ? "none" : of.forced});
  return all;
}

/// The compiler alone, with all options but those of the linker and of what is made, and one source, or its preprocessed `text`.
words without_product(const compile_line& line, const source& of, bool with_dependencies, const std::string& text) {
  words command{line.compiler.back()};
  options_of(line, text.empty() ? keep::no_linking : keep::no_preprocessing, [&](std::size_t at, const words& kept) {
    const auto& word = kept.front();
    if (word == "-c" || word == "-S" || word == "-o" || word.starts_with(with_dependencies ? "-MF" : "-M")) return;
    if (at == of.at && !text.empty()) return append(command, as_text(line, of, text, true));
    if (word.front() == '-' || at == of.at) append(command, kept);
  });
  return command;
}

/// Clang with -pedantic warns of the markers that its own preprocessor writes, and an older one of the option that is against that. GCC does
/// not know the options. What a wrapper adds for the preprocessor is not used, which is no error.
void silence_markers(const compile_line& line, words& command) {
  if (line.is.clang) append(command, {"-Wno-gnu-line-marker", "-Wno-unknown-warning-option"});
  if (line.is.clang && line.is.wrapper) command.emplace_back("-Wno-error=unused-command-line-argument");
}

}  // namespace

compile_line read_compile_line(const words& all) {
  compile_line line;
  std::size_t at = 0;
  while (at < all.size() && std::find(wrappers.begin(), wrappers.end(), name_of(all[at])) != wrappers.end()) ++at;
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(std::min(at + 1, all.size()));
  line.compiler.assign(all.begin(), first);
  if (!read_response_files({first, all.end()}, line.arguments)) line.plain_because = "a response file cannot be read";
  if (!line.compiler.empty()) {
    line.is = kind_by_name(line.compiler.back());
    reader(line).all();
    if (!line.is.known && worth_asking(line)) line.is = kind_by_asking(line.compiler.back());
  }
  if (!line.is.known && line.plain_because.empty()) line.plain_because = "the compiler is none that it knows";
  if (line.plain_because.empty()) line.plain_because = check_whole(line);
  return line;
}

words preprocessing(const compile_line& line, const source& of, const std::string& dependencies) {
  words command = without_product(line, of, !dependencies.empty(), "");
  append(command, {"-E", "-Wno-unused-command-line-argument"});
  if (dependencies.empty()) return command;
  append(command, {"-MF", dependencies});
  if (!has_option(line, "-MT") && !has_option(line, "-MQ")) append(command, {"-MQ", target_of(line, of)});
  return command;
}

std::string dependencies_of(const compile_line& line, const source& of) {
  if (line.dependencies.empty() || !line.dependency_file.empty()) return line.dependency_file;
  return std::filesystem::path(target_of(line, of)).replace_extension(".d").native();
}

words compiling(const compile_line& line, const source& of, const std::string& text) {
  words command = line.compiler;
  options_of(line, keep::no_preprocessing, [&](std::size_t at, const words& kept) {
    if (at == of.at) {
      append(command, as_text(line, of, text, true));
    } else if (!is_source(line, at)) {
      append(command, kept);
    }
  });
  if (!line.output) append(command, {"-o", product_of(line, of)});
  silence_markers(line, command);
  return command;
}

words linking(const compile_line& line, const words& texts) {
  words command = line.compiler;
  const bool all_texts = std::none_of(texts.begin(), texts.end(), [](const auto& each) { return each.empty(); });
  std::size_t next = 0;
  options_of(line, all_texts ? keep::no_preprocessing : keep::all, [&](std::size_t at, const words& kept) {
    if (!is_source(line, at)) return append(command, kept);
    const auto& text = texts[next];
    append(command, text.empty() ? kept : as_text(line, line.sources[next], text, false));
    ++next;
  });
  silence_markers(line, command);
  return command;
}

std::string product_of(const compile_line& line, const source& of) {
  if (line.makes == compile_line::product::program) return line.output.value_or("a.out");
  return output_of(line, of, line.makes == compile_line::product::assembly ? ".s" : ".o");
}

words one_of(const compile_line& line, const source& of) {
  words command = line.compiler;
  options_of(line, keep::all, [&](std::size_t at, const words& kept) {
    if (at == of.at || !is_source(line, at)) append(command, kept);
  });
  return command;
}

words warning(const compile_line& line, const source& of, bool by_optimiser, const std::string& text) {
  words command = without_product(line, of, false, text);
  if (line.is.clang) command.emplace_back("-Wno-unused-command-line-argument");
  if (line.is.clang && !by_optimiser) {
    command.emplace_back("-fsyntax-only");
  } else {
    append(command, {"-S", "-o", "/dev/null"});
  }
  return command;
}

words driving(const compile_line& line) {
  words command{line.compiler.back(), "-###"};
  append(command, line.arguments);
  return command;
}

words reading(const compile_line& line, const source& of) {
  words arguments{of.written_in == language::c ? "-xcpp-output" : "-xc++-cpp-output"};
  for (const auto& word : line.arguments) {
    if (is_of_the_language(word)) arguments.push_back(word);
    for (const std::string_view maps : {"-ffile-prefix-map=", "-fmacro-prefix-map="}) {
      if (word.starts_with(maps)) arguments.push_back("--prefix-map=" + word.substr(maps.size()));
    }
  }
  if (line.is.clang) arguments.emplace_back("--for-clang");
  if (!line.is.target.empty()) arguments.push_back("--target=" + line.is.target);
  return arguments;
}

}  // namespace steelyard::tool::launch
