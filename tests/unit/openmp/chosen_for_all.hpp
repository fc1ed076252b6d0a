// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openmp/program/settings.hpp"
#include "openmp/program/site.hpp"
#include "schedules/registry.hpp"

namespace steelyard::openmp {

/// As STEELYARD_SCHEDULE does, but also for sites that are known already.
inline void choose_for_all(const char* schedule) {
  config.active = true;
  config.all = {schedules::find(schedule), 0};
  config.equal_blocks = schedules::find("static");
  for (site* each = first_site(); each != nullptr; each = each->next) each->forced = config.all;
}

}  // namespace steelyard::openmp
