// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace steelyard::tool {

/// "; did you mean KNOWN?" for the known word that is written most like that one; empty: none is much like it. At most a third of
/// its letters may be wrong, and at least one. O(words × length²).
[[nodiscard]] std::string did_you_mean(std::string_view written, std::span<const std::string> known);

}  // namespace steelyard::tool
