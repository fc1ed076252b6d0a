// SPDX-License-Identifier: Apache-2.0
#include "read/shim.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "text/failure.hpp"

namespace steelyard::tool {
namespace {

using changes = std::map<std::string, std::optional<std::string>>;

/// Takes a variable out of this process's environment, and puts it back.
class variable {
 public:
  explicit variable(const char* name) : name_(name) {
    if (const char* value = std::getenv(name)) before_ = value;
    unsetenv(name);
  }
  ~variable() {
    if (before_) {
      set(before_->c_str());
    } else {
      unsetenv(name_);
    }
  }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;
  void set(const char* value) const { setenv(name_, value, 1); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

class shim : public testing::Test {
 protected:
  static changes with(const shim_settings& settings) {
    const auto all = shim_environment("/lib/drop-in.so", settings);
    return {all.begin(), all.end()};
  }
  variable preload_{"LD_PRELOAD"};
  variable options_{"ASAN_OPTIONS"};
};

TEST_F(shim, the_users_libraries_and_options_are_kept) {
  EXPECT_EQ(with({}).at("LD_PRELOAD"), "/lib/drop-in.so");
  EXPECT_EQ(with({}).at("ASAN_OPTIONS"), "verify_asan_link_order=0");
  preload_.set("a.so:b.so");
  options_.set("detect_leaks=0:verify_asan_link_order=1");
  EXPECT_EQ(with({}).at("LD_PRELOAD"), "/lib/drop-in.so:a.so:b.so");
  EXPECT_EQ(with({}).at("ASAN_OPTIONS"), "detect_leaks=0:verify_asan_link_order=1:verify_asan_link_order=0");
  preload_.set("");
  options_.set("");
  EXPECT_EQ(with({}).at("LD_PRELOAD"), "/lib/drop-in.so");
  EXPECT_EQ(with({}).at("ASAN_OPTIONS"), "verify_asan_link_order=0");
}

TEST_F(shim, what_is_not_told_stays_and_what_is_empty_goes) {
  shim_settings settings;
  settings.schedule = "steal,4";
  settings.loops = "";
  settings.limit = true;
  settings.verbose = false;
  const auto found = with(settings);
  EXPECT_EQ(found.at("STEELYARD_SCHEDULE"), "steal,4");
  EXPECT_EQ(found.at("STEELYARD_LOOPS"), std::nullopt);
  EXPECT_EQ(found.at("STEELYARD_LIMIT"), "1");
  EXPECT_EQ(found.at("STEELYARD_VERBOSE"), std::nullopt);
  EXPECT_FALSE(found.contains("STEELYARD_REPORT"));
  EXPECT_FALSE(found.contains("STEELYARD_SPLIT_CHUNKS"));
  settings.split_chunks = true;
  EXPECT_EQ(with(settings).at("STEELYARD_SPLIT_CHUNKS"), "1");
  EXPECT_FALSE(found.contains("STEELYARD_FREE_REDUCTIONS"));
  settings.free_reductions = true;
  EXPECT_EQ(with(settings).at("STEELYARD_FREE_REDUCTIONS"), "1");
}

TEST_F(shim, a_path_that_cannot_be_preloaded_is_reached_through_a_link) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("steelyard-shim." + std::to_string(getpid()));
  const auto odd = folder / "a b:c";
  std::filesystem::create_directories(odd);
  const auto library = odd / "libsteelyard-openmp.so";
  std::ofstream(library) << "x";
  EXPECT_THROW(static_cast<void>(preloadable(library)), failure);
  EXPECT_THROW(static_cast<void>(preloadable(library, odd)), failure);
  const auto link = preloadable(library, folder);
  EXPECT_EQ(link.parent_path().native(), folder.native());
  EXPECT_TRUE(std::filesystem::equivalent(link, library));
  EXPECT_EQ(preloadable("/lib/drop-in.so", folder).native(), "/lib/drop-in.so");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace steelyard::tool
