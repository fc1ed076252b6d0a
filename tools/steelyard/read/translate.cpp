// SPDX-License-Identifier: Apache-2.0
#include "read/translate.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "text/failure.hpp"
#include "text/printable.hpp"
#include "text/units.hpp"

namespace steelyard::tool {
namespace {

constexpr std::size_t most_shown = 80;
constexpr std::size_t most_lines = 8;

/// `; it has loops in lines 12, 30, …`, or why nothing of the kind is known.
std::string what_there_is(const loop_choice& line, const source_loops& loops) {
  if (loops.without_lines()) return "it was built without -g; build it with -g, or write module+0xOFFSET";
  auto lines = loops.lines_of(line.file);
  if (lines.empty()) return "no loop that can be taken stands in that file; compare prints those there are";
  const bool more = lines.size() > most_lines;
  if (more) lines.resize(most_lines);
  return fmt::format("those that can be taken stand in line{} {}{}", lines.size() == 1 ? "" : "s",
                     fmt::join(lines, ", "), more ? ", ..." : "");
}

}  // namespace

translated_lines translate(const loops_file& wanted, const source_loops& loops, const std::string& file,
                           const std::string& program) {
  translated_lines made;
  for (const auto& choice : wanted.choices) {
    const auto sites = choice.file.empty() ? std::vector<site_key>() : loops.at(choice.file, choice.line);
    const auto said = [&](const std::string& what) {
      made.remarks.push_back(fmt::format("{}:{}: {}: {}", printable(file, most_shown), choice.number,
                                         printable(choice.site, most_shown), what));
    };
    const bool unknown = !choice.file.empty() && sites.empty();
    if (unknown && !loops.any_of_clang()) {
      if (choice.may_be_absent) continue;
      said(fmt::format("no such loop in {}: {}", printable(program, most_shown), what_there_is(choice, loops)));
      continue;
    }
    if (sites.size() > 1)
      said(fmt::format("{} stand there; all of them run by {}", counted(sites.size(), "loop"), choice.schedule));
    if (sites.empty()) made.text += fmt::format("{} {}\n", choice.site, choice.schedule);
    const char* const mark = sites.size() > 1 || choice.may_be_absent ? "?" : "";
    for (const auto& site : sites) made.text += fmt::format("{}{} {}\n", site.text(), mark, choice.schedule);
  }
  return made;
}

std::string open_file_with(const std::string& text) {
  constexpr int out_of_the_way = 200;  // some programs know the number of what they open first
  const int made = memfd_create("steelyard-loops", MFD_CLOEXEC);
  const int file = made < 0 ? -1 : fcntl(made, F_DUPFD, out_of_the_way);
  const bool good = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!good) {
    throw failure(bad_usage, fmt::format("no memory for the loops file ({}); write module+0xOFFSET into it",
                                         std::strerror(errno)));
  }
  close(made);
  return fmt::format("/proc/{}/fd/{}", getpid(), file);
}

}  // namespace steelyard::tool
