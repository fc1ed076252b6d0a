// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "command/args.hpp"
#include "launch/links.hpp"
#include "text/failure.hpp"

namespace {

/// Where standard error cannot be written, nobody can be told.
void complain(const std::string& text) { std::fputs(text.c_str(), stderr); }

int cannot_write() {
  complain("steelyard: cannot write the output; is the disk full?\n");
  return steelyard::tool::bad_usage;
}

/// The words of the command line; steelyard-cc, which is `steelyard cc` in a single word, as these two, and a link of a compiler's name
/// as these two and the compiler.
std::vector<char*> words_of(int argc, char** argv) {
  static char command[] = "cc";
  static std::string compiler;
  std::vector<char*> all(argv, argv + argc);
  if (argc > 0) compiler = steelyard::tool::launch::stands_for(argv[0]);
  if (!compiler.empty()) {
    all.insert(all.begin() + 1, {command, compiler.data()});
  } else if (argc > 0 && std::string_view(argv[0]).ends_with("steelyard-cc")) {
    all.insert(all.begin() + 1, command);
  }
  all.push_back(nullptr);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    auto words = words_of(argc, argv);
    const int status = steelyard::tool::run_command_line(static_cast<int>(words.size() - 1), words.data());
    return std::fflush(stdout) != 0 || std::ferror(stdout) != 0 ? cannot_write() : status;
  } catch (const steelyard::tool::failure& error) {
    std::fflush(stdout);
    complain(fmt::format("{}steelyard: {}\n", error.before(), error.what()));
    return error.status();
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return cannot_write();
    complain(fmt::format("steelyard: internal error: {}; please report it\n", error.what()));
    return steelyard::tool::internal_error;
  }
}
