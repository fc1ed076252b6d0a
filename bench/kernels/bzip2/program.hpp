// SPDX-License-Identifier: Apache-2.0
// A compressor: blocks of the input, each compressed by libbz2 to a stream of its own, are written in order. bunzip2 takes streams
// that follow each other. At most a window of blocks is in memory. Output, one fact a line:
//   bzip2: 210000000 bytes in 234 blocks, 50000000 compressed
//   kernel: 12.345678901 s
//   counter steals: 12        (where the runtime tells)
//   peak memory: 12345 KiB
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "common/arguments.h"

namespace bzip2 {

inline constexpr std::size_t block_bytes = 900'000;  // what level 9 sorts at once

struct request {
  const char* input = nullptr;
  const char* output = nullptr;
  long threads = 1;
  long window = 16;

  void parse(int argc, char** argv, const char* summary);
};

// A file.
class source {
 public:
  explicit source(const char* name);
  ~source();
  source(const source&) = delete;
  source& operator=(const source&) = delete;

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t blocks() const noexcept { return bytes_ == 0 ? 1 : (bytes_ - 1) / block_bytes + 1; }
  // Of block i, how many bytes there are.
  std::size_t read(std::size_t i, char* into) const;

 private:
  int file_;
  std::size_t bytes_;
};

// Of the window: a block on its way. Blocks i, i + window, … go through the same piece, one after the other.
class piece {
 public:
  void compress(const source& from, std::size_t i);

  [[nodiscard]] const char* data() const noexcept { return packed_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  static constexpr std::size_t most = block_bytes + block_bytes / 100 + 600;  // says libbz2
  std::unique_ptr<char[]> plain_ = std::make_unique<char[]>(block_bytes);
  std::unique_ptr<char[]> packed_ = std::make_unique<char[]>(most);
  std::size_t size_ = 0;
};

// Another file.
class writer {
 public:
  explicit writer(const char* name);
  ~writer();
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;

  void write(const piece& next);
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  int file_;
  std::size_t bytes_ = 0;
};

void print(const source& from, const writer& to, double seconds);

// compress(from, to): all of it.
template <class Compress>
int measure(const request& wanted, const Compress& compress) {
  const source from(wanted.input);
  writer to(wanted.output);
  const auto began = std::chrono::steady_clock::now();
  compress(from, to);
  print(from, to, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  return 0;
}

}  // namespace bzip2
