// SPDX-License-Identifier: Apache-2.0
#include "read/shim.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "schedules/plug_in.hpp"
#include "text/failure.hpp"

namespace steelyard::tool {
namespace {

namespace fs = std::filesystem;

constexpr const char* library_name = "libsteelyard-openmp.so";

/// LD_PRELOAD separates its entries by blanks and colons and cannot quote them.
bool is_expressible(const fs::path& absolute) { return absolute.native().find_first_of(" :\t\n") == std::string::npos; }

std::string preload_list(const fs::path& library) {
  const char* users = std::getenv("LD_PRELOAD");
  return users != nullptr && *users != '\0' ? fmt::format("{}:{}", library.native(), users) : library.native();
}

/// AddressSanitizer's library ends its program when another stands before it, lest calls escape it. None does: what the
/// drop-in has in common with it is dlclose, passed on, and _exit. So the check is switched off. To put that library first
/// instead would need to know which programs the program starts, and would load it into those that have none of it.
std::string sanitizer_options() {
  const char* users = std::getenv("ASAN_OPTIONS");
  constexpr const char* ours = "verify_asan_link_order=0";
  return users != nullptr && *users != '\0' ? fmt::format("{}:{}", users, ours) : ours;
}

/// An empty text removes the variable.
void set_or_remove(environment_changes& changes, const char* name, const std::optional<std::string>& value) {
  if (!value) return;
  changes.emplace_back(name, value->empty() ? std::nullopt : value);
}

std::optional<std::string> as_flag(std::optional<bool> on) {
  if (!on) return std::nullopt;
  return *on ? "1" : "";
}

}  // namespace

fs::path find_shim() {
  if (const char* given = std::getenv("STEELYARD_LIBRARY"); given != nullptr && *given != '\0') {
    if (fs::is_regular_file(given)) return fs::absolute(given);
    throw failure(bad_usage, fmt::format("STEELYARD_LIBRARY={}: not a file; name {} or unset it", given, library_name));
  }
  std::error_code ignored;
  const auto folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const std::array<fs::path, 4> places = {folder / "../lib", folder / "../lib" / STEELYARD_MULTIARCH,
                                          folder / "../lib64", folder};
  for (const auto& place : places) {
    const auto candidate = (place / library_name).lexically_normal();
    if (fs::is_regular_file(candidate, ignored)) return candidate;
  }
  throw failure(bad_usage,
                fmt::format("{} is not in {} nor beside this tool; reinstall Steelyard, or set STEELYARD_LIBRARY",
                            library_name, (folder / "../lib").lexically_normal().native()));
}

fs::path preloadable(const fs::path& library) {
  if (is_expressible(library)) return library;
  throw failure(bad_usage, fmt::format("{}: a blank or colon in this path cannot be preloaded; install Steelyard "
                                       "elsewhere, or point STEELYARD_LIBRARY to a copy",
                                       library.native()));
}

fs::path preloadable(const fs::path& library, const fs::path& folder) {
  const auto link = folder / library_name;
  if (is_expressible(library) || !is_expressible(link)) return preloadable(library);
  std::error_code error;
  fs::create_symlink(library, link, error);
  return preloadable(error ? library : link);
}

namespace {

/// Programs may be started from another folder: a plug-in by its whole path.
std::optional<std::string> from_anywhere(const std::optional<std::string>& schedule) {
  if (!schedule || !schedules::names_plug_in(*schedule)) return schedule;
  const auto [file, chunk] = schedules::split_plug_in(*schedule);
  return fs::absolute(file).lexically_normal().native() + std::string(chunk);
}

}  // namespace

environment_changes shim_environment(const fs::path& library, const shim_settings& settings) {
  environment_changes changes;
  changes.emplace_back("LD_PRELOAD", preload_list(library));
  changes.emplace_back("ASAN_OPTIONS", sanitizer_options());
  set_or_remove(changes, "STEELYARD_SCHEDULE", from_anywhere(settings.schedule));
  set_or_remove(changes, "STEELYARD_LOOPS", settings.loops);
  set_or_remove(changes, "STEELYARD_REPORT", settings.report);
  set_or_remove(changes, "STEELYARD_KNOWLEDGE", settings.knowledge);
  set_or_remove(changes, "STEELYARD_LIMIT", as_flag(settings.limit));
  set_or_remove(changes, "STEELYARD_VERBOSE", as_flag(settings.verbose));
  set_or_remove(changes, "STEELYARD_SPLIT_CHUNKS", as_flag(settings.split_chunks));
  set_or_remove(changes, "STEELYARD_FREE_REDUCTIONS", as_flag(settings.free_reductions));
  return changes;
}

void apply(const environment_changes& changes) {
  for (const auto& [name, value] : changes) {
    if (value) {
      setenv(name.c_str(), value->c_str(), 1);
    } else {
      unsetenv(name.c_str());
    }
  }
}

}  // namespace steelyard::tool
