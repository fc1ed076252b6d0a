// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace steelyard::tool {

/// What an ELF file says about itself, as far as preloading a library into it is concerned.
struct elf_facts {
  std::string machine;  ///< e.g. "x86-64", "AArch64", or "machine 8"
  bool is_64_bit = false;
  bool same_machine = false;     ///< class, byte order and processor are those of this tool
  std::string interpreter;       ///< the dynamic loader it asks for; empty: a static executable or a library
  bool imports_openmp = false;   ///< calls an OpenMP runtime outside of it
  bool contains_openmp = false;  ///< an OpenMP runtime is linked into it: its symbols say so
  bool mentions_openmp = false;  ///< names variables that a runtime reads, as a stripped one inside does
};

/// Nothing when the file cannot be read or is not an ELF file.
[[nodiscard]] std::optional<elf_facts> read_elf(const std::filesystem::path& file);

}  // namespace steelyard::tool
