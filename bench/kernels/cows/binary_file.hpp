// SPDX-License-Identifier: Apache-2.0
// Arrays in a file, as they lie in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>

#include "graph/input_error.hpp"

namespace cows {

class binary_file {
 public:
  binary_file(const std::string& path, const char* mode) : path_(path), file_(std::fopen(path.c_str(), mode)) {
    if (!file_) throw graph::input_error(path + ": cannot be opened: is the path right?");
  }

  template <class T>
  void write(const T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (std::fwrite(values, sizeof(T), count, file_.get()) != count)
      throw graph::input_error(path_ + ": cannot be written: is the disk full?");
  }
  template <class T>
  void read(T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (std::fread(values, sizeof(T), count, file_.get()) != count)
      throw graph::input_error(path_ + ": ends too early: make it anew");
  }
  // A kind of file begins with its name and how many records it has.
  using kind = char[8];
  void begin(const kind& name, std::uint64_t records) {
    write(name, sizeof name);
    write(&records, 1);
  }
  // How many it has; `otherwise` says what it lacks, if it is another kind.
  std::uint64_t records(const kind& name, const char* otherwise) {
    constexpr std::uint64_t most = 1000000;
    kind found;
    read(found, sizeof found);
    std::uint64_t count = 0;
    read(&count, 1);
    if (!std::equal(name, name + sizeof name, found) || count > most)
      throw graph::input_error(path_ + ": " + otherwise);
    return count;
  }
  // Writes what is still in memory; a full disk is noticed here at the latest.
  void close() {
    if (std::fclose(file_.release()) != 0) throw graph::input_error(path_ + ": cannot be written: is the disk full?");
  }
  const std::string& path() const { return path_; }

 private:
  struct closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, closer> file_;
};

}  // namespace cows
