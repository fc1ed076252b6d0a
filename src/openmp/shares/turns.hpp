// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "support/assert.hpp"
#include "sync/access.hpp"

namespace steelyard::openmp {

/// Many read, between `enter` and `leave`; who leaves alone may change what they read. Nobody waits for anybody. Protocol and
/// invariants [I1], [I2]: shares.md.
template <class Sync>
class turns {
 public:
  /// True: nothing changes until this thread, or who leaves for it, is through. False: it is being changed just now.
  bool enter() noexcept {
    std::uint32_t inside = inside_.load(sync::relaxed, sync::site{"R1"});
    do {
      if (inside >= changing - 1) return false;
    } while (!inside_.compare_exchange(inside, inside + 1, sync::acquire, sync::relaxed, sync::site{"R2"}));
    return true;
  }

  /// By one that is inside, in place of `leave`. True: it is alone, may change what others read, and then calls `changed`.
  bool leave_to_change() noexcept {
    std::uint32_t alone = 1;
    if (inside_.compare_exchange(alone, changing, sync::acquire, sync::relaxed, sync::site{"R3"})) return true;
    leave();
    return false;
  }
  void changed() noexcept { inside_.store(0, sync::release, sync::site{"R4"}); }

  void leave() noexcept {
    [[maybe_unused]] const std::uint32_t inside = inside_.fetch_add(~std::uint32_t{0}, sync::release, sync::site{"R5"});
    STEELYARD_ASSERT(inside != 0 && inside != changing,
                     "[I1] who leaves has entered, and nobody changes anything meanwhile");
  }

 private:
  static constexpr std::uint32_t changing = ~std::uint32_t{0};

  typename Sync::template atomic<std::uint32_t> inside_{};  ///< how many are, or `changing`
};

}  // namespace steelyard::openmp
