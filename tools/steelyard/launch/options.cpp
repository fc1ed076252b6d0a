// SPDX-License-Identifier: Apache-2.0
#include "launch/options.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <system_error>

namespace steelyard::tool::launch {
namespace {

using names = std::span<const std::string_view>;

bool among(names all, std::string_view option) { return std::find(all.begin(), all.end(), option) != all.end(); }

bool begins(names all, std::string_view option) {
  return std::any_of(all.begin(), all.end(), [&](std::string_view each) { return option.starts_with(each); });
}

constexpr std::string_view with_a_word[] = {"-o",
                                            "-x",
                                            "-I",
                                            "-D",
                                            "-U",
                                            "-include",
                                            "-imacros",
                                            "-isystem",
                                            "-iquote",
                                            "-idirafter",
                                            "-iprefix",
                                            "-iwithprefix",
                                            "-iwithprefixbefore",
                                            "-isysroot",
                                            "-imultilib",
                                            "-MF",
                                            "-MT",
                                            "-MQ",
                                            "-MJ",
                                            "-A",
                                            "-L",
                                            "-l",
                                            "-T",
                                            "-u",
                                            "-z",
                                            "-e",
                                            "-G",
                                            "-B",
                                            "-Xlinker",
                                            "-Xassembler",
                                            "-Xpreprocessor",
                                            "-Xclang",
                                            "-mllvm",
                                            "-target",
                                            "-arch",
                                            "--param",
                                            "--sysroot",
                                            "-aux-info",
                                            "-wrapper",
                                            "-rpath",
                                            "-F",
                                            "-framework",
                                            "-ivfsoverlay",
                                            "-include-pch",
                                            "-gcc-toolchain",
                                            "-dumpbase",
                                            "-dumpbase-ext",
                                            "-dumpdir",
                                            "-isystem-after",
                                            "-cxx-isystem",
                                            "-stdlib++-isystem",
                                            "-iwithsysroot",
                                            "-iframework",
                                            "-iframeworkwithsysroot",
                                            "-resource-dir",
                                            "-working-directory",
                                            "-serialize-diagnostics",
                                            "-gen-cdb-fragment-path",
                                            "-mthread-model",
                                            "-Xopenmp-target"};

constexpr std::string_view of_preprocessor[] = {"-D",
                                                "-U",
                                                "-I",
                                                "-include",
                                                "-imacros",
                                                "-isystem",
                                                "-iquote",
                                                "-idirafter",
                                                "-iprefix",
                                                "-iwithprefix",
                                                "-M",
                                                "-Wp,",
                                                "-nostdinc",
                                                "-Xpreprocessor",
                                                "-A",
                                                "-F",
                                                "-cxx-isystem",
                                                "-stdlib++-isystem",
                                                "-iwithsysroot",
                                                "-iframework"};

constexpr std::string_view of_linker[] = {
    "-l",   "-L",      "-Wl,",          "-Xlinker",       "-T",        "-z",    "-u", "-rdynamic", "-shared", "-static",
    "-pie", "-no-pie", "-nostartfiles", "-nodefaultlibs", "-fuse-ld=", "-rpath"};

constexpr std::string_view forbidding[] = {"-g3",
                                           "-ggdb3",
                                           "-gsplit-dwarf",
                                           "-E",
                                           "-M",
                                           "-MM",
                                           "-MJ",
                                           "-fsyntax-only",
                                           "-ftest-coverage",
                                           "-fanalyzer",
                                           "-C",
                                           "-CC",
                                           "-P",
                                           "-v",
                                           "-V",
                                           "-###",
                                           "-include-pch",
                                           "-fpch-preprocess",
                                           "-fpreprocessed",
                                           "-fopenacc",
                                           "-fnon-call-exceptions",
                                           "-fdirectives-only",
                                           "-frecord-gcc-switches",
                                           "-frecord-command-line",
                                           "-aux-info",
                                           "-wrapper",
                                           "-coverage",
                                           "-fdebug-macro",
                                           "-serialize-diagnostics",
                                           "-gen-cdb-fragment-path",
                                           "-working-directory"};

constexpr std::string_view forbidding_prefixes[] = {"-save-temps",
                                                    "-fprofile",
                                                    "-fauto-profile",
                                                    "-fdump-",
                                                    "-fmodule",
                                                    "-traditional",
                                                    "-print-",
                                                    "-dump",
                                                    "-d",
                                                    "-finput-charset",
                                                    "-fopenmp-targets",
                                                    "-foffload",
                                                    "-fcs-profile",
                                                    "-emit-",
                                                    "-fstack-usage",
                                                    "-fcallgraph-info",
                                                    "-fsave-optimization-record",
                                                    "-foptimization-record",
                                                    "-ftime-trace",
                                                    "-Wa,-a"};

/// Options of two dashes that change nothing for the launcher. The others may be long forms of any option.
constexpr std::string_view known_long[] = {
    "--param",  "--sysroot",    "--target=", "--gcc-toolchain=", "--gcc-install-dir=",
    "--rtlib=", "--unwindlib=", "--ld-path="};

/// What is added to a source to count its iterations is meant to wrap round, which these report.
bool reports_wrapping(std::string_view option) {
  return option.starts_with("-fsanitize=") &&
         (option.find("integer") != std::string_view::npos || option.find("unsigned") != std::string_view::npos);
}

/// `-Wp,-MD,FILE`: compilers differ in what such dependencies are of.
bool hands_on_dependencies(std::string_view option) {
  return option.starts_with("-Wp,") && option.find(",-M") != std::string_view::npos;
}

/// What a file of specs may change: options that the compiler and the linker get. Distributions pass such files with each package.
constexpr std::string_view added_by_specs[] = {
    "*cc1_options:", "*cc1:", "*cc1plus:", "*self_spec:", "*link:", "*link_libgcc:", "*startfile:", "*endfile:"};

/// `-specs=FILE`, where it may change more, or is not to be read from here.
bool changes_the_compiler(std::string_view option) {
  constexpr std::string_view specs = "-specs=";
  if (!option.starts_with(specs)) return option.starts_with("-specs");
  const std::filesystem::path path(option.substr(specs.size()));
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return true;  // what is read of a pipe is gone
  std::ifstream file(path);
  bool is_empty = true;
  for (std::string line; std::getline(file, line); is_empty = false) {
    const bool begins_another = !line.empty() && std::string_view("%.@*").find(line.front()) != std::string_view::npos;
    if (begins_another && !begins(added_by_specs, line)) return true;
  }
  return is_empty;
}

constexpr std::string_view languages[] = {"-ansi",
                                          "-fno-exceptions",
                                          "-fexceptions",
                                          "-fno-rtti",
                                          "-funsigned-char",
                                          "-fsigned-char",
                                          "-fshort-enums",
                                          "-fshort-wchar",
                                          "-fms-extensions",
                                          "-fgnu89-inline",
                                          "-fcoroutines",
                                          "-fchar8_t",
                                          "-fno-char8_t",
                                          "-m32",
                                          "-m64"};

constexpr std::string_view language_prefixes[] = {"-std=", "-march=", "-mavx", "-msse", "-mfma", "--target="};

}  // namespace

bool takes_a_word(std::string_view option) { return among(with_a_word, option); }

bool is_preprocessors(std::string_view option) { return begins(of_preprocessor, option); }

bool is_linkers(std::string_view option) { return option == "-s" || (begins(of_linker, option) && option != "-undef"); }

bool forbids_rewriting(std::string_view option) {
  return among(forbidding, option) || begins(forbidding_prefixes, option) || hands_on_dependencies(option) ||
         changes_the_compiler(option) || reports_wrapping(option) ||
         (option.starts_with("--") && !begins(known_long, option));
}

bool is_of_the_language(std::string_view option) {
  return among(languages, option) || begins(language_prefixes, option);
}

}  // namespace steelyard::tool::launch
