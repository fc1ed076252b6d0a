// SPDX-License-Identifier: Apache-2.0
#pragma once

// The first thing that a header of the C++ interface includes, so that this is the first that its user reads.
#if __cplusplus < 202002L
#error \
    "Steelyard's C++ interface needs C++20: compile with -std=c++20. <steelyard/steelyard.h> is for C, <IDWS.h> for C++11"
#include <steelyard/detail/compile_with_std_cxx20>  // There is none: compilers end here, instead of a thousand lines further on.
#endif
