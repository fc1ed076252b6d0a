// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "read/report.hpp"
#include "read/symbolise.hpp"

namespace steelyard::tool {

/// Whether a file in debug information is the one that a user names: by its path, by a part of it from the right, or by
/// its name alone.
[[nodiscard]] bool same_source(const std::string& file, const std::string& wanted);

/// The loops of modules that GCC built, by their lines in the source. Clang's tell the drop-in their lines themselves.
class source_loops {
 public:
  explicit source_loops(const std::vector<std::filesystem::path>& modules);

  /// The sites of the loops at a line.
  [[nodiscard]] std::vector<site_key> at(const std::string& file, unsigned line) const;

  /// The lines of a file that have loops, ascending.
  [[nodiscard]] std::vector<unsigned> lines_of(const std::string& file) const;

  /// There are loops, but of none is the line known: they were built without -g.
  [[nodiscard]] bool without_lines() const;
  [[nodiscard]] bool empty() const { return known_.empty(); }
  /// Loops that Clang built are among the modules'.
  [[nodiscard]] bool any_of_clang() const { return of_clang_; }

 private:
  struct entry {
    site_key key;
    location place;
  };
  std::vector<entry> known_;
  bool of_clang_ = false;
};

}  // namespace steelyard::tool
