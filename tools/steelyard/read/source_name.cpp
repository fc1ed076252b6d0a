// SPDX-License-Identifier: Apache-2.0
#include "read/source_name.hpp"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace steelyard::tool {
namespace {

constexpr std::string_view operator_word = "operator";

bool is_of_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_operator(std::string_view text, std::size_t at) {
  if (at > 0 && is_of_a_name(text[at - 1])) return false;
  const auto rest = text.substr(at);
  return rest.starts_with(operator_word) && rest.size() > operator_word.size() &&
         !is_of_a_name(rest[operator_word.size()]);
}

/// Where the name of the operator at `at` ends: behind its signs, or behind the word for one with a name.
std::size_t end_of_operator(std::string_view text, std::size_t at) {
  at += operator_word.size();
  if (text.substr(at).starts_with("()") || text.substr(at).starts_with("[]")) return at + 2;
  while (at < text.size() && std::string_view("<>=!+-*/%^&|~,").find(text[at]) != std::string_view::npos) ++at;
  return at;
}

/// A demangled name cut where its own parameters begin, and behind its type.
std::string_view without_parameters(std::string_view full) {
  int depth = 0;
  std::size_t begin = 0;
  std::size_t end = full.size();
  bool named = false;  // the operator's name, in which blanks are part of it
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (depth == 0 && is_operator(full, i)) {
      i = end_of_operator(full, i) - 1;
      named = true;
      continue;
    }
    const char c = full[i];
    const bool closes = c == ')' || c == '>' || c == '}' || c == ']';
    if (depth == 0 && c == '(') end = i;
    if (depth == 0 && c == ' ' && end == full.size() && !named) begin = i + 1;
    if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
    if (closes && depth > 0) --depth;
    // `f(int)::g(char)`: the parameters of what holds it are part of the name.
    if (depth == 0 && full.substr(i).starts_with("::") && end != full.size()) end = full.size();
  }
  return full.substr(begin, end - begin);
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  if (status != 0 || text == nullptr) return name;
  std::string full = text.get();
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (auto at = full.find(unnamed); at != std::string::npos; at = full.find(unnamed)) full.erase(at, unnamed.size());
  return std::string(without_parameters(full));
}

/// A rewritten loop's record is a static variable of its function. In C++ its symbol holds that function's; in C nothing is left.
std::string without_record(const std::string& symbol) {
  const auto at = symbol.find("steelyard_site_");
  if (at == std::string::npos) return symbol;
  auto function = symbol.substr(0, at);  // _ZZ4mainE16
  while (!function.empty() && std::isdigit(static_cast<unsigned char>(function.back())) != 0) function.pop_back();
  if (!function.starts_with("_ZZ") || !function.ends_with('E')) return "";
  function.pop_back();
  return "_Z" + function.substr(3);
}

}  // namespace

std::string source_name(const std::string& whole) {
  const auto symbol = without_record(whole);
  const auto dot = symbol.find('.', 1);
  return symbol.starts_with('.') ? std::string() : demangled(symbol.substr(0, dot));
}

}  // namespace steelyard::tool
