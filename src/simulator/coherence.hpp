// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "simulator/machine.hpp"
#include "sync/virtual.hpp"

namespace steelyard::simulator {

/// The lines of a loop's state on a machine, and what accesses to them take: machine.md. Between `begin` and `end` it hears what
/// one member does, and adds up the time.
class coherence final : public sync::access_listener {
 public:
  /// The state lies at [memory, memory + bytes); whoever is on core 0 has written it.
  coherence(const machine& on, const void* memory, std::size_t bytes);

  void begin(std::uint32_t member, double clock) noexcept;
  /// When it is through.
  [[nodiscard]] double end() noexcept;

  /// Of the whole run.
  [[nodiscard]] std::uint64_t lines_moved() const noexcept { return lines_moved_; }
  /// Since `begin`: lines that were not there.
  [[nodiscard]] std::uint64_t moved_now() const noexcept { return moved_now_; }

  void read(const void* location) noexcept override;
  void write(const void* location) noexcept override;
  void update(const void* location) noexcept override;
  void will_write(const void* location) noexcept override;
  void settle() noexcept override { wait_for_reads(); }

 private:
  struct interval {
    double begins, ends;
  };
  struct line {
    std::uint32_t owner = 0;        ///< the core that wrote it last
    std::uint32_t last_reader = 0;  ///< another one that has read it since
    bool shared = false;            ///< there is one
    std::uint64_t version = 1;
    std::deque<interval> busy;        ///< one after the other: when it serves somebody, as far as that is not past
    std::vector<std::uint64_t> seen;  ///< by core: the version that it has read
  };

  [[nodiscard]] line& of(const void* location) noexcept;
  [[nodiscard]] bool has(const line& it) const noexcept;
  [[nodiscard]] double come(const line& it) const noexcept;
  void count_moved() noexcept;
  void own(line& it) noexcept;
  double reserve(line& it, double from, double time);
  void wait_for_a_read() noexcept;
  void wait_for_reads() noexcept;

  const machine& on_;
  std::uintptr_t memory_;
  std::vector<line> lines_;
  std::vector<double> reads_;  ///< that are under way: when they end
  std::uint32_t core_ = 0;
  double now_ = 0;
  double began_ = 0;  ///< the call; all that are to come begin no earlier
  std::uint64_t lines_moved_ = 0;
  std::uint64_t moved_now_ = 0;
};

}  // namespace steelyard::simulator
