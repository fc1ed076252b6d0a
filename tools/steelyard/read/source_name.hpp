// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace steelyard::tool {

/// The name as in the source, without parameters and type: `count._omp_fn.0`, `_Z5countv`, `count.omp_outlined` all mean
/// count, and so does the record of a loop in it that the launcher has rewritten; in C that means nothing. What stands in its template
/// arguments is kept.
[[nodiscard]] std::string source_name(const std::string& symbol);

}  // namespace steelyard::tool
