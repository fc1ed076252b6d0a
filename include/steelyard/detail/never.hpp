// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

namespace steelyard {
inline namespace v1 {
namespace detail {

/// False, and known only when a template is used: for an overload that is there to be refused.
template <class>
inline constexpr bool never = false;

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
