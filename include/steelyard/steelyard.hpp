// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// All of the C++ interface: loops, schedules, tasks, dataflow. A program that uses a part of it compiles faster with that part's header.
#include <steelyard/version.h>
#include <steelyard/dataflow.hpp>      // IWYU pragma: export
#include <steelyard/loop.hpp>          // IWYU pragma: export
#include <steelyard/own_schedule.hpp>  // IWYU pragma: export
#include <steelyard/per_thread.hpp>    // IWYU pragma: export
#include <steelyard/pool.hpp>          // IWYU pragma: export
#include <steelyard/recording.hpp>     // IWYU pragma: export
#include <steelyard/schedule.hpp>      // IWYU pragma: export
#include <steelyard/task.hpp>          // IWYU pragma: export
#include <steelyard/work_span.hpp>     // IWYU pragma: export
