// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace steelyard::tool {

/// Who starts the program: decides whether the kernel treats the start as a change of privileges.
struct caller {
  uid_t user;
  gid_t group;
  [[nodiscard]] static caller current();
};

/// A program as the drop-in library sees it.
struct target {
  std::filesystem::path file;           ///< what is started
  std::filesystem::path inspected;      ///< the file that decides: the executable, or a script's interpreter
  bool is_elf = false;                  ///< `file` itself is an executable, not a script
  std::string unreachable;              ///< why a preloaded library has no effect, with the remedy; empty: it has
  bool runtime_perhaps_inside = false;  ///< should nothing be reached, this is why
  std::string remark;                   ///< worth saying on request
};

/// The file a shell would start for `name`. Throws `failure` 127 (not found) or 126 (not executable).
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

/// Follows scripts to their interpreters and looks at the executable. Never throws: what cannot be read is assumed to
/// be reachable.
[[nodiscard]] target inspect(const std::filesystem::path& file, caller who = caller::current());

}  // namespace steelyard::tool
