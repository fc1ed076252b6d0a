// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/compiler.hpp"

namespace steelyard::tool::launch {

using words = std::vector<std::string>;

enum class language { c, cxx };

/// A source file of a command line.
struct source {
  std::size_t at;  ///< its place among the arguments
  language written_in;
  std::string forced;  ///< what -x says where it stands; empty: nothing
};

/// A command line of GCC or Clang, read as far as the launcher needs it.
struct compile_line {
  enum class product { object, assembly, program };
  words compiler;  ///< with what stands before it, as ccache
  compiler_kind is;
  words arguments;  ///< response files read
  product makes = product::program;
  std::vector<source> sources;
  std::optional<std::string> output;
  std::string dependencies;     ///< -MD or -MMD; empty: none wanted
  std::string dependency_file;  ///< by -MF; empty: it does not say
  bool openmp = false;
  bool preprocesses = false;  ///< only: nothing is compiled
  std::string plain_because;  ///< why it has to run as it is; empty: it need not
};

/// Reads what stands behind `steelyard cc`. Whatever it does not know it lets through, and says so where that is a reason. A compiler
/// whose name it does not know is asked what it is, where there may be something to rewrite.
[[nodiscard]] compile_line read_compile_line(const words& all);

/// The command that prints one source preprocessed, and writes its dependencies to that file; empty: it does not.
[[nodiscard]] words preprocessing(const compile_line& line, const source& of, const std::string& dependencies);

/// Where the compiler would write these; empty: nowhere.
[[nodiscard]] std::string dependencies_of(const compile_line& line, const source& of);

/// The command that compiles `text`, preprocessed, in place of one source, and no other source.
[[nodiscard]] words compiling(const compile_line& line, const source& of, const std::string& text);

/// The command that makes the program, with `texts[i]` in place of source i where it is not empty.
[[nodiscard]] words linking(const compile_line& line, const words& texts);

/// What compiling makes of a source, and linking of all.
[[nodiscard]] std::string product_of(const compile_line& line, const source& of);

/// The command for one source of several, as it was.
[[nodiscard]] words one_of(const compile_line& line, const source& of);

/// The command that says what there is to say of one source, as it is, or of its preprocessed `text`, and makes nothing. `by_optimiser`: of
/// Clang's, too, which seldom warns; GCC's is always asked.
[[nodiscard]] words warning(const compile_line& line, const source& of, bool by_optimiser, const std::string& text);

/// The command by which Clang only says what it would start, and which of the options it would not use.
[[nodiscard]] words driving(const compile_line& line);

/// What Clang has to be told to read the text as the compiler does.
[[nodiscard]] words reading(const compile_line& line, const source& of);

}  // namespace steelyard::tool::launch
