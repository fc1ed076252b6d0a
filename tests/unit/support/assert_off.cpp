// SPDX-License-Identifier: Apache-2.0
#ifndef NDEBUG
#define NDEBUG
#endif
#include "support/assert.hpp"

#include "assert_elsewhere.hpp"

void assert_where_it_is_off(int& evaluations) { STEELYARD_ASSERT(++evaluations < 0, "[I1] nothing"); }
