// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What learnt shares cost a program, in ticks of this machine; measured when the library is loaded.
namespace steelyard::openmp {

/// For so many ticks loops have to run until they are timed again: learning took so long, with so many blocks of each member.
[[nodiscard]] std::uint64_t debt_of(std::uint64_t learning, std::uint64_t blocks) noexcept;

/// What a loop has to gain by another block than an equal one, or it keeps its own.
[[nodiscard]] std::uint64_t price_of_deal() noexcept;

}  // namespace steelyard::openmp
