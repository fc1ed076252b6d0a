// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

/// The calls in an executable or a library that OpenMP loops consist of, found in its machine code.
namespace steelyard::tool {

struct loop_call {
  enum class kind {
    begins,          ///< GCC's call that begins a loop
    forks,           ///< GCC's call that begins a region which is one loop
    goes_on,         ///< GCC's calls that ask for more of it, or end it
    begins_in_clang  ///< Clang's call that begins a loop
  } what = kind::begins;
  std::uint64_t offset = 0;  ///< of the call's last byte, as in the file: a loops file names the loop by it
  std::uint64_t body = 0;    ///< of one that forks: where the outlined function begins; 0: unknown
};

/// By offset. Empty where the file cannot be read, calls no OpenMP runtime, or is for a processor other than x86-64 and
/// AArch64. Reads the code once: a second per gigabyte.
[[nodiscard]] std::vector<loop_call> find_loop_calls(const std::filesystem::path& file);

}  // namespace steelyard::tool
