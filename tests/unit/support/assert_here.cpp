// SPDX-License-Identifier: Apache-2.0
#include "support/assert.hpp"

#include "assert_elsewhere.hpp"

bool are_assertions_on() {
  bool evaluated = false;
  STEELYARD_ASSERT((evaluated = true), "[I1] it is evaluated");
  return evaluated;
}
