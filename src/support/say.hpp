// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "support/quiet_write.hpp"

namespace steelyard::support {

/// One line on stderr: `steelyard: …`. Written at once, so lines of several processes do not mix.
[[gnu::format(printf, 1, 2)]] inline void say(const char* format, ...) noexcept {
  char line[1024];
  constexpr char head[] = "steelyard: ";
  std::memcpy(line, head, sizeof head - 1);
  std::va_list arguments;
  va_start(arguments, format);
  const int wanted = std::vsnprintf(line + sizeof head - 1, sizeof line - sizeof head, format, arguments);
  va_end(arguments);
  if (wanted < 0) return;
  std::size_t length = std::strlen(line);
  for (std::size_t i = 0; i < length; ++i) {
    if (static_cast<unsigned char>(line[i]) < 0x20 || line[i] == 0x7f) line[i] = '?';
  }
  line[length++] = '\n';
  [[maybe_unused]] const ssize_t written = quiet_write(STDERR_FILENO, line, length);
}

}  // namespace steelyard::support
