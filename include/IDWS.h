// SPDX-License-Identifier: Apache-2.0
/// @file
/// The header of Rokos, Gorman & Kelly by its own name; what it has is in <steelyard/idws.h>.
#include <steelyard/idws.h>
