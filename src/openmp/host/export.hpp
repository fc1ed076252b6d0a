// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the process sees of this library: functions of the OpenMP ABI that it puts itself in front of, and its own; also
/// listed in openmp/exports.map.
#define STEELYARD_EXPORT extern "C" __attribute__((visibility("default"), used))
