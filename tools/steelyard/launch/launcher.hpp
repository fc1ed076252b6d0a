// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace steelyard::tool::launch {

/// `steelyard cc COMPILER ARGUMENTS`: compiles as told, with the loops of OpenMP programs in reach of the drop-in where that can be
/// done. Returns the compiler's exit status, or becomes the compiler.
int compile(std::vector<std::string> command);

/// `steelyard cc --report FILE…`: the loops of objects, archives and programs that were compiled so; as a table, or JSON line by line.
int report(const std::vector<std::string>& files, bool as_json);

}  // namespace steelyard::tool::launch
