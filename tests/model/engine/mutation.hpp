// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "event.hpp"

namespace steelyard::model {

/// An access as the source wrote it. Accesses that share all four are mutated together.
struct access {
  std::string site;
  operation what = operation::load;
  order how = sync::relaxed;
  order failure = sync::relaxed;  ///< compare_exchange only

  friend auto operator<=>(const access&, const access&) = default;
};

enum class change {
  weaken,          ///< the order, one step
  weaken_failure,  ///< a compare_exchange's order on failure, one step
  remove,          ///< a fence
  drop,            ///< a plain store
  split,           ///< a read-modify-write becomes a load and a store, no longer atomic
  ignore_failure,  ///< a compare_exchange that failed reports success
};

/// One small wrong edit of a protocol.
struct mutation {
  access where;
  change what = change::weaken;
  order to = sync::relaxed;

  /// The edit without its site, e.g. "compare_exchange(acq_rel, relaxed): order -> acquire".
  [[nodiscard]] std::string text() const;
};

/// All mutations of one access.
[[nodiscard]] std::vector<mutation> mutations_of(const access& where);

/// What a load, and what a store, contributes to a read-modify-write of this order.
[[nodiscard]] order load_part(order how) noexcept;
[[nodiscard]] order store_part(order how) noexcept;

}  // namespace steelyard::model
