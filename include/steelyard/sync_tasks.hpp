// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <steelyard/detail/forked.hpp>

/// @file
/// Waiting for tasks of dataflow.
namespace steelyard {
inline namespace v1 {

/// @addtogroup dataflow
/// @{

/// Returns when all tasks that the running task has forked have ended, and those that they have. Throws the first exception of
/// theirs; tasks that had not begun then are dropped.
inline void sync_tasks() { detail::rethrow(steelyard_frame_sync()); }

/// @}

}  // namespace v1
}  // namespace steelyard
