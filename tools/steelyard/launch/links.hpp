// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace steelyard::tool::launch {

/// What a link to this command stands for that has a compiler's name: the next command of that name in PATH that is no such link.
/// Empty: `called_as` is no compiler's name. Throws `failure` where PATH has no other.
[[nodiscard]] std::string stands_for(const std::string& called_as);

/// `steelyard cc --links FOLDER`: makes a link to this command for each compiler in PATH, so that with the folder first in PATH every
/// build goes through the launcher, whatever its makefiles call. Links that it made before are made anew; of what else is there it
/// touches nothing. Throws `failure` where the folder cannot be written, or PATH has no compiler.
int make_links(const std::string& folder);

}  // namespace steelyard::tool::launch
