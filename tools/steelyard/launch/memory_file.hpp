// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace steelyard::tool::launch {

/// A file without a place in any folder: nothing is left of it, however this process ends. Children inherit it.
class memory_file {
 public:
  memory_file();  ///< not `good` where the system has none
  ~memory_file();
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  [[nodiscard]] bool good() const { return descriptor_ >= 0; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::string path() const;  ///< a name for it, in this process and its children
  [[nodiscard]] bool empty() const;
  [[nodiscard]] std::string text() const;
  /// What `look` returns of what was written, which is not copied for that.
  template <class Look>
  auto seen_by(Look look) const {
    const mapping of(*this);
    return look(of.text);
  }

 private:
  struct mapping {
    explicit mapping(const memory_file& of);
    ~mapping();
    mapping(const mapping&) = delete;
    mapping& operator=(const mapping&) = delete;
    std::string_view text;  // empty where it cannot be read
  };

  int descriptor_;
};

}  // namespace steelyard::tool::launch
