// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "remember/folder.hpp"

namespace remember_tests {

/// A folder of one's own, gone behind the test.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = std::filesystem::temp_directory_path() / "steelyard-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~scratch_folder() { std::filesystem::remove_all(path_); }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// As STEELYARD_KNOWLEDGE names it.
  [[nodiscard]] steelyard::remember::folder told() const {
    steelyard::remember::folder found;
    const auto variable = "STEELYARD_KNOWLEDGE=" + path_.native();
    const std::array<const char*, 2> environment{variable.c_str(), nullptr};
    static_cast<void>(steelyard::remember::read(environment.data(), found));
    return found;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    chmod((path_ / name).c_str(), 0600);
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream from(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(from), {}};
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace remember_tests
