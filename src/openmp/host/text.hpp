// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "support/quiet_write.hpp"
#include "support/say.hpp"

namespace steelyard::openmp {

/// Text put together in a fixed buffer and written with write(2): no heap, no stdio of the host program. A buffer that
/// has somewhere to go (a file descriptor) flushes itself when full; one that has not keeps what fits.
class text {
 public:
  explicit text(int descriptor = -1) noexcept : descriptor_(descriptor) {}
  text(const text&) = delete;
  text& operator=(const text&) = delete;
  ~text() { flush(); }

  [[gnu::format(printf, 2, 3)]] text& add(const char* format, ...) noexcept {
    std::va_list arguments;
    va_start(arguments, format);
    char piece[512];
    const int wanted = std::vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (wanted > 0)
      put(piece, wanted < static_cast<int>(sizeof piece) ? static_cast<std::size_t>(wanted) : sizeof piece - 1);
    return *this;
  }

  text& put(const char* piece, std::size_t length) noexcept {
    for (std::size_t i = 0; i < length; ++i) {
      if (used_ == sizeof buffer_) flush();
      if (used_ == sizeof buffer_) break;
      buffer_[used_++] = piece[i];
    }
    return *this;
  }

  text& put(const char* piece) noexcept { return put(piece, std::strlen(piece)); }

  /// For a line on a terminal: a name may hold control characters.
  text& plain(const char* piece) noexcept {
    for (; *piece != '\0'; ++piece) put(static_cast<unsigned char>(*piece) < 0x20 ? "?" : piece, 1);
    return *this;
  }

  /// A JSON string with its quotes, or null. File names may hold any bytes, JSON only UTF-8: others become U+FFFD.
  text& quoted(const char* piece) noexcept {
    if (piece == nullptr) return put("null");
    put("\"", 1);
    while (*piece != '\0') {
      const auto c = static_cast<unsigned char>(*piece);
      const std::size_t length = character(piece);
      if (c == '"' || c == '\\') put("\\", 1);
      if (c < 0x20) {
        add("\\u%04x", c);
      } else if (length == 0) {
        put("\\ufffd");
      } else {
        put(piece, length);
      }
      piece += length != 0 ? length : 1;
    }
    return put("\"", 1);
  }

  [[nodiscard]] const char* data() const noexcept { return buffer_; }
  [[nodiscard]] std::size_t size() const noexcept { return used_; }

  /// Why a write failed (errno); 0: none did.
  [[nodiscard]] int error() const noexcept { return error_; }

  void flush() noexcept {
    if (descriptor_ < 0) return;
    if (const int error = support::write_all(descriptor_, buffer_, used_); error != 0) error_ = error;
    used_ = 0;
  }

 private:
  /// The bytes of the UTF-8 character at `at`; 0: it is none (RFC 3629, section 4).
  static std::size_t character(const char* at) noexcept {
    const auto byte = [at](std::size_t i) { return static_cast<unsigned char>(at[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    const unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < low || byte(1) > high) return 0;
    const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    for (std::size_t i = 2; i < length; ++i) {
      if ((byte(i) & 0xC0) != 0x80) return 0;
    }
    return length;
  }

  int descriptor_;
  int error_ = 0;
  std::size_t used_ = 0;
  char buffer_[4096];
};

using support::say;

}  // namespace steelyard::openmp
