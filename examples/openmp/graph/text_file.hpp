// SPDX-License-Identifier: Apache-2.0
// A text file read whole and walked line by line; complaints name the file and the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace graph {

class text_file {
 public:
  // Throws input_error when the file cannot be read or is compressed.
  explicit text_file(std::string name);

  bool next_line();       // false at the end
  bool is_blank() const;  // nothing in it but blanks
  std::string_view line() const { return line_; }
  std::size_t bytes() const { return content_.size(); }
  const std::string& name() const { return name_; }

  // The next blank-separated field of the line; empty when there is none.
  std::string_view field();

  // The next field as a number from least to most - 1. `what` names it in the complaint.
  std::uint64_t number(const char* what, std::uint64_t least, std::uint64_t most);

  // Refuses a line that has more fields than were taken.
  void expect_end(const char* remedy);

  [[noreturn]] void fail(const std::string& problem) const;

 private:
  std::string name_;
  std::vector<char> content_;
  std::size_t position_ = 0;
  std::size_t line_number_ = 0;
  std::string_view line_;
  std::string_view rest_;
};

// The text as it may stand in a one-line message: shortened, without control characters.
std::string printable(std::string_view text);

}  // namespace graph
