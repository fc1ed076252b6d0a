// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clang {
class Stmt;
}

namespace steelyard::rewriter {

struct worksharing_loop;

/// What threads carry with them from one iteration or loop to the next in variables of their own. Where they do, who runs an
/// iteration can be noticed. Each returns why, or nothing.

/// A combined loop: a variable of the thread that its body reads, perhaps before it writes it.
[[nodiscard]] std::string carried_by_firstprivate(const worksharing_loop& loop);

/// A loop in a region: a variable of the region's threads that one loop writes, and another, or the rest of the region, reads before
/// it is written again.
[[nodiscard]] std::string carried_between_loops(const worksharing_loop& loop);

/// Whether a loop, `sections` or `single` below ends without a barrier.
[[nodiscard]] bool has_nowait(const clang::Stmt& piece);

}  // namespace steelyard::rewriter
