// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace steelyard::tool {

/// Throws `failure` when a folder has no room for a report, which takes some 64 KiB: a program whose reports are lost
/// looks like one without OpenMP. Leaves nothing behind.
void require_room(const std::filesystem::path& folder);

}  // namespace steelyard::tool
