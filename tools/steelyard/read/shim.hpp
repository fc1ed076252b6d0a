// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The drop-in library, `libsteelyard-openmp.so`: where it is, and the variables that tell it what to do.
namespace steelyard::tool {

/// Changes to a process's environment; nothing: the variable is removed.
using environment_changes = std::vector<std::pair<std::string, std::optional<std::string>>>;

/// What the library is told; what is absent stays as the user's environment has it.
struct shim_settings {
  std::optional<std::string> schedule;  ///< empty text: none, loops are only observed
  std::optional<std::string> loops;     ///< empty text: none
  std::optional<std::string> report;
  std::optional<std::string> knowledge;
  std::optional<bool> limit;
  std::optional<bool> verbose;
  std::optional<bool> split_chunks;
  std::optional<bool> free_reductions;
};

/// The library beside this tool, or where STEELYARD_LIBRARY says. Throws `failure` when there is none.
[[nodiscard]] std::filesystem::path find_shim();

/// The library under a path that can be written in LD_PRELOAD; throws `failure` when it has none.
[[nodiscard]] std::filesystem::path preloadable(const std::filesystem::path& library);

/// The same, if need be through a link in `folder`, which must live as long as the programs that preload it.
[[nodiscard]] std::filesystem::path preloadable(const std::filesystem::path& library,
                                                const std::filesystem::path& folder);

/// The changes that load the library into a program and those it starts, with sanitizers or without. The user's own
/// preloaded libraries and options are kept.
[[nodiscard]] environment_changes shim_environment(const std::filesystem::path& library, const shim_settings& settings);

/// Applies the changes to this process.
void apply(const environment_changes& changes);

}  // namespace steelyard::tool
