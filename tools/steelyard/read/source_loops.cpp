// SPDX-License-Identifier: Apache-2.0
#include "read/source_loops.hpp"

#include <algorithm>
#include <set>

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;

/// Without what leads nowhere: `./`, `a/../`, and `../` at the front.
std::string plain_path(const std::string& path) {
  auto text = fs::path(path).lexically_normal().native();
  while (text.starts_with("../")) text.erase(0, 3);
  return text;
}

/// Whether a path ends in another, in whole names.
bool ends_in(const std::string& path, const std::string& tail) {
  if (tail.empty() || !path.ends_with(tail)) return false;
  return path.size() == tail.size() || tail.front() == '/' || path[path.size() - tail.size() - 1] == '/';
}

}  // namespace

bool same_source(const std::string& file, const std::string& wanted) {
  const auto known = plain_path(file);
  const auto named = plain_path(wanted);
  if (ends_in(known, named)) return true;
  return !known.starts_with('/') && ends_in(named, known);
}

source_loops::source_loops(const std::vector<fs::path>& modules) {
  symboliser source;
  for (const auto& module : modules) {
    for (const auto& call : source.calls(module.native())) {
      of_clang_ = of_clang_ || call.what == loop_call::kind::begins_in_clang;
      if (call.what != loop_call::kind::begins && call.what != loop_call::kind::forks) continue;
      known_.push_back({{module.filename().native(), call.offset}, source.find_loop(module.native(), call.offset)});
    }
  }
}

std::vector<site_key> source_loops::at(const std::string& file, unsigned line) const {
  std::vector<site_key> found;
  for (const auto& one : known_) {
    if (one.place.line == line && same_source(one.place.file, file)) found.push_back(one.key);
  }
  return found;
}

std::vector<unsigned> source_loops::lines_of(const std::string& file) const {
  std::set<unsigned> lines;
  for (const auto& one : known_) {
    if (one.place.line != 0 && same_source(one.place.file, file)) lines.insert(one.place.line);
  }
  return {lines.begin(), lines.end()};
}

bool source_loops::without_lines() const {
  return std::all_of(known_.begin(), known_.end(), [](const auto& one) { return one.place.line == 0; });
}

}  // namespace steelyard::tool
