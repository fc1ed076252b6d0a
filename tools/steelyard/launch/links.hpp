// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace steelyard::tool::launch {

/// What a link to this command stands for that has a compiler's name: the next command of that name in PATH that is no such link.
/// Empty: `called_as` is no compiler's name. Throws `failure` where PATH has no other.
///
/// The next one may be a wrapper, as ccache's, that looks for the next one itself, and finds the link: what was started before is
/// passed over, which STEELYARD_CC_STARTED tells.
[[nodiscard]] std::string stands_for(const std::string& called_as);

/// A compiler as `steelyard cc` starts it. One without a folder that PATH would lead back here, by a link or a script that has started us,
/// is the next one of its name; any other is what it was.
[[nodiscard]] std::string away_from_here(const std::string& compiler);

/// `steelyard cc --links FOLDER`: makes a link to this command for each compiler in PATH, so that with the folder first in PATH every
/// build goes through the launcher, whatever its makefiles call. Links that it made before are made anew; of what else is there it
/// touches nothing. Throws `failure` where the folder cannot be written, or PATH has no compiler.
int make_links(const std::string& folder);

}  // namespace steelyard::tool::launch
