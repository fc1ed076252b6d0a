// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "command/commands.hpp"
#include "learn/knowledge.hpp"
#include "read/knowledge.hpp"
#include "read/loops_file.hpp"
#include "read/schedule_text.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"
#include "text/similar.hpp"
#include "text/table.hpp"
#include "text/units.hpp"

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;
using std::string_view;

std::vector<std::string> known_texts() {
  std::vector<std::string> remarks;
  auto texts = read_knowledge(knowledge_folder(), remarks);
  for (const auto& remark : remarks) fmt::print(stderr, "steelyard: {}; it is left out\n", printable(remark, 400));
  return texts;
}

/// Calls f(module, loop) for each loop of each text.
template <class F>
void each_loop(const std::vector<std::string>& texts, F f) {
  for (const auto& text : texts) {
    learn::knowledge known;
    if (learn::parse(text, known) != learn::knowledge_error::none) continue;
    learn::known_loop loop;
    while (!known.loops.empty()) {
      if (learn::parse(learn::take_line(known.loops), loop)) f(known, loop);
    }
  }
}

std::string schedule_of(const learn::known_loop& loop) {
  const auto& how = loop.what.how;
  return choice_text({.schedule = how.schedule, .chunk = how.chunk * loop.granule});
}

/// What it takes, of the least time that it could, where what it costs is known.
std::string of_limit(const learn::lesson& what) {
  if (what.work == 0) return "-";
  return fmt::format("{:.2f}", static_cast<double>(what.usual) * what.members / static_cast<double>(what.work));
}

void show() {
  table shown({{"loop", table::left, 0, true},
               {"iterations"},
               {"threads"},
               {"schedule", table::left},
               {"time/limit"},
               {"host", table::left, 1}});
  std::size_t count = 0;
  each_loop(known_texts(), [&](const learn::knowledge& known, const learn::known_loop& loop) {
    const auto& what = loop.what;
    const auto threads = what.how.members == what.members ? fmt::format("{}", what.members)
                                                          : fmt::format("{} of {}", what.how.members, what.members);
    shown.add({fmt::format("{}+0x{:x}", printable(fs::path(known.module).filename().native(), 200), loop.offset),
               fmt::format("{}", what.iterations * loop.granule), threads, schedule_of(loop), of_limit(what),
               printable(known.host, 64)});
    ++count;
  });
  if (count == 0) {
    fmt::print("Nothing is known in {}.\n", printable(knowledge_folder().native(), 400));
  } else {
    fmt::print("{}", shown.text());
  }
}

/// Lines of a loops file, which names loops of OpenMP programs. Where several trip counts of a loop are known the one that was learnt last
/// counts.
void print_loops() {
  std::map<std::string, std::string> lines;
  each_loop(known_texts(), [&](const learn::knowledge& known, const learn::known_loop& loop) {
    if (loop.api == learn::library_loops) return;
    const auto site = fmt::format("{}+{:#x}?", known.module, loop.offset);
    lines[site] = loops_file_line(
        site, schedule_of(loop),
        fmt::format("{} iterations, {} threads", loop.what.iterations * loop.granule, loop.what.members));
  });
  for (const auto& [site, line] : lines) fmt::print("{}", line);
}

void export_to(const std::string& file) {
  std::string all;
  for (const auto& text : known_texts()) all += text;
  if (file == "-") {
    std::fwrite(all.data(), 1, all.size(), stdout);
    return;
  }
  std::ofstream to(file, std::ios::binary | std::ios::trunc);
  to << all;
  to.close();
  if (!to)
    throw failure(bad_usage,
                  fmt::format("{}: cannot be written; name a file in a folder of yours", printable(file, 400)));
}

constexpr std::uintmax_t most_imported = std::uintmax_t{256} * learn::largest_knowledge;  // as many modules are kept

void import_from(const std::string& file) {
  const auto refuse = [&](std::string_view why) {
    throw failure(bad_usage,
                  fmt::format("{}: {}; name a file that `knowledge export` has written", printable(file, 400), why));
  };
  std::error_code error;
  const auto kind = fs::status(file, error).type();
  if (kind != fs::file_type::not_found && kind != fs::file_type::regular) refuse("is not a regular file");
  if (kind == fs::file_type::regular && fs::file_size(file, error) > most_imported) refuse("is too large");
  std::ifstream from(file, std::ios::binary);
  if (!from) refuse("cannot be read");
  const std::string all(std::istreambuf_iterator<char>(from), {});
  const auto texts = divided_knowledge(all, file);
  for (const auto text : texts) add_knowledge(knowledge_folder(), text);
  fmt::print("{} imported\n", counted(texts.size(), "module"));
}

const std::vector<std::string> actions = {"show", "loops", "export", "import", "clear"};

void clear() { fmt::print("{} forgotten\n", counted(clear_knowledge(knowledge_folder()), "module")); }

}  // namespace

int knowledge_command(const knowledge_options& options) {
  const auto& [action, file] = options;
  const bool wants_file = action == "export" || action == "import";
  if (wants_file && file.empty())
    throw failure(bad_usage, fmt::format("no file given; write steelyard knowledge {} FILE", action));
  if (!wants_file && !file.empty())
    throw failure(bad_usage, fmt::format("knowledge {} takes no '{}'", action, printable(file, 80)));
  if (action == "show") {
    show();
  } else if (action == "loops") {
    print_loops();
  } else if (action == "export") {
    export_to(file);
  } else if (action == "import") {
    import_from(file);
  } else if (action == "clear") {
    clear();
  } else {
    const auto meant = did_you_mean(action, actions);
    throw failure(bad_usage, fmt::format("knowledge has no '{}'{}", printable(action, 80),
                                         meant.empty() ? "; write show, loops, export, import or clear" : meant));
  }
  return success;
}

}  // namespace steelyard::tool
