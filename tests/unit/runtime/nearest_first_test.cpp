// SPDX-License-Identifier: Apache-2.0
#include "runtime/nearest_first.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using steelyard::runtime::nearest_first;

/// Threads by where they stand, and a walk that begins with one of them.
struct crowd {
  std::vector<std::uint32_t> distances;
  std::size_t first = 0;
  std::uint32_t walks = 0;
  std::size_t enough = 100;

  /// Whom nearest_first goes to, until it has been to `last`.
  std::vector<std::size_t> visited(std::size_t last) {
    std::vector<std::size_t> result;
    const auto each = [this](auto g) {
      ++walks;
      for (std::size_t i = 0; i < distances.size(); ++i) {
        if (g(distances[(first + i) % distances.size()])) return true;
      }
      return false;
    };
    const bool found = nearest_first(
        each, [](std::uint32_t distance) { return distance; },
        [&](const std::uint32_t& one) {
          result.push_back(static_cast<std::size_t>(&one - distances.data()));
          return result.back() == last;
        },
        [&] { return result.size() >= enough; });
    EXPECT_EQ(found, last < distances.size());
    return result;
  }
};

using order = std::vector<std::size_t>;
constexpr std::size_t nobody = 100;

TEST(NearestFirst, GoesToAllInOrderOfDistance) {
  crowd all{.distances = {2, 0, 1, 0, 2, 1}, .first = 2};
  EXPECT_EQ(all.visited(nobody), (order{3, 1, 2, 5, 4, 0}));
  EXPECT_EQ(all.walks, 3U);
}

TEST(NearestFirst, EndsWithWhoIsFound) {
  crowd all{.distances = {2, 0, 1, 0, 2, 1}};
  EXPECT_EQ(all.visited(3), (order{1, 3}));
  EXPECT_EQ(all.walks, 1U);
  EXPECT_EQ(all.visited(2), (order{1, 3, 2}));
}

TEST(NearestFirst, GoesNoFartherThanIsNeeded) {
  crowd all{.distances = {2, 0, 1, 0, 2, 1}, .enough = 2};
  EXPECT_EQ(all.visited(nobody), (order{1, 3}));
  EXPECT_EQ(all.walks, 1U);
  all.enough = 3;
  EXPECT_EQ(all.visited(nobody), (order{1, 3, 2, 5})) << "all that are equally near";
}

TEST(NearestFirst, WalksOnceWhereAllAreNear) {
  crowd all{.distances = {0, 0, 0, 0}, .first = 3};
  EXPECT_EQ(all.visited(nobody), (order{3, 0, 1, 2}));
  EXPECT_EQ(all.walks, 1U);
}

TEST(NearestFirst, FindsWhoIsFarWhereNobodyIsNear) {
  crowd all{.distances = {2, 2}};
  EXPECT_EQ(all.visited(nobody), (order{0, 1}));
  crowd none{.distances = {}};
  EXPECT_EQ(none.visited(nobody), order{});
}

}  // namespace
