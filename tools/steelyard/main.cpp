// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "args.hpp"
#include "failure.hpp"

int main(int argc, char** argv) {
  try {
    const int status = steelyard::tool::run_command_line(argc, argv);
    if (std::fflush(stdout) != 0) {
      fmt::print(stderr, "steelyard: cannot write the output; is the disk full?\n");
      return steelyard::tool::bad_usage;
    }
    return status;
  } catch (const steelyard::tool::failure& error) {
    std::fflush(stdout);
    fmt::print(stderr, "{}steelyard: {}\n", error.before(), error.what());
    return error.status();
  } catch (const std::exception& error) {
    fmt::print(stderr, "steelyard: internal error: {}; please report it\n", error.what());
    return 70;
  }
}
