// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "openmp/measure/plain_loops.hpp"
#include "openmp/program/site.hpp"
#include "openmp/shares/arrivals.hpp"
#include "openmp/team/stretches.hpp"
#include "schedules/contract.hpp"
#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/chain.hpp"
#include "sync/real.hpp"

namespace steelyard::openmp {

/// A loop as the program states it: user index = start + i * increment (modulo 2^64) for i in 0 … iterations-1.
struct bounds {
  std::uint64_t start = 0;
  std::uint64_t increment = 0;
  std::uint64_t end = 0;  ///< as given; libgomp's ABI wants it back with the last chunk
  std::uint64_t iterations = 0;
  bool last_alone = false;  ///< the final iteration must be a chunk of its own (see gomp::unsigned_bounds)
};

struct told_best;

/// When a member of a loop that is told was handed nothing more, in ticks; 0: not, so far, or never, as it has cancelled the loop. Each has a line of
/// its own, for they all come there at about the same time.
struct alignas(support::line_size) last_call {
  sync::real::atomic<std::uint64_t> at{};
};

/// The shared state of one execution of one loop by one team. Followed by the schedule's own state.
struct alignas(support::line_size) instance : sync::chain_link<sync::real, instance> {
  site* at = nullptr;
  const schedules::operations* schedule = nullptr;  ///< nullptr: the program's runtime schedules it, we observe
  std::size_t bytes = 0;                            ///< of this block, for the slab
  std::uint32_t members = 0;
  std::uint32_t takers = 0;  ///< the first so many members get iterations
  bool holds_last = false;   ///< the schedule deals all granules but the last (see hand_out)
  std::uint64_t iterations = 0;
  std::uint64_t granule = 1;  ///< the schedule deals pieces of so many iterations
  sync::real::atomic<std::uint32_t> last_claimed{};
  statistic first_start, last_finish, busy, chunks, steals;  // written only when reporting
  std::uint64_t began_ticks = 0;  ///< when it was opened, where somebody is told, or its schedule asks for costs
  plain_set plain;                ///< what is plain behind it
  told_best* told = nullptr;      ///< who is told how long it takes (measure/best_schedule.hpp); nullptr: nobody
  last_call* last_calls =
      nullptr;  ///< what the members say at its end then, or where it is timed (measure/rates.hpp), one for each

  void* state() noexcept { return this + 1; }
};

using instances = sync::chain<sync::real, instance>;

struct implicit_task;
struct dealt;
class region_shares;
namespace compiled {
struct statement;
}

/// What the report tells of a region.
struct region_figures {
  statistic opened;  ///< loop instances
  std::uint64_t began = 0;
  implicit_task* outer = nullptr;  ///< of the thread that forks it
  std::uint64_t divisor = 1;       ///< how many teams like this one run side by side: the members of those around it
  std::uint64_t covered = 0;  ///< time in which some member was in a loop, as far as those loops are given back …
  std::uint64_t covered_until = 0;  ///< … and until when [C4]
  statistic elsewhere;              ///< time in loops of teams of one, and in regions inside that are in no loop
  stretches<sync::real> busy;
};

/// One parallel region; lives on the stack of the thread that forks it. A member begins with what stands in its first 40 bytes: behind what the ABI
/// passes on they share its line, and come to another core in one.
struct region {
  site* at = nullptr;
  region_shares* shares =
      nullptr;      ///< what is known of its static loops (shares/static_loop.hpp); nullptr: they keep their blocks
  plain_now plain;  ///< loops that `automatic` leaves in equal blocks, untold, when it begins
  int level = 0;    ///< nesting level of its members, as the runtime counts
  // Of its static loops:
  bool entered = false;      ///< what is known does not change before the join
  bool timed = false;        ///< their blocks are
  bool reads = false;        ///< members read what is known of them: none has to deal
  bool at_barriers = false;  ///< they may change there (shares/at_barriers.hpp) …
  instances loops;
  site_costs* costs = nullptr;                            ///< declared for the loop in it, or nullptr
  sync::real::atomic<compiled::statement*> statements{};  ///< of its rewritten loops' costs
  // Of its static loops:
  sync::real::atomic<dealt*> dealt_loops{};  ///< what is done with those of each trip count
  region_shares* looked_at = nullptr;        ///< it is told how long the region takes
  arrivals<sync::real> came;                 ///< … by who is the last to come …
  std::uint64_t owed = 0;                    ///< … and are timed again when the region has run for so many ticks more
  std::uint64_t last_barrier = 0;            ///< when it was complete, where something is owed
  std::uint32_t timings = 0;                 ///< how often they were
  bool one_more = false;                     ///< and not before one barrier more
  // Whether regions like it have to be seen (passing.md):
  remark<bool> served;                 ///< a loop of it was ours: noted by the first member, which comes to all of them
  statistic inner;                     ///< so many regions a member has forked that were seen: the most of all members
  const void* body = nullptr;          ///< its outlined function, where that may turn out …
  std::uint64_t began = 0;             ///< … and when it began, in ticks; also where it is timed or looked at
  std::optional<region_figures> told;  ///< while reporting

