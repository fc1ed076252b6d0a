// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "remember/folder.hpp"
#include "schedules/choice.hpp"

namespace steelyard::openmp {

/// One line of a loops file: this site runs by that schedule.
struct loop_rule {
  const char* place = nullptr;  ///< module (`app`, `/abs/libx.so`) or source file (`app.c`), NUL-terminated
  std::uint64_t offset = 0;     ///< of a module; 0: `place` is a source file
  std::uint32_t line = 0;       ///< of a source file
  bool may_be_absent = false;   ///< no loop need run there
  schedules::choice choice;
};

/// What the environment asks of the drop-in, read once when the library is loaded. Every error gives one line on
/// stderr and leaves the program as it was.
struct settings {
  bool active = false;                             ///< anything at all to do; otherwise every call is forwarded at once
  bool reporting = false;                          ///< STEELYARD_REPORT, or STEELYARD_VERBOSE, or measuring
  bool measuring = false;                          ///< STEELYARD_LIMIT=1: time chunks, estimate the limit
  bool verbose = false;                            ///< STEELYARD_VERBOSE=1: a line for each loop at exit
  const schedules::operations* dynamic = nullptr;  ///< that schedule, and the next; known where loops get shares
  const schedules::operations* guided = nullptr;
  const schedules::operations* equal_blocks = nullptr;  ///< `static`
  bool split_chunks = false;  ///< STEELYARD_SPLIT_CHUNKS=1: pieces may split the chunks that the program has written
  bool shares = false;        ///< loops get learnt or given shares: nustatic or its like is asked for
  bool static_loops = false;  ///< static ones too: STEELYARD_STATIC is not 0
  bool only_alone = false;    ///< of these only those that are alone in their region: under `automatic`, unless it is 1
  bool shares_are_given = false;  ///< for all loops, or for one
  bool at_barriers = false;       ///< and may change at barriers: for all loops, or for one
  bool by_instructions = false;   ///< STEELYARD_LEARN_BY=instructions: these measure blocks, not time
  bool spares = true;             ///< rewritten loops state costs only where that pays; else always
  bool free_reductions = false;   ///< STEELYARD_FREE_REDUCTIONS=1: also those whose results a reduction adds up
  bool is_read = false;           ///< `active` and `reporting` do not change any more
  bool watching = false;          ///< `reporting` or `shares`: calls that only tell where a member is are looked at
  bool old_names = false;         ///< STEELYARD_OLD_NAMES=1: objects of GCC <= 8, whose plain names promise no order
  schedules::choice all;          ///< STEELYARD_SCHEDULE: every loop that can be taken
  schedules::choice runtime;      ///< OMP_SCHEDULE with a name of ours: schedule(runtime) loops
  loop_rule* rules = nullptr;     ///< STEELYARD_LOOPS
  std::size_t rule_count = 0;
  bool has_plug_ins = false;      ///< which are loaded later (plug_ins.hpp)
  const char* report = nullptr;   ///< pattern of the report's file name
  char report_folder[4096] = {};  ///< where a relative pattern starts: the program may change its directory
  char report_text[4096] = {};
  remember::folder knowledge;          ///< STEELYARD_KNOWLEDGE: of what is learnt
  const char* omp_schedule = nullptr;  ///< as the user gave it
  char omp_schedule_text[256] = {};
  schedules::choice openmp;    ///< a schedule of OpenMP's own in OMP_SCHEDULE, as our row of that name
  std::uint64_t stand_in = 0;  ///< `dynamic,stand_in` took the place of our name in OMP_SCHEDULE; 0: nothing did
  using warning = char[256];
  warning warnings[12] = {};  ///< the lines said on stderr, for the report: at most one a variable, and one at the end
  std::size_t warning_count = 0;

  /// Room for the next warning.
  warning& new_warning() noexcept {
    if (warning_count < sizeof warnings / sizeof warnings[0]) ++warning_count;
    return warnings[warning_count - 1];
  }
};

extern constinit settings config;

/// Whether loops that it runs get contiguous shares, learnt or given.
[[nodiscard]] inline bool is_nustatic(const schedules::operations* schedule) noexcept {
  using schedules::learning;
  const auto learns = schedule != nullptr ? schedule->about.learns : learning::nothing;
  return learns != learning::nothing && learns != learning::schedule;
}

/// Whether, beside, it is chosen how they run.
[[nodiscard]] inline bool chooses(const schedules::operations* schedule) noexcept {
  return schedule != nullptr && schedule->about.learns == schedules::learning::ways;
}

/// Whether the schedule of each site's loops is found by trial.
[[nodiscard]] inline bool chooses_schedule(const schedules::operations* schedule) noexcept {
  return schedule != nullptr && schedule->about.learns == schedules::learning::schedule;
}

/// Whether static loops get shares by that choice. `automatic` has no other schedule for them, and others for all other loops.
[[nodiscard]] inline bool tells_shares(const schedules::choice& by) noexcept {
  return is_nustatic(by.schedule) || (chooses_schedule(by.schedule) && by.chunk == 0 && by.among.has_shares());
}

/// Reads the environment (that of the constructor: libc may not have adopted it yet). An OMP_SCHEDULE of ours is
/// replaced in `environment` by its nearest standard value when an OpenMP runtime is among the libraries loaded at
/// start, so that it does not complain and omp_get_schedule() stays meaningful.
void read_settings(char** environment) noexcept;

}  // namespace steelyard::openmp
