// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard::simulator {

/// What a machine charges for memory that members share. Times are in nanoseconds. machine.md says what is modelled, and what not.
struct machine {
  /// Cores 0 … cores-1, the next so many, …: a line that one of them has comes to another in that time.
  struct group {
    std::uint32_t cores = 1;
    double transfer = 0;
  };

  std::string name;
  std::vector<group> groups;           ///< from the nearest to the whole machine; each is a multiple of the one before
  std::uint32_t threads_per_core = 1;  ///< threads of one core share its lines
  double thread_speed = 1;             ///< of each thread of a core that runs several
  double hit = 1;                      ///< reading or writing a line that the core has
  double update = 5;                   ///< a read-modify-write of one
  double serve = 5;                    ///< how long a line is kept from others by one that reads it
  std::uint32_t reads_at_once = 10;    ///< reads of a core that overlap
  double wake = 0;                     ///< by who wakes a thread
  double woken = 0;                    ///< from then until it runs
  double signal = 0;                   ///< from its sending until its handler runs
  double membarrier = 0;

  [[nodiscard]] std::uint32_t cores() const noexcept { return groups.back().cores; }
  [[nodiscard]] std::uint32_t threads() const noexcept { return cores() * threads_per_core; }
  /// Cores are filled one after the other; then their other threads.
  [[nodiscard]] std::uint32_t core_of(std::uint32_t member) const noexcept { return member % cores(); }
  /// How fast a member of so many runs its iterations.
  [[nodiscard]] double speed_of(std::uint32_t member, std::uint32_t members) const noexcept;
  /// How long a line takes from one core to another; 0: they are the same.
  [[nodiscard]] double transfer(std::uint32_t from, std::uint32_t to) const noexcept;
};

/// What is wrong with the description of a machine: its line, and the remedy.
struct machine_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a description: a line for each number, `KEY VALUE`, and one for each group, `group CORES NANOSECONDS`, from the nearest;
/// `#` begins a comment. Keys are the names above. A group is needed, all else has the value above. Throws machine_error.
[[nodiscard]] machine parse_machine(std::string_view text);

}  // namespace steelyard::simulator