  [[nodiscard]] region_figures& figures() noexcept {
    STEELYARD_ASSERT(told.has_value(), "team.hpp: a region that is reported has figures");
    return *told;  // NOLINT(bugprone-unchecked-optional-access): the assertion above
  }
};

/// How the loop that a member is in gets its iterations.
enum class source : std::uint8_t {
  none,      ///< in no loop, or in one we do not look at
  ours,      ///< from our schedule
  observed,  ///< from the program's runtime, while we count and time
};

/// A member's private part of the loop it is in. What follows `retired` is not set before it is in one: members come and go more
/// often than loops that need it.
struct running {
  source from = source::none;
  bool retired = false;  ///< gets nothing any more
  const schedules::operations* schedule;
  void* state;
  instance* shared;  ///< nullptr: team of one
  site* at;
  bounds loop;
  std::uint64_t granule;    ///< iterations in what the schedule deals; 0: one, and its steps go out as they are
  schedules::step pending;  ///< taken from the schedule, not yet handed to the program; of granules
  std::uint64_t chunks;
  std::uint64_t began;
};

/// One member's part in a region, as OpenMP calls it; on that member's stack, linked from its thread. The outermost of a thread
/// stands for code outside any region we saw begin.
struct implicit_task {
  implicit_task* outer = nullptr;
  region* team = nullptr;
  runtime* native = nullptr;
  running* outer_taken = nullptr;
  std::uint32_t number = 0;   ///< of this member
  std::uint32_t members = 0;  ///< 0: not asked yet
  int level = 0;              ///< nesting level of the region, as the runtime counts
  bool skip_deinit = false;   ///< libomp: the last loop was ours, so it never saw a dispatch to undo
  bool doacross = false;      ///< libomp: the next dispatch belongs to a doacross loop
  bool hiding = false;        ///< a loop of an unseen team began, and this thread was not seen to be back (see hide)
  bool waiting = false;       ///< in a call that holds a barrier (see waits.hpp)
  bool entered = false;       ///< what is known does not change before the join
  bool timed = false;         ///< was in a loop that is timed since its last barrier
  std::uint32_t inner = 0;    ///< regions that it has forked, as far as they were seen
  std::uint32_t stretch = 0;  ///< how many it has ended
  std::uint64_t stretch_began = 0;
  std::uint64_t paused = 0;  ///< what it waited since then
  // Of static loops whose blocks are dealt or timed:
  const void* questions[2] = {};  ///< who has asked for a thread number, unless that is explained
  bool asked = false;             ///< for numbers of all teams around it, which is noted
  bool reduced = false;           ///< what the member did last was a reduction
  std::uint64_t met = 0;          ///< trip counts of which it has read what is known, and …
  std::uint64_t kept = 0;         ///< … those that keep equal blocks in this region (known_loops::bit_of)
  std::uint64_t barriers = 0;     ///< that it has come to
  dealt* last_dealt = nullptr;    ///< the last of them
  dealt* in_dealt = nullptr;      ///< the one it is in, timed since …
  std::uint64_t block_began = 0;  ///< … this moment, in ticks
  plain_now plain;
  instances::cursor at = nullptr;
  instance* spare = nullptr;  ///< prepared for a loop that another member opened first
  running loop;
};

struct this_thread {
  implicit_task* top = nullptr;  ///< that of the innermost region; nullptr until the first call that needs one
  running* taken = nullptr;      ///< the loop of ours this thread is in; the fast path of `next`
  site_costs* costs = nullptr;   ///< declared for the next loop
  void* caller = nullptr;        ///< return address of the call being served (see forward.hpp)
  bool deals = false;            ///< blocks of static loops may be dealt in the innermost region
  bool learns = false;           ///< something is known of loops in it, or learnt
  bool forks = false;            ///< in its runtime's fork of a region, outside of the program (kmp/fork.cpp)
  const void* passed = nullptr;  ///< the body of the last region that it has forked unseen (passing.md) …
  std::uint32_t passes = 0;      ///< … and how many more it may without asking
};

// A preloaded library has its thread-local block in the static area: one mov to reach it.
extern constinit thread_local this_thread self [[gnu::tls_model("initial-exec")]];

/// The innermost one of this thread; makes the outermost one.
implicit_task& current_implicit_task() noexcept;

/// Enters a region on this thread. `native` must be a runtime.
void push(implicit_task& entered, region* team, runtime* native) noexcept;

/// Leaves it again and gives back the member's spare.
void pop(implicit_task& left) noexcept;

/// Asks the runtime for member number and team size, once per implicit task.
void learn_team(implicit_task& of) noexcept;

}  // namespace steelyard::openmp
