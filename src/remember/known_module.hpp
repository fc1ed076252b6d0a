// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "learn/knowledge.hpp"
#include "remember/build_id.hpp"
#include "remember/folder.hpp"
#include "remember/pages.hpp"

namespace steelyard::learn {
class automatic;
}

/// What `automatic` has learnt is kept for later processes: a file for each module and host, in the folder of STEELYARD_KNOWLEDGE
/// (knowledge.md). What it is learnt of, and when, is known to who runs loops.
namespace steelyard::remember {

/// What earlier processes have written of the loops of a module.
class known_module {
 public:
  /// Nothing yet.
  known_module() noexcept = default;

  /// Reads what is known of the module that holds this address. errno stays as it is.
  void read(const folder& from, std::uintptr_t address) noexcept;

  /// Whether it can be told from all others; if not nothing is known of it, and nothing is written.
  [[nodiscard]] bool has_name() const noexcept { return build_id_[0] != '\0'; }
  /// The same, and whether this process has read it. A child of fork leaves it to its parent to write of it.
  [[nodiscard]] bool is_of_this_process() const noexcept;

  /// Tells `chooser` what is known of such loops there, if anything is: of what `like` says beside its lesson. True: it begins with that.
  bool recall(learn::known_loop like, std::uint64_t granules, std::uint32_t members,
              learn::automatic& chooser) const noexcept;

  /// What a process has found of its loops: lines, of so many loops at most as are kept.
  class findings {
   public:
    findings() noexcept : lines_(learn::largest_knowledge - room_for_the_rest) {}
    void add(const learn::known_loop& loop) noexcept;
    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    [[nodiscard]] std::string_view lines() const noexcept { return {lines_.get(), used_}; }

   private:
    static constexpr std::size_t room_for_the_rest = 8192;
    pages lines_;
    std::size_t used_ = 0;
    std::size_t count_ = 0;
  };

  /// Writes that, and what others know of other loops. `path`: of the module, for people. False: nothing can be written there, and that
  /// was said.
  [[nodiscard]] bool keep(const folder& in, const char* path, const findings& found) const noexcept;

 private:
  [[nodiscard]] int write(const folder& in, const open_descriptor& opened, const char* path,
                          const findings& found) const noexcept;
  [[nodiscard]] learn::knowledge read_file(const folder& from, const open_descriptor& opened,
                                           pages& into) const noexcept;

  pid_t reader_ = 0;  ///< the process
  char build_id_[room_for_build_id] = {};
  char host_[HOST_NAME_MAX + 2] = {};
  pages text_;
  learn::knowledge what_;  ///< views of it
};

}  // namespace steelyard::remember
