// SPDX-License-Identifier: Apache-2.0
#include "measure/output_check.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "text/printable.hpp"

namespace steelyard::tool {
namespace {

constexpr std::size_t most_differences = 20000;
constexpr std::size_t most_texts = 100;
constexpr std::size_t longest_word = 4096;
constexpr std::size_t longest_text = 32;

bool digit(int c) { return c >= '0' && c <= '9'; }
bool blank(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/// A word of a line: a number, or what stands between blanks and numbers.
struct word {
  enum class kind { text, number, end_of_line, end } what = kind::end;
  std::string text;
};

/// An output, word by word.
class words {
 public:
  explicit words(const std::filesystem::path& file) : in_(file, std::ios::binary) {}

  word next() {
    while (blank(peek())) take();
    before_ = at_blank_ ? 0 : before_;
    const int first = peek();
    if (first == end) return {word::kind::end, ""};
    if (first == '\n') {
      take();
      return {word::kind::end_of_line, ""};
    }
    word found{begins_number() ? word::kind::number : word::kind::text, ""};
    do {
      found.text += static_cast<char>(take());
    } while (found.text.size() < longest_word && goes_on(found));
    return found;
  }

 private:
  static constexpr int end = -1;

  int peek(std::size_t ahead = 0) {
    if (position_ + ahead >= filled_) refill();
    return position_ + ahead < filled_ ? static_cast<unsigned char>(buffer_[position_ + ahead]) : end;
  }

  int take() {
    before_ = peek();
    at_blank_ = blank(before_) || before_ == '\n';
    ++position_;
    return before_;
  }

  /// Moves what is left to the front and reads behind it.
  void refill() {
    const auto from = std::min(position_, filled_);
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(from),
              buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
    filled_ -= from;
    position_ -= from;
    in_.read(buffer_.data() + filled_, static_cast<std::streamsize>(buffer_.size() - filled_));
    filled_ += static_cast<std::size_t>(in_.gcount());
  }

  /// `12`, `.5`, and `-12` where the sign is no operator.
  bool begins_number() {
    std::size_t at = 0;
    if ((peek() == '-' || peek() == '+') && std::isalnum(before_) == 0) at = 1;
    return digit(peek(at)) || (peek(at) == '.' && digit(peek(at + 1)));
  }

  bool goes_on(const word& so_far) {
    const int c = peek();
    if (c == end || c == '\n' || blank(c)) return false;
    if (so_far.what == word::kind::text) return !begins_number();
    const bool hexadecimal = so_far.text.starts_with("0x");
    if (digit(c) || c == '.' || (c == 'x' && so_far.text == "0") || (hexadecimal && std::isxdigit(c) != 0)) return true;
    if (c == 'e' || c == 'E') {
      return digit(peek(1)) || ((peek(1) == '-' || peek(1) == '+') && digit(peek(2)));
    }
    return (c == '-' || c == '+') && !hexadecimal && (before_ == 'e' || before_ == 'E');
  }

  std::ifstream in_;
  std::array<char, std::size_t{64} * 1024> buffer_{};
  std::size_t position_ = 0, filled_ = 0;
  int before_ = 0;
  bool at_blank_ = true;
};

bool ends(const word& one) { return one.what == word::kind::end_of_line || one.what == word::kind::end; }

std::string shortened(const word& one) {
  if (ends(one)) return "the end of the line";
  const bool long_one = one.text.size() > longest_text;
  return fmt::format("`{}{}`", printable(one.text.substr(0, longest_text)), long_one ? "..." : "");
}

void note(output_comparison& found, output_difference one, const word& expected, const word& is) {
  if (found.differences.size() == most_differences) {
    found.cut = true;
    return;
  }
  if (found.differences.size() < most_texts) {
    one.expected = shortened(expected);
    one.is = shortened(is);
  }
  found.differences.push_back(std::move(one));
}

/// Goes to the end of the line, or of the text. False: it was the text's.
bool end_line(words& text, word at) {
  while (!ends(at)) at = text.next();
  return at.what == word::kind::end_of_line;
}

/// One line of both; false: one of the texts has ended.
bool compare_line(words& reference, words& other, std::uint64_t line, output_comparison& found) {
  for (std::uint32_t at = 0;; ++at) {
    const auto expected = reference.next();
    const auto is = other.next();
    if (ends(expected) || ends(is)) {
      const bool empty = at == 0 && (expected.what == word::kind::end) != (is.what == word::kind::end);
      if (!empty && ends(expected) != ends(is)) {
        note(found, {line, output_difference::whole_line, false, "", ""}, expected, is);
      }
      const bool more_expected = end_line(reference, expected);
      const bool more = end_line(other, is);
      if (empty) found.same_length = false;
      return !empty && more_expected && more;
    }
    if (expected.what == is.what && expected.text == is.text) continue;
    const bool numbers = expected.what == word::kind::number && is.what == word::kind::number;
    note(found, {line, at, numbers, "", ""}, expected, is);
  }
}

/// Do both hold the same bytes? The usual case, and the quickest to see.
bool same_bytes(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code error;
  if (std::filesystem::file_size(a, error) != std::filesystem::file_size(b, error) || error) return false;
  std::ifstream one(a, std::ios::binary);
  std::ifstream two(b, std::ios::binary);
  std::vector<char> left(std::size_t{64} * 1024);
  std::vector<char> right(left.size());
  do {
    one.read(left.data(), static_cast<std::streamsize>(left.size()));
    two.read(right.data(), static_cast<std::streamsize>(right.size()));
    const auto count = one.gcount();
    if (count != two.gcount() || !std::equal(left.begin(), left.begin() + count, right.begin())) return false;
  } while (one && two);
  return true;
}

}  // namespace

output_comparison compare_outputs(const std::filesystem::path& reference, const std::filesystem::path& other) {
  output_comparison found;
  if (same_bytes(reference, other)) return found;
  words expected(reference);
  words is(other);
  std::uint64_t line = 1;
  while (!found.cut && compare_line(expected, is, line, found)) ++line;
  found.lines = found.cut ? found.differences.back().line : line;
  return found;
}

void output_check::learn(const output_comparison& as_written) {
  for (const auto& one : as_written.differences) {
    (one.numbers ? numbers_ : words_).emplace(one.line, one.word);
  }
  length_varies_ = length_varies_ || !as_written.same_length;
  if (as_written.cut || !as_written.same_length) compared_ = std::min(compared_, as_written.lines - 1);
}

void output_check::add(std::size_t row, output_comparison of_row) {
  // What varies as written will always do so.
  std::erase_if(of_row.differences, [this](const auto& one) { return varies(one); });
  if (!of_row.differences.empty() || !of_row.same_length) others_.emplace_back(row, std::move(of_row));
}

std::map<std::size_t, std::string> output_check::faults() const {
  std::map<std::size_t, std::string> found;
  for (const auto& [row, compared] : others_) {
    if (const auto text = fault(compared)) found.emplace(row, *text);
  }
  return found;
}

bool output_check::varies(const output_difference& one) const {
  if (one.line > compared_ || words_.contains({one.line, output_difference::whole_line})) return true;
  if (words_.contains({one.line, one.word})) return true;
  return one.numbers && numbers_.contains({one.line, one.word});
}

std::optional<std::string> output_check::fault(const output_comparison& of_row) const {
  for (const auto& one : of_row.differences) {
    if (varies(one)) continue;
    if (one.expected.empty()) return fmt::format("line {}", one.line);
    return fmt::format("line {}: {} in place of {}", one.line, one.is, one.expected);
  }
  if (!of_row.same_length && !length_varies_ && of_row.lines <= compared_) {
    return fmt::format("line {}: one of the outputs ends before it", of_row.lines);
  }
  return std::nullopt;
}

std::string output_check::remark() const {
  if (compared_ == std::numeric_limits<std::uint64_t>::max()) return {};
  return fmt::format("the program's output varies from run to run as written: {}",
                     compared_ == 0 ? std::string("it was not compared")
                                    : fmt::format("only its first {} lines were compared", compared_));
}

}  // namespace steelyard::tool
