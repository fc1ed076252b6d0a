// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace steelyard::tool::launch {

/// Appends `given` to `all`, and for each `@file` the words of that file, as GCC reads them. False: it nests too deep. A file that
/// is not there stays a word.
[[nodiscard]] bool read_response_files(const std::vector<std::string>& given, std::vector<std::string>& all);

}  // namespace steelyard::tool::launch
