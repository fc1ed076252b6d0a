// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

namespace support_tests {

/// A file without a name.
class scratch {
 public:
  scratch() : file_(std::tmpfile()) {}
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() { std::fclose(file_); }
  [[nodiscard]] int descriptor() const { return fileno(file_); }
  [[nodiscard]] std::string content() const {
    std::string all(1 << 20, '\0');
    const ssize_t got = pread(descriptor(), all.data(), all.size(), 0);
    all.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return all;
  }

 private:
  std::FILE* file_;
};

}  // namespace support_tests
