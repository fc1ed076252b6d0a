// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// Numbers as people read them.
namespace steelyard::tool {

/// `1.234 s`, `12.34 ms`, `5.678 us`: four digits.
[[nodiscard]] std::string time_text(double nanoseconds);

/// `12.3 %`; below 0.05 % `0.0 %`.
[[nodiscard]] std::string percent_text(double share);

/// `1,234`.
[[nodiscard]] std::string count_text(double count);

/// A command as one can paste it into a shell.
[[nodiscard]] std::string shell_word(const std::string& word);

}  // namespace steelyard::tool
