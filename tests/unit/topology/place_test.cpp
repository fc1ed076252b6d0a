// SPDX-License-Identifier: Apache-2.0
#include "topology/place.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using steelyard::topology::distance;
using steelyard::topology::place;
using steelyard::topology::place_here;
using steelyard::topology::place_of;

/// A machine as Linux shows it, in a folder of its own.
class Place : public ::testing::Test {
 protected:
  Place() {
    std::string name = (fs::temp_directory_path() / "place_test.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    root_ = name;
  }
  ~Place() override { fs::remove_all(root_); }

  void write(unsigned processor, const std::string& what, const std::string& text) const {
    const auto file = root_ / "sys/devices/system/cpu" / ("cpu" + std::to_string(processor)) / what;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  void write_cache(unsigned processor, unsigned index, unsigned level, const std::string& shared_by) const {
    const std::string folder = "cache/index" + std::to_string(index) + "/";
    write(processor, folder + "level", std::to_string(level));
    write(processor, folder + "shared_cpu_list", shared_by);
  }
  [[nodiscard]] place at(unsigned processor) const { return place_of(processor, root_.c_str()); }

  fs::path root_;
};

/// Two packages of two caches of two cores: as Linux numbers them, and with neighbours in different packages.
TEST_F(Place, IsTheLastCacheAndThePackage) {
  for (unsigned p = 0; p < 8; ++p) {
    write_cache(p, 0, 1, std::to_string(p));
    write_cache(p, 1, 1, std::to_string(p));
    write_cache(p, 2, 2, std::to_string(p));
    const unsigned first = p / 2 * 2;
    write_cache(p, 3, 3, std::to_string(first) + "-" + std::to_string(first + 1));
    write(p, "topology/physical_package_id", std::to_string(p / 4));
  }
  EXPECT_EQ(at(5), (place{.cache = 4, .package = 1}));
  EXPECT_EQ(distance(at(4), at(5)), 0U);
  EXPECT_EQ(distance(at(4), at(7)), 1U);
  EXPECT_EQ(distance(at(3), at(4)), 2U);
  EXPECT_EQ(distance(at(4), at(3)), 2U);
}

TEST_F(Place, CachesMayComeInAnyOrder) {
  write_cache(9, 0, 3, "8-11,40-43");
  write_cache(9, 1, 1, "9,41");
  EXPECT_EQ(at(9).cache, 8);
}

/// As inside of many virtual machines and on some boards.
TEST_F(Place, WhatIsNotToldIsZero) {
  EXPECT_EQ(at(3), place{});
  write(4, "topology/physical_package_id", "-1");
  EXPECT_EQ(at(4), place{});
  write(5, "topology/physical_package_id", "none");
  write_cache(5, 0, 1, "");
  EXPECT_EQ(at(5), place{});
  write(6, "topology/physical_package_id", "2");
  EXPECT_EQ(distance(at(6), at(5)), 2U);
}

TEST_F(Place, ARootThatIsTooLongIsNone) { EXPECT_EQ(place_of(0, std::string(1000, 'x').c_str()), place{}); }

/// The same again, and errno as before.
TEST(PlaceHere, IsThatOfAProcessorOfThisThread) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  for (int p = 0; p < CPU_SETSIZE; ++p) {
    if (!CPU_ISSET(p, &before)) continue;
    CPU_ZERO(&one);
    CPU_SET(p, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    errno = EDOM;
    for (int i = 0; i < 2; ++i) EXPECT_EQ(place_here(), place_of(static_cast<unsigned>(p)));
    EXPECT_EQ(errno, EDOM);
  }
  sched_setaffinity(0, sizeof before, &before);
}

}  // namespace
