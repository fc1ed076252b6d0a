// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/mfac.hpp"

#include "every_schedule.hpp"
#include "golden.hpp"

namespace steelyard::schedules::testing {
namespace {

STEELYARD_KEEPS_THE_CONTRACT(mfac);

TEST(mfac, matches_golden_vectors) { matches_golden_vectors("mfac"); }

}  // namespace
}  // namespace steelyard::schedules::testing
