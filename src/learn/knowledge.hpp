// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "learn/lesson.hpp"

/// What `automatic` has learnt, as text, for later processes (src/remember/knowledge.md). No clock, no heap, no files.
namespace steelyard::learn {

/// `api` of loops of the library. Their place is the code that runs their iterations, those of OpenMP programs are known by a call.
inline constexpr std::string_view library_loops = "library";

/// A loop of some module of a program, and what was learnt of it.
struct known_loop {
  std::uint64_t offset = 0;   ///< of its place in the module
  std::string_view api;       ///< how it is called: a word
  std::uint64_t granule = 1;  ///< iterations that stay together; `what` is about so many times fewer
  lesson what;
};

/// Bytes of the longest line, its newline included.
inline constexpr std::size_t longest_known_loop = 1536;
/// Writes one line, with its newline and nothing behind; returns its length, at most `longest_known_loop`. 0: `api` is no short word.
[[nodiscard]] std::size_t print(const known_loop& loop, char* into) noexcept;
/// The same of what lines begin with that are about loops of that place, its last blank included.
[[nodiscard]] std::size_t print_place(const known_loop& loop, char* into) noexcept;
/// Reads one, without its newline. `api` is a view of it. False: it is none, or its schedule is not known here.
[[nodiscard]] bool parse(std::string_view line, known_loop& into) noexcept;

/// Whether what one of them says is for the other, too: the same place, and about as many iterations.
[[nodiscard]] bool is_same_loop(const known_loop& one, const known_loop& other) noexcept;

/// What is known of one module's loops on one host. Views of its text.
struct knowledge {
  std::string_view build_id;  ///< in hexadecimal digits
  std::string_view host;
  std::string_view module;  ///< its path, for people
  std::string_view loops;   ///< lines
};

enum class knowledge_error { none, foreign, other_version, damaged };

/// A file's text. `into` is set where there is no error. O(length).
[[nodiscard]] knowledge_error parse(std::string_view text, knowledge& into) noexcept;
/// What is wrong with it, behind its name: "was written by another version of Steelyard".
[[nodiscard]] const char* explain(knowledge_error error) noexcept;

/// A file's size at most, and how many loops it keeps: the last ones.
inline constexpr std::size_t largest_knowledge = std::size_t{1} << 20;
inline constexpr std::size_t most_known_loops = 512;

/// What stands in front of the lines, except these views, each followed by a newline.
inline constexpr std::string_view knowledge_heads[] = {"steelyard knowledge 1", "build-id ", "host ", "module "};
/// What stands behind them, of all that stands before: `sum`, sixteen hexadecimal digits and a newline.
inline constexpr std::size_t length_of_sum = 4 + 16 + 1;
void print_sum(std::string_view before, char* into) noexcept;

/// What stands in front of the lines: calls put(piece) for each piece of it.
template <class Put>
void print_head(const knowledge& of, Put put) noexcept {
  const std::string_view values[] = {"", of.build_id, of.host, of.module};
  for (std::size_t i = 0; i < 4; ++i) {
    put(knowledge_heads[i]);
    for (const char& c : values[i]) put(static_cast<unsigned char>(c) < 0x20 ? "?" : std::string_view(&c, 1));
    put("\n");
  }
}

/// The next line of a text, without its newline; `text` begins behind it.
[[nodiscard]] constexpr std::string_view take_line(std::string_view& text) noexcept {
  const auto line = text.substr(0, text.find('\n'));
  text.remove_prefix(line.size() < text.size() ? line.size() + 1 : text.size());
  return line;
}

/// Whether one of these lines is about the same loop.
[[nodiscard]] bool is_among(std::string_view lines, const known_loop& loop) noexcept;

/// Calls f(line) for what `older` knows of other loops than the `count` that are `found`: of those that there is room for the last ones.
template <class F>
void each_older(std::string_view older, std::string_view found, std::size_t count, F f) noexcept {
  const auto each = [=](auto say) {
    known_loop loop;
    for (auto rest = older; !rest.empty();) {
      const auto line = take_line(rest);
      if (parse(line, loop) && !is_among(found, loop)) say(line);
    }
  };
  std::size_t all = count;
  each([&](std::string_view) { ++all; });
  std::size_t left_out = all > most_known_loops ? all - most_known_loops : 0;
  each([&](std::string_view line) { left_out != 0 ? static_cast<void>(--left_out) : f(line); });
}

}  // namespace steelyard::learn
