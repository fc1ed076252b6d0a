// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <steelyard/steelyard.h>

/// Loops that the threads of a team share without being called: each thread enters each loop of the team, in the same
/// order, as in `omp parallel`. The n-th loop of every thread is the same *context* (Rokos, Gorman & Kelly, section 4); a
/// thread that finds nothing more goes on to the next, and only members of one context share.
namespace steelyard::loop {

/// See steelyard_idws_enter.
void enter_spmd(steelyard_idws& self, std::uint64_t team, std::uint32_t members, std::uint32_t number,
                std::uint64_t iterations, std::uint32_t flags) noexcept;
/// See steelyard_idws_claim.
[[nodiscard]] steelyard_piece claim_spmd(steelyard_idws& self) noexcept;
/// See steelyard_idws_leave.
void leave_spmd(steelyard_idws& self) noexcept;

}  // namespace steelyard::loop
