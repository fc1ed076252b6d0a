// SPDX-License-Identifier: Apache-2.0
#include "text_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>

#include "input_error.hpp"

namespace graph {

namespace {

constexpr bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

struct file_closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

[[noreturn]] void unreadable(const std::string& name, int error) {
  throw input_error(name + ": cannot be read (" + std::strerror(error) + "): check the name and its permissions");
}

// No line of a text is that long; what has such a line (/dev/zero, say) may never end.
constexpr std::size_t longest_line = std::size_t{16} << 20;

// Grows by doubling, so that pipes work as well as files of known size.
std::vector<char> read_all(const std::string& name) {
  const std::unique_ptr<std::FILE, file_closer> file(std::fopen(name.c_str(), "rb"));
  if (!file) unreadable(name, errno);
  std::vector<char> content(std::size_t{1} << 20);
  std::size_t size = 0;
  for (;;) {
    const std::size_t got = std::fread(content.data() + size, 1, content.size() - size, file.get());
    size += got;
    if (got == 0) break;
    const char* const end = content.data() + size;
    if (size >= longest_line && std::find(end - longest_line, end, '\n') == end)
      throw input_error(name + ": has a line of more than 16 MiB: give a text file");
    if (size == content.size()) content.resize(size * 2);
  }
  if (std::ferror(file.get())) unreadable(name, errno);
  content.resize(size);
  return content;
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 32;
  std::string shown;
  for (const char c : text.substr(0, longest)) shown += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > longest ? shown + "..." : shown;
}

text_file::text_file(std::string name) : name_(std::move(name)), content_(read_all(name_)) {
  if (content_.size() > 1 && content_[0] == '\x1f' && content_[1] == '\x8b')
    throw input_error(name_ + ": is compressed: unpack it first (gunzip)");
}

bool text_file::next_line() {
  if (position_ >= content_.size()) return false;
  const char* const first = content_.data() + position_;
  const std::size_t left = content_.size() - position_;
  const void* const newline = std::memchr(first, '\n', left);
  const std::size_t length = newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - first) : left;
  line_ = rest_ = std::string_view(first, length);
  position_ += length + 1;
  ++line_number_;
  return true;
}

bool text_file::is_blank() const { return std::all_of(line_.begin(), line_.end(), blank); }

std::string_view text_file::field() {
  const auto first = std::find_if_not(rest_.begin(), rest_.end(), blank);
  const auto last = std::find_if(first, rest_.end(), blank);
  const std::string_view found(first, last);
  rest_ = std::string_view(last, rest_.end());
  return found;
}

std::uint64_t text_file::number(const char* what, std::uint64_t least, std::uint64_t most) {
  const std::string_view text = field();
  if (text.empty()) fail(std::string("a ") + what + " is missing: complete or delete the line");
  std::uint64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last && text.front() == '-' && text.find_first_not_of("0123456789", 1) == text.npos)
    fail("negative " + std::string(what) + " " + printable(text) + ": number from " + std::to_string(least));
  if (end != last)
    fail("'" + printable(text) + "' is not a " + what + ": only whole numbers here, comments start a line with # or %");
  if (error == std::errc::result_out_of_range || value >= most)
    fail(std::string(what) + " " + printable(text) + " is too large: it must be below " + std::to_string(most));
  if (value < least)
    fail(std::string(what) + " " + printable(text) + " is too small: number from " + std::to_string(least));
  return value;
}

void text_file::expect_end(const char* remedy) {
  const std::string_view extra = field();
  if (!extra.empty()) fail("unexpected '" + printable(extra) + "': " + remedy);
}

void text_file::fail(const std::string& problem) const {
  throw input_error(name_ + ":" + std::to_string(line_number_) + ": " + problem);
}

}  // namespace graph
