// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Numbers as people read them.
namespace steelyard::tool {

/// `1.234 s`, `12.34 ms`, `5.678 us`, `901.2 ns`: four digits.
[[nodiscard]] std::string time_text(double nanoseconds);
/// The same with fewer digits, at least as many as stand before the point.
[[nodiscard]] std::string time_text(double nanoseconds, int digits);

/// `12.3 %`; below 0.05 % `0.0 %`.
[[nodiscard]] std::string percent_text(double share);

/// A bound of a ratio: `0.912`; beyond a tenth and ten times, which says only that nothing is known, `<0.1` and `>10`.
[[nodiscard]] std::string bound_text(double ratio);

/// `1,234`.
[[nodiscard]] std::string count_text(double count);

/// `1 round`, `2 rounds`.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// A command as one can paste it into a shell.
[[nodiscard]] std::string shell_word(const std::string& word);

}  // namespace steelyard::tool
