// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace steelyard::tool {

/// A folder of the test's own, gone afterwards.
class scratch : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "steelyard-tool.XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  std::filesystem::path script(const std::string& name, const std::string& text) const {
    const auto file = write(name, text);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }

  /// Compiles C; empty when the compiler cannot (no static libraries, no sanitizer, …).
  std::filesystem::path compile(const std::string& name, const std::string& source, const std::string& options) const {
    const auto from = write(name + ".c", source);
    const auto command = std::string(C_COMPILER) + " -o " + (folder_ / name).native() + " " + from.native() + " " +
                         options + " 2>/dev/null";
    return std::system(command.c_str()) == 0 ? folder_ / name : std::filesystem::path();
  }

  std::filesystem::path folder_;
};

}  // namespace steelyard::tool
