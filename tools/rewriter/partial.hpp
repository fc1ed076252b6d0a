// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "access.hpp"

namespace steelyard::rewriter {

/// A reduction's variable whose value in between a loop's body uses for more than that variable: `sum += x; a[i] = sum;`. Null: none.
/// A condition that only leads to changes of such variables, as in `if (x > most) most = x`, does not count.
[[nodiscard]] const clang::VarDecl* shown_partly(const clang::Stmt& body, const variables& summed);

}  // namespace steelyard::rewriter
