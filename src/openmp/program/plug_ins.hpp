// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/choice.hpp"

/// Schedules of users that STEELYARD_SCHEDULE and the loops file name by their files (schedules/plug_in.hpp). When the drop-in reads these, libc
/// has not begun yet: to load anything that needs it would begin it without the program's environment. So plug-ins are loaded when
/// the first call site is met.
namespace steelyard::openmp {

/// The choice of a plug-in that is not loaded, so that it can be: by its whole path, in memory that stays. Others as they are. Where that
/// cannot be had, none.
[[nodiscard]] schedules::choice to_be_loaded(const schedules::choice& named) noexcept;

/// Loads those that are to be, the first time. Whoever comes meanwhile waits for it, but for the thread that loads them. What cannot be loaded is
/// told in one line, and the loops that were to run by it run as they were.
void load_plug_ins() noexcept;

}  // namespace steelyard::openmp
