// SPDX-License-Identifier: Apache-2.0
#include "launch/response_file.hpp"

#include <fstream>
#include <iterator>

namespace steelyard::tool::launch {
namespace {

constexpr int deepest = 20;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

/// Words between blanks; quotes of both kinds and backslashes take what they quote as it is.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> found;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && is_blank(c)) {
      if (inside) found.push_back(word);
      word.clear();
      inside = false;
      continue;
    }
    inside = true;
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else {
      word += c;
    }
  }
  if (inside) found.push_back(word);
  return found;
}

bool read(const std::vector<std::string>& given, std::vector<std::string>& all, int depth) {
  for (const auto& word : given) {
    std::ifstream file;
    if (word.size() > 1 && word.front() == '@') file.open(word.substr(1), std::ios::binary);
    if (!file.is_open() || !file) {
      all.push_back(word);
      continue;
    }
    if (depth == deepest) return false;
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!read(split(text), all, depth + 1)) return false;
  }
  return true;
}

}  // namespace

bool read_response_files(const std::vector<std::string>& given, std::vector<std::string>& all) {
  return read(given, all, 0);
}

}  // namespace steelyard::tool::launch
