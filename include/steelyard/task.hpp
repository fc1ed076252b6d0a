// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Fork-join tasks, for C++20. They run on the same threads as loops: those of the pool that the calling thread is in.
#include <steelyard/future.hpp>
#include <steelyard/join.hpp>
#include <steelyard/join_each.hpp>
#include <steelyard/ordered_output.hpp>
#include <steelyard/task_group.hpp>
