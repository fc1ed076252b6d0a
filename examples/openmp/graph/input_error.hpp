// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace graph {

// The input cannot be used. The text is one line: what was given, what is wrong, what to do.
struct input_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace graph
