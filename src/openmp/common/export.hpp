// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A function of the OpenMP ABI that this library puts itself in front of; also listed in openmp/exports.map.
#define STEELYARD_EXPORT extern "C" __attribute__((visibility("default"), used))
