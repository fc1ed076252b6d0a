// SPDX-License-Identifier: Apache-2.0
#include "simulator/machine.hpp"

#include <cmath>
#include <cstddef>
#include <sstream>

namespace steelyard::simulator {
namespace {

constexpr std::uint32_t most_cores = 1U << 16;
constexpr std::uint32_t most_threads_per_core = 16;
constexpr std::uint32_t most_reads_at_once = 1024;

struct number {
  const char* key;
  double machine::*value;
};
constexpr number numbers[] = {
    {"thread_speed", &machine::thread_speed},
    {"hit", &machine::hit},
    {"update", &machine::update},
    {"serve", &machine::serve},
    {"wake", &machine::wake},
    {"woken", &machine::woken},
    {"signal", &machine::signal},
    {"membarrier", &machine::membarrier},
};

/// One line of a description.
class reader {
 public:
  reader(const std::string& text, std::size_t at) : words_(text.substr(0, text.find('#'))), at_(at) {}

  /// False: nothing stands there.
  bool read_into(machine& it) {
    std::string key;
    if (!(words_ >> key)) return false;
    if (key == "name") {
      words_ >> it.name;
    } else if (key == "group") {
      read_group(it);
    } else if (key == "threads_per_core") {
      it.threads_per_core = whole(key, most_threads_per_core);
    } else if (key == "reads_at_once") {
      it.reads_at_once = whole(key, most_reads_at_once);
    } else {
      read_number(it, key);
    }
    std::string more;
    if (words_ >> more) fail("has more than its value: '" + more + "'");
    return true;
  }

 private:
  void read_group(machine& it) {
    const auto cores = whole("group", most_cores);
    const auto before = it.groups.empty() ? 1 : it.groups.back().cores;
    if (cores % before != 0 || (cores == before && !it.groups.empty())) {
      fail("a group of " + std::to_string(cores) + " cores is no multiple of the one before, of " +
           std::to_string(before));
    }
    it.groups.push_back({cores, nanoseconds("group")});
  }

  void read_number(machine& it, const std::string& key) {
    for (const auto& [name, value] : numbers) {
      if (key != name) continue;
      it.*value = nanoseconds(key);
      return;
    }
    fail("'" + key + "' is no key; see simulator/machine.hpp");
  }

  [[nodiscard]] std::uint32_t whole(const std::string& key, std::uint32_t most) {
    long long value = 0;
    if (!(words_ >> value) || value < 1 || value > most) {
      fail(key + ": wants a whole number from 1 to " + std::to_string(most));
    }
    return static_cast<std::uint32_t>(value);
  }

  [[nodiscard]] double nanoseconds(const std::string& key) {
    double value = 0;
    if (!(words_ >> value) || !std::isfinite(value) || value < 0) fail(key + ": wants a number, 0 or more");
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw machine_error("line " + std::to_string(at_) + ": " + what);
  }

  std::istringstream words_;
  std::size_t at_;
};

}  // namespace

double machine::speed_of(std::uint32_t member, std::uint32_t members) const noexcept {
  const auto core = core_of(member);
  const auto on_core = (members - core + cores() - 1) / cores();
  return on_core > 1 ? thread_speed : 1;
}

double machine::transfer(std::uint32_t from, std::uint32_t to) const noexcept {
  if (from == to) return 0;
  for (const auto& each : groups) {
    if (from / each.cores == to / each.cores) return each.transfer;
  }
  return groups.back().transfer;
}

machine parse_machine(std::string_view text) {
  machine it;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (std::size_t at = 1; std::getline(lines, line); ++at) reader(line, at).read_into(it);
  if (it.groups.empty()) throw machine_error("has no group of cores: add a line `group CORES NANOSECONDS`");
  if (it.thread_speed <= 0 || it.thread_speed > 1) throw machine_error("thread_speed: wants a number above 0, up to 1");
  return it;
}

}  // namespace steelyard::simulator
