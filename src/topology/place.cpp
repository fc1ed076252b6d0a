// SPDX-License-Identifier: Apache-2.0
#include "topology/place.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "sync/real.hpp"
#include "topology/processors.hpp"

namespace steelyard::topology {
namespace {

/// The number that such a file begins with.
std::optional<unsigned> number_in(const char* root, unsigned processor, const char* what) noexcept {
  char path[256];
  const int length = std::snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%u/%s", root, processor, what);
  if (length < 0 || static_cast<std::size_t>(length) >= sizeof path) return {};
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char text[16] = {};
  const auto got = read(file, text, sizeof text - 1);
  close(file);
  char* end = text;
  const auto number = got > 0 ? std::strtoul(text, &end, 10) : 0;
  if (end == text || number >= processors::most) return {};
  return static_cast<unsigned>(number);
}

class errno_kept {
 public:
  errno_kept() noexcept : before_(errno) {}
  ~errno_kept() { errno = before_; }
  errno_kept(const errno_kept&) = delete;
  errno_kept& operator=(const errno_kept&) = delete;

 private:
  int before_;
};

}  // namespace

place place_of(unsigned processor, const char* root) noexcept {
  constexpr unsigned most_caches = 16;
  const errno_kept so;
  place result;
  unsigned last = 0;
  for (unsigned i = 0; i < most_caches; ++i) {
    char name[64];
    std::snprintf(name, sizeof name, "cache/index%u/level", i);
    const auto level = number_in(root, processor, name);
    if (!level) break;
    if (*level < last) continue;
    std::snprintf(name, sizeof name, "cache/index%u/shared_cpu_list", i);
    const auto first = number_in(root, processor, name);
    if (!first) continue;
    last = *level;
    result.cache = static_cast<std::uint16_t>(*first);
  }
  result.package = static_cast<std::uint16_t>(number_in(root, processor, "topology/physical_package_id").value_or(0));
  return result;
}

place place_here() noexcept {
  static constinit sync::real::atomic<std::uint32_t> known[processors::most]{};  // 0: not yet
  constexpr std::uint32_t is_known = 1U << 31;
  constexpr unsigned package_at = 16;
  const int processor = sched_getcpu();
  if (processor < 0 || static_cast<unsigned>(processor) >= processors::most) return {};
  auto& word = known[processor];
  std::uint32_t its = word.load(sync::relaxed, sync::site{"T1"});
  if (its == 0) {
    const place found = place_of(static_cast<unsigned>(processor));
    its = is_known | std::uint32_t{found.package} << package_at | found.cache;
    word.store(its, sync::relaxed, sync::site{"T1"});
  }
  return {static_cast<std::uint16_t>(its), static_cast<std::uint16_t>((its & ~is_known) >> package_at)};
}

}  // namespace steelyard::topology
