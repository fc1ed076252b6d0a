// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "learn/automatic.hpp"

/// What `automatic` learns of the program's loops is known to later processes (src/remember/knowledge.md).
namespace steelyard::loop {

struct module_in_use;

/// A place of the program, as other processes find it again: by the module that its code is in, and where in there. Not for several threads
/// at once.
class remembered_place {
 public:
  /// `code`: what runs the iterations.
  explicit remembered_place(const void* code) noexcept : code_(code) {}

  /// Tells `chooser` what earlier processes know of loops of that place, if they know anything. True: it begins with that.
  bool recall(std::uint64_t n, std::uint32_t members, learn::automatic& chooser) noexcept;

  /// Of what is to be written for later processes; nullptr: nothing is, as far as this place goes.
  [[nodiscard]] const module_in_use* module() const noexcept { return module_; }
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }

 private:
  void look_up() noexcept;

  const void* code_;
  const module_in_use* module_ = nullptr;
  std::uint64_t offset_ = 0;  ///< in the module, as in its file
  bool is_looked_up_ = false;
};

}  // namespace steelyard::loop
