// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace steelyard::openmp {

/// Says at a process's end which lines of the loops file met no loop of it, in one line on stderr which the report holds
/// too: lines that name the program (it was rebuilt since, perhaps), or a position in the source where the program's
/// compiler wrote none down. That no line at all met a loop is for those who asked what became of the loops. A process
/// without loops says nothing: a shell gets the variables of the program that it starts.
void say_unmet_rules() noexcept;

}  // namespace steelyard::openmp
