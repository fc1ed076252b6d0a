// SPDX-License-Identifier: Apache-2.0
#pragma once

#if !defined(__cpp_exceptions)
#error "Steelyard passes exceptions on: compile without -fno-exceptions, or use <steelyard/steelyard.h>"
#endif
