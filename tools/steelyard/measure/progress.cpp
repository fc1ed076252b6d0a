// SPDX-License-Identifier: Apache-2.0
#include "measure/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace steelyard::tool {

progress_bar::progress_bar() : terminal_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()) {}

progress_bar::~progress_bar() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void progress_bar::show(std::size_t done, std::size_t all, const std::string& what) {
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  if (!terminal_ && !log_.due(spent)) return;
  const auto line = progress_line(done, all, what, spent);
  if (terminal_) {
    fmt::print(stderr, "\r{}\033[K", line);
  } else {
    fmt::print(stderr, "steelyard: {}\n", line);
  }
  std::fflush(stderr);
}

bool log_times::due(std::chrono::duration<double> spent) {
  if (spent < next_) return false;
  while (next_ <= spent) next_ += std::max(next_ / 4, std::chrono::duration<double>(30));
  return true;
}

std::string progress_line(std::size_t done, std::size_t all, const std::string& what,
                          std::chrono::duration<double> spent) {
  constexpr std::size_t width = 30;
  const auto filled = all == 0 ? 0 : width * done / all;
  auto line =
      fmt::format("[{}{}] {}/{} {}", std::string(filled, '#'), std::string(width - filled, '.'), done, all, what);
  if (done > 0 && done < all) {
    const double left = spent.count() / static_cast<double>(done) * static_cast<double>(all - done);
    line += left >= 120 ? fmt::format(", {:.0f} min left", left / 60) : fmt::format(", {:.0f} s left", left);
  }
  return line;
}

}  // namespace steelyard::tool
