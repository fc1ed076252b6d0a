// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "clock.hpp"
#include "sync/access.hpp"

namespace steelyard::model {

using sync::order;

enum class operation : std::uint8_t {
  construct,
  load,
  store,
  exchange,
  fetch_add,
  compare_exchange,
  fence,
  light_fence,
  membarrier,
  signal,
  handle,
  data_read,
  data_write,
  begin,
  end,
};

[[nodiscard]] const char* name_of(operation what) noexcept;
[[nodiscard]] const char* name_of(order how) noexcept;

[[nodiscard]] constexpr bool acquires(order how) noexcept {
  return how == sync::acquire || how == sync::acq_rel || how == sync::seq_cst;
}
[[nodiscard]] constexpr bool releases(order how) noexcept {
  return how == sync::release || how == sync::acq_rel || how == sync::seq_cst;
}

/// One operation of an execution: a node of the execution graph.
struct event {
  unsigned thread = 0;
  std::uint32_t index = 0;  ///< in its thread, from 1
  operation what = operation::load;
  order how = sync::relaxed;
  std::uint32_t stamp = 0;        ///< see graph_search
  std::uint32_t write_stamp = 0;  ///< of a read-modify-write: of its second half
  const char* site = "";
  int location = -1;
  int source = -1;    ///< reads: the write it reads from
  int position = -1;  ///< writes: its place in the location's modification order; moves when one is put before it
  int sc = -1;        ///< seq_cst operations and fences: their node in the order S
  bool writes = false;
  std::uint64_t read = 0;
  std::uint64_t written = 0;
  clock leading;    ///< everything that leads to the event, sequenced before or read from, and itself
  clock when;       ///< everything that happens before the event, and itself
  clock published;  ///< writes: what an acquire load that reads it synchronises with

  [[nodiscard]] bool reads() const noexcept { return source >= 0; }
};

/// a happens before a point with clock `now`.
[[nodiscard]] inline bool before(const event& a, const clock& now) noexcept { return a.index <= now.at[a.thread]; }

}  // namespace steelyard::model
