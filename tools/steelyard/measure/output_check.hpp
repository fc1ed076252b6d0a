// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Is what the program printed under a schedule what it prints as written? Programs print times and addresses, so what
/// varies among the runs as written is not compared; all else is, to the last digit. Blanks between words do not count.
namespace steelyard::tool {

/// A word or number of a line that differs from the reference's.
struct output_difference {
  static constexpr std::uint32_t whole_line = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t line = 0;    ///< from 1
  std::uint32_t word = 0;    ///< from 0; `whole_line`: the lines have not as many words
  bool numbers = false;      ///< both are numbers
  std::string expected, is;  ///< shortened; empty behind the first hundred
};

/// How one output differs from the reference.
struct output_comparison {
  std::vector<output_difference> differences;  ///< the first 20,000
  bool cut = false;                            ///< there are more
  bool same_length = true;                     ///< as many lines
  std::uint64_t lines = 0;  ///< of the shorter one; if cut, the last that differs, perhaps not in all
};

/// Reads both once, a word of at most 4 KiB at a time. What cannot be read is as if it were empty.
[[nodiscard]] output_comparison compare_outputs(const std::filesystem::path& reference,
                                                const std::filesystem::path& other);

/// Learns from the runs as written, and judges the others once all are there.
class output_check {
 public:
  /// Another run as written.
  void learn(const output_comparison& as_written);
  /// A run of another row.
  void add(std::size_t row, output_comparison of_row);

  /// By row: where an output of it differs in what did not vary among the runs as written so far, in words.
  [[nodiscard]] std::map<std::size_t, std::string> faults() const;

  /// Why outputs are not compared, or not wholly; empty: they are.
  [[nodiscard]] std::string remark() const;

 private:
  [[nodiscard]] bool varies(const output_difference& one) const;
  [[nodiscard]] std::optional<std::string> fault(const output_comparison& of_row) const;

  std::vector<std::pair<std::size_t, output_comparison>> others_;       ///< those that differ from the reference
  std::set<std::pair<std::uint64_t, std::uint32_t>> numbers_, words_;   ///< places that vary among the runs as written
  std::uint64_t compared_ = std::numeric_limits<std::uint64_t>::max();  ///< lines that are compared
  bool length_varies_ = false;
};

}  // namespace steelyard::tool
