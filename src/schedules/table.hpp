// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/adaptive.hpp"
#include "schedules/automatic.hpp"
#include "schedules/binlpt.hpp"
#include "schedules/chunks/af.hpp"
#include "schedules/chunks/awf.hpp"
#include "schedules/chunks/awf_b.hpp"
#include "schedules/chunks/awf_c.hpp"
#include "schedules/chunks/awf_d.hpp"
#include "schedules/chunks/awf_e.hpp"
#include "schedules/chunks/bold.hpp"
#include "schedules/chunks/dynamic.hpp"
#include "schedules/chunks/fac.hpp"
#include "schedules/chunks/factoring.hpp"
#include "schedules/chunks/fiss.hpp"
#include "schedules/chunks/fsc.hpp"
#include "schedules/chunks/guided.hpp"
#include "schedules/chunks/guided_libomp.hpp"
#include "schedules/chunks/maf.hpp"
#include "schedules/chunks/mfsc.hpp"
#include "schedules/chunks/pls.hpp"
#include "schedules/chunks/rand.hpp"
#include "schedules/chunks/tap.hpp"
#include "schedules/chunks/tfss.hpp"
#include "schedules/chunks/trapezoid.hpp"
#include "schedules/chunks/trapezoid_real.hpp"
#include "schedules/chunks/viss.hpp"
#include "schedules/chunks/wf2.hpp"
#include "schedules/cyclic.hpp"
#include "schedules/idws.hpp"
#include "schedules/jit.hpp"
#include "schedules/nustatic.hpp"
#include "schedules/random.hpp"
#include "schedules/static.hpp"
#include "schedules/static_steal.hpp"
#include "schedules/steal.hpp"
#include "schedules/wsr.hpp"
#include "schedules/wsri.hpp"
#include "schedules/wsrw.hpp"

namespace steelyard::schedules {

/// Every schedule over one Sync, in the order users see them: the preassigned, the self-scheduled, the stealing. The
/// registry holds the table over the real atomics, the simulator the one in virtual time.
template <class Sync>
inline constexpr operations table[] = {
    operations_of<static_blocks<Sync>>,
    operations_of<nustatic<Sync>>,
    operations_of<cyclic<Sync>>,
    operations_of<dynamic<Sync>>,
    operations_of<guided<Sync>>,
    operations_of<guided_libomp<Sync>>,
    operations_of<trapezoid<Sync>>,
    operations_of<trapezoid_real<Sync>>,
    operations_of<factoring<Sync>>,
    operations_of<mfsc<Sync>>,
    operations_of<fsc<Sync>>,
    operations_of<tfss<Sync>>,
    operations_of<fiss<Sync>>,
    operations_of<viss<Sync>>,
    operations_of<rand<Sync>>,
    operations_of<tap<Sync>>,
    operations_of<fac<Sync>>,
    operations_of<bold<Sync>>,
    operations_of<wf2<Sync>>,
    operations_of<awf<Sync>>,
    operations_of<awf_b<Sync>>,
    operations_of<awf_c<Sync>>,
    operations_of<awf_d<Sync>>,
    operations_of<awf_e<Sync>>,
    operations_of<af<Sync>>,
    operations_of<maf<Sync>>,
    operations_of<pls<Sync>>,
    operations_of<binlpt<Sync>>,
    operations_of<static_steal<Sync>>,
    operations_of<random<Sync>>,
    operations_of<wsr<Sync>>,
    operations_of<wsri<Sync>>,
    operations_of<wsrw<Sync>>,
    operations_of<wsr_paper<Sync>>,
    operations_of<wsri_paper<Sync>>,
    operations_of<wsrw_paper<Sync>>,
    operations_of<nustatic_paper<Sync>>,
    operations_of<idws<Sync>>,
    operations_of<adaptive<Sync>>,
    operations_of<steal<Sync>>,
    operations_of<steal_even<Sync>>,
    operations_of<jit<Sync>>,
    operations_of<automatic<Sync>>,
};

}  // namespace steelyard::schedules
