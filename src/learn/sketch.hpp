// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace steelyard::learn {

class density;

/// A density in few bytes: a quarter of its bins, each to a 65,535th of the dearest one. What blocks cost can be read from it, and it
/// never changes.
class sketch {
 public:
  static constexpr std::uint32_t bins = 128;

  /// Nothing is drawn yet.
  sketch() noexcept = default;
  explicit sketch(const density& of) noexcept;

  /// As density::parts, of one that is drawn. O(blocks + bins)
  void parts(const double* ends, std::uint32_t blocks, double* parts) const noexcept;

 private:
  std::array<std::uint16_t, bins> cost_{};
};

}  // namespace steelyard::learn
