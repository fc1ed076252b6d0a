// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What `steelyard_site` of prelude.h tells the drop-in, by name. src/openmp/compiled/table.hpp says what each means; a test compares the two.
namespace steelyard::rewriter {

/// `kind`.
inline constexpr int kind_any = 0;
inline constexpr int kind_share = 1;
inline constexpr int kind_of_runtime = 2;

/// `flags`.
inline constexpr int flag_reduces = 1;
inline constexpr int flag_equal = 2;
inline constexpr int flag_guarded = 4;
inline constexpr int flag_keys = 8;
inline constexpr int flag_asks = 16;
inline constexpr int flag_named = 32;
inline constexpr int flag_keeps_blocks = 64;

}  // namespace steelyard::rewriter
