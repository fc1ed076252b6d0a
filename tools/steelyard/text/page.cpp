// SPDX-License-Identifier: Apache-2.0
#include "text/page.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace steelyard::tool {
namespace {

constexpr std::size_t least_width = 80;

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::size_t wanted_width() {
  std::size_t width = 0;
  const auto text = variable("COLUMNS");
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  return error == std::errc{} && end == text.data() + text.size() ? width : 0;
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

page standard_page(bool wide) {
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  const bool plain = !variable("NO_COLOR").empty() || variable("TERM").empty() || variable("TERM") == "dumb";
  page found{0, terminal && !plain};
  if (wide) return found;
  if (const auto wanted = wanted_width(); wanted != 0) {
    found.width = std::max(wanted, least_width);
  } else if (terminal) {
    found.width = std::max(terminal_width(), least_width);
  }
  return found;
}

}  // namespace steelyard::tool
