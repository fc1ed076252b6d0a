// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

namespace steelyard::tool {

/// An open file, closed with it.
class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  ~descriptor() {
    if (number_ >= 0) close(number_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  /// Below 0: it could not be opened.
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

}  // namespace steelyard::tool
