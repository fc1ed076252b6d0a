// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/adaptive.hpp"
#include "schedules/cyclic.hpp"
#include "schedules/dynamic.hpp"
#include "schedules/factoring.hpp"
#include "schedules/guided.hpp"
#include "schedules/idws.hpp"
#include "schedules/jit.hpp"
#include "schedules/nustatic.hpp"
#include "schedules/random.hpp"
#include "schedules/static.hpp"
#include "schedules/steal.hpp"
#include "schedules/trapezoid.hpp"
#include "schedules/wsr.hpp"
#include "schedules/wsri.hpp"
#include "schedules/wsrw.hpp"

namespace steelyard::schedules {

/// Every schedule over one Sync, in the order users see them: the preassigned, the self-scheduled, the stealing. The
/// registry holds the table over the real atomics, the simulator the one in virtual time.
template <class Sync>
inline constexpr operations table[] = {
    operations_of<static_blocks<Sync>>, operations_of<nustatic<Sync>>,   operations_of<cyclic<Sync>>,
    operations_of<dynamic<Sync>>,       operations_of<guided<Sync>>,     operations_of<trapezoid<Sync>>,
    operations_of<factoring<Sync>>,     operations_of<random<Sync>>,     operations_of<wsr<Sync>>,
    operations_of<wsri<Sync>>,          operations_of<wsrw<Sync>>,       operations_of<wsr_paper<Sync>>,
    operations_of<wsri_paper<Sync>>,    operations_of<wsrw_paper<Sync>>, operations_of<nustatic_paper<Sync>>,
    operations_of<idws<Sync>>,          operations_of<adaptive<Sync>>,   operations_of<steal<Sync>>,
    operations_of<jit<Sync>>,
};

}  // namespace steelyard::schedules
