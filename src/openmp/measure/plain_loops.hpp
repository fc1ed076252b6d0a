// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "support/cache_line.hpp"
#include "sync/real.hpp"

/// Brief loops under `automatic` that it leaves in equal blocks. Opening an instance that all members share, and telling how long it took, may take longer
/// than the loop. Each member knows its own equal block, so most of these loops do without (measuring.md).
namespace steelyard::openmp {

struct site;
struct region;

/// What plain loops of so many members are spared, in ticks; 0: none can be plain here. Of 2,000 that it took on two members to share an instance and to
/// tell, loops that are shared untold save the other half. For each member as much, up to what 16 were spared.
[[nodiscard]] std::uint64_t saved_by_plain_loops(std::uint32_t members) noexcept;

/// Which loops are plain: bits for the trip counts of plain_loops.
struct plain_set {
  std::uint16_t all = 0;
  std::uint16_t tiny =
      0;  ///< of these, those that take less than early_choice::tiny, and are all alike as far as is known
};

/// What a member knows of that at some point of its region: the same as all other members there.
struct plain_now {
  plain_set which;
  std::uint64_t dice = 0;  ///< decides which of these loops are told all the same
};

/// A loop that was told.
struct told_loop {
  std::uint64_t granules = 0;
  bool is_plain = false;   ///< others like it may run plainly
  std::uint64_t took = 0;  ///< ticks
  bool is_known = false;   ///< an earlier process has found that: it is not waited for more of them
};

/// What was told of the loops in all regions forked at one site; never freed. `like` is for all members, whoever holds `in_use`.
class plain_loops {
 public:
  /// One of so many is told, at random: what comes in turn is met there, too. Telling takes longer than a tiny loop.
  static constexpr std::uint32_t one_of = 8;
  static constexpr std::uint32_t one_of_tiny = 64;
  static constexpr std::uint32_t tiny_from = 16;  ///< told in a row to be plain
  static constexpr std::uint32_t most = 12;  ///< trip counts, in granules, that are not alike; a bit each in plain_set
  /// A loop that is not plain bars its trip count until so many have been told in a row that are. Twice as many each time that one was taken to be plain,
  /// up to `most_barred`; half as many when as many have been told since then that were plain.
  static constexpr std::uint32_t first_barred = 8;
  static constexpr std::uint32_t most_barred = 1U << 16;

  sync::real::atomic<std::uint32_t> in_use{};

  /// Whether loops of so many granules are taken to be like those of so many.
  [[nodiscard]] static constexpr bool are_alike(std::uint64_t known, std::uint64_t granules) noexcept {
    return (known > granules ? known - granules : granules - known) <= known / 4;
  }

  /// The first of these that it is like, as a bit; 0: none.
  [[nodiscard]] std::uint32_t like(std::uint32_t which, std::uint64_t granules) const noexcept;

  // By who holds in_use:
  void tell(const told_loop& it) noexcept;
  [[nodiscard]] plain_set which() const noexcept;
  /// For a region.
  [[nodiscard]] std::uint64_t dice() noexcept;

 private:
  struct known {
    std::uint64_t granules = 0;         ///< does not change once `which` has named it
    std::uint32_t wait = first_barred;  ///< so many have to be told yet; 0: it is plain
    std::uint32_t bar = first_barred;
    std::uint32_t kept = 0;      ///< were told to be plain since it is
    std::uint32_t in_a_row = 0;  ///< were told to be plain since one was not
    bool is_tiny = false;        ///< the last one was
  };
  void refuse(known& its) noexcept;

  std::uint64_t dice_ = 0;
  std::uint32_t count_ = 0;
  alignas(support::line_size) std::array<known, most> all_{};
};

/// Which loops of regions forked there run plainly; `so_far` where another thread has what is known, or nothing is. Before a region is forked; later
/// by who opens a told loop of it, which hands that to all members.
[[nodiscard]] plain_now look_up_plain_loops(const site& at, const plain_now& so_far) noexcept;

/// By each member, for each loop of so many granules that `automatic` deals: whether this one runs plainly.
[[nodiscard]] bool is_plain_now(const region& team, plain_now& own, std::uint64_t granules) noexcept;

/// By who gives it back.
void note_plain_loop(const region& team, const told_loop& it) noexcept;

}  // namespace steelyard::openmp
