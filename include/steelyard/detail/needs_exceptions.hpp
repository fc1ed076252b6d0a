// SPDX-License-Identifier: Apache-2.0
#pragma once

#if !defined(__cpp_exceptions)
#error "Steelyard passes exceptions on: compile without -fno-exceptions, or use <steelyard/steelyard.h>"
#include <steelyard/detail/compile_without_fno_exceptions>  // There is none: compilers end here, see cxx20.hpp.
#endif
