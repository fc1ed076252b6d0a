// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace steelyard::remember {

/// Where what is learnt is kept for later processes: what STEELYARD_KNOWLEDGE says.
struct folder {
  char path[4096] = {};  ///< from the root; empty: nothing is kept
  bool writes = false;   ///< this process adds what it learns: not other ranks of a parallel job than 0

  [[nodiscard]] bool is_named() const noexcept { return path[0] != '\0'; }
};

/// Sets `into`, which names none yet, as an environment (`NAME=VALUE` …, nullptr) has it. Returns nullptr, or a value that is wrong. In
/// a process that runs with other rights than its user's nothing is kept.
[[nodiscard]] const char* read(const char* const* environment, folder& into) noexcept;
/// What is wrong with it.
[[nodiscard]] const char* why_no_folder(const char* value) noexcept;

/// Says that once, in one line on standard error: of whatever is wrong with the folder and the files in it the first thing is said.
[[gnu::format(printf, 1, 2)]] void say_once(const char* format, ...) noexcept;

/// An open file or folder.
class open_descriptor {
 public:
  /// -1: it is not open.
  explicit open_descriptor(int descriptor) noexcept : descriptor_(descriptor) {}
  ~open_descriptor();
  open_descriptor(const open_descriptor&) = delete;
  open_descriptor& operator=(const open_descriptor&) = delete;
  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
  [[nodiscard]] int get() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

/// Opened, where nobody else may write to it; else that is said.
[[nodiscard]] open_descriptor open(const folder& which) noexcept;

/// Why what others may have written there is not read; nullptr: they may not.
[[nodiscard]] const char* why_not_trusted(int descriptor) noexcept;

/// As long as that is open no other process changes what is in the folder. Who has waited long for the others leaves without. Where the
/// file system has no locks, two that write at once are both right, and what one of them has found may be lost.
[[nodiscard]] open_descriptor lock(const open_descriptor& opened) noexcept;

/// Writes a file of that name: whoever reads it sees the old one or the new one. `unfinished`: the new one's name until then. Returns why
/// it could not (errno), or 0.
[[nodiscard]] int replace(const open_descriptor& opened, const char* name, const char* unfinished, const char* text,
                          std::size_t length) noexcept;

}  // namespace steelyard::remember
