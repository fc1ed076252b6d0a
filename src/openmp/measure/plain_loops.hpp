// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "sync/real.hpp"

/// Brief loops under `automatic` that it leaves in equal blocks. Opening an instance that all members share, and telling how long it took, may take longer
/// than the loop. Each member knows its own equal block, so seven of eight such loops do without (measuring.md).
namespace steelyard::openmp {

struct site;
struct region;

/// What plain loops of so many members are spared, in ticks; 0: none can be plain here. Of 2,000 that it took on two members to share an instance and to
/// tell, loops that are shared untold save the other half. For each member as much, up to what 16 were spared.
[[nodiscard]] std::uint64_t saved_by_plain_loops(std::uint32_t members) noexcept;

/// The trip counts, in granules, of the loops in a region that are so.
class plain_counts {
 public:
  static constexpr std::uint32_t most = 12;

  /// Whether loops of so many granules are taken to be like those of so many.
  [[nodiscard]] static constexpr bool are_alike(std::uint64_t known, std::uint64_t granules) noexcept {
    return (known > granules ? known - granules : granules - known) <= known / 4;
  }

  /// Whether one of them is like that.
  [[nodiscard]] bool has(std::uint64_t granules) const noexcept;
  /// At most `most` are added.
  void add(std::uint64_t granules) noexcept { counts_[count_++] = granules; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

 private:
  std::uint32_t count_ = 0;
  std::array<std::uint64_t, most> counts_{};
};

/// What was told of the loops in all regions forked at one site; never freed.
class plain_loops {
 public:
  /// One of so many regions has no plain loops, at random: what comes in turn is met there, too.
  static constexpr std::uint32_t one_of = 8;
  /// A loop that is not plain bars its trip count until so many have been told in a row that are. Twice as many each time that one was taken to be plain,
  /// up to `most_barred`; half as many when as many have been told since then that were plain.
  static constexpr std::uint32_t first_barred = 8;
  static constexpr std::uint32_t most_barred = 1U << 16;

  sync::real::atomic<std::uint32_t> in_use{};

  // By who holds in_use:
  void tell(std::uint64_t granules, bool is_plain) noexcept;
  void look_up(plain_counts& into) noexcept;

 private:
  struct known {
    std::uint64_t granules = 0;
    std::uint32_t wait = first_barred;  ///< so many have to be told yet; 0: it is plain
    std::uint32_t bar = first_barred;
    std::uint32_t kept = 0;  ///< were told to be plain since it is
  };
  void refuse(known& its) noexcept;

  std::uint64_t dice_ = 0;
  std::uint32_t count_ = 0;
  std::array<known, plain_counts::most> all_{};
};

/// Before a region is forked there: which of its loops run plainly.
void look_up_plain_loops(region& team, const site& at) noexcept;

/// By who gives back a told loop of so many granules: whether others like it may run plainly.
void note_plain_loop(const region& team, std::uint64_t granules, bool is_plain) noexcept;

}  // namespace steelyard::openmp
