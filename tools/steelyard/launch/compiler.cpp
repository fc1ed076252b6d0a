// SPDX-License-Identifier: Apache-2.0
#include "launch/compiler.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "launch/child.hpp"
#include "launch/memory_file.hpp"

namespace steelyard::tool::launch {
namespace {

/// Where the compiler's own name begins in `aarch64-linux-gnu-g++-12`; npos: it is none that the launcher knows.
std::size_t own_name(const std::string& name) {
  auto end = name.find_last_not_of("0123456789.");
  if (end == std::string::npos) return end;
  end = name[end] == '-' && end + 1 < name.size() ? end : name.size();
  for (const std::string_view known : {"clang++", "clang", "g++", "gcc", "c++", "cc"}) {
    if (end < known.size() || name.compare(end - known.size(), known.size(), known) != 0) continue;
    const auto begin = end - known.size();
    if (begin == 0 || name[begin - 1] == '-') return begin;
  }
  return std::string::npos;
}

/// `aarch64-linux-gnu`, and not `scorep` or `musl`, which begin the names of wrappers.
bool is_target(std::string_view prefix) {
  constexpr std::array<std::string_view, 13> machines = {"x86_64",  "i386",      "i486",  "i586", "i686",
                                                         "aarch64", "arm",       "riscv", "ppc",  "power",
                                                         "s390x",   "loongarch", "mips"};
  return prefix.find('-') != std::string_view::npos &&
         std::any_of(machines.begin(), machines.end(), [&](auto each) { return prefix.starts_with(each); });
}

constexpr std::array<std::string_view, 8> wrapper_names = {"mpicc",  "mpicxx", "mpic++", "mpiCC",
                                                           "mpigcc", "mpigxx", "h5cc",   "h5pcc"};

bool is_for_cxx(const std::string& name) {
  return name.find("++") != std::string::npos || name.find("xx") != std::string::npos || name.ends_with("CC");
}

/// The lines `#define NAME VALUE` that it prints of itself; empty: it does not.
std::string macros_of(const std::string& compiler) {
  const memory_file printed;
  const memory_file said;
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool asked = printed.good() && said.good() && nothing >= 0 &&
                     run_child({compiler, "-dM", "-E", "-x", "c", "/dev/null"},
                               {nothing, printed.descriptor(), said.descriptor()}) == 0;
  if (nothing >= 0) close(nothing);
  return asked ? "\n" + printed.text() : "";
}

#if defined(__x86_64__)
constexpr std::string_view this_machine = "__x86_64__";
#elif defined(__aarch64__)
constexpr std::string_view this_machine = "__aarch64__";
#else
constexpr std::string_view this_machine = "no machine that is supported";
#endif

constexpr std::array<std::string_view, 6> other_compilers = {
    "__INTEL_COMPILER", "__INTEL_LLVM_COMPILER", "__NVCOMPILER", "__PGI", "__NVCC__", "__TINYC__"};

}  // namespace

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

compiler_kind kind_by_name(const std::string& compiler) {
  const auto name = name_of(compiler);
  const auto begin = own_name(name);
  compiler_kind kind;
  kind.takes_c_for_cxx = is_for_cxx(name);
  if (begin == std::string::npos) return kind;
  const auto prefix = name.substr(0, begin == 0 ? 0 : begin - 1);
  kind.known = prefix.empty() || is_target(prefix);
  kind.clang = name.find("clang") != std::string::npos;
  if (kind.known) kind.target = prefix;
  return kind;
}

compiler_kind kind_by_asking(const std::string& compiler) {
  const auto macros = macros_of(compiler);
  const auto defines = [&](std::string_view name) {
    return macros.find(std::string("\n#define ").append(name).append(" ")) != std::string::npos;
  };
  const bool is_other = std::any_of(other_compilers.begin(), other_compilers.end(), defines);
  return {.known = defines("__GNUC__") && defines(this_machine) && !is_other,
          .clang = defines("__clang__"),
          .takes_c_for_cxx = is_for_cxx(name_of(compiler)),
          .wrapper = true,
          .target = {}};
}

bool names_a_compiler(const std::string& name) {
  const auto plain = std::string_view(name).substr(0, name.find('.'));
  return own_name(name) != std::string::npos ||
         std::find(wrapper_names.begin(), wrapper_names.end(), plain) != wrapper_names.end();
}

}  // namespace steelyard::tool::launch
