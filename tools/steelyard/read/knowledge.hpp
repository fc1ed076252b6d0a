// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// What `automatic` has learnt in earlier runs: a folder with a file for each module (src/remember/knowledge.md).
namespace steelyard::tool {

/// STEELYARD_KNOWLEDGE, else `steelyard` in XDG_CACHE_HOME, else in ~/.cache. Throws `failure` where it is switched off, or no home is
/// known.
[[nodiscard]] std::filesystem::path knowledge_folder();

/// The folder for programs that are about to run, made where there is none; empty: there is no place for it. What was learnt of the
/// builds that were used the longest ago is removed.
[[nodiscard]] std::filesystem::path usual_knowledge() noexcept;

/// The texts of the files there that are right, of each module and host the last one; `remarks`: a line for each that is not. Throws
/// `failure` where others may write to the folder, as add_knowledge and clear_knowledge do.
[[nodiscard]] std::vector<std::string> read_knowledge(const std::filesystem::path& folder,
                                                      std::vector<std::string>& remarks);

/// Several texts one behind the other, as they are exported. Throws `failure` where one is wrong.
[[nodiscard]] std::vector<std::string_view> divided_knowledge(std::string_view all, const std::string& name);

/// Adds what a text knows to what is known there; of loops that both know it keeps the folder's. As if it was learnt on this host.
void add_knowledge(const std::filesystem::path& folder, std::string_view text);

/// Removes all files of that kind; returns how many there were.
std::size_t clear_knowledge(const std::filesystem::path& folder);

}  // namespace steelyard::tool
