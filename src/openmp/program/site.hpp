// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "openmp/program/runtime.hpp"
#include "schedules/choice.hpp"
#include "sync/real.hpp"

namespace steelyard::remember {
class known_module;
}

namespace steelyard::openmp {

/// A counter that many threads add to; read for the report.
class statistic {
 public:
  void add(std::uint64_t amount) noexcept { value_.fetch_add(amount, sync::relaxed, sync::site{"N1"}); }
  void raise_to(std::uint64_t least) noexcept {
    std::uint64_t seen = read();
    while (seen < least && !value_.compare_exchange(seen, least, sync::relaxed, sync::relaxed, sync::site{"N1"})) {
    }
  }
  void clear() noexcept { value_.store(0, sync::relaxed, sync::site{"N1"}); }
  [[nodiscard]] std::uint64_t read() const noexcept { return value_.load(sync::relaxed, sync::site{"N1"}); }

 private:
  sync::real::atomic<std::uint64_t> value_{};
};

/// A fact for the report that whoever comes by writes; the last one wins.
template <class T>
class remark {
 public:
  void set(T value) noexcept {
    if (get() != value) value_.store(value, sync::relaxed, sync::site{"N1"});
  }
  [[nodiscard]] T get() const noexcept { return value_.load(sync::relaxed, sync::site{"N1"}); }

 private:
  sync::real::atomic<T> value_{};
};

/// A loaded object that calls OpenMP.
struct module {
  const char* path;
  std::uintptr_t bias;  ///< address in memory minus address in the file
  module* next;
  bool is_program;                              ///< not a library
  bool uses_thread_locals;                      ///< as far as that matters (thread_locals.hpp)
  sync::real::atomic<runtime*> native[3] = {};  ///< by abi::number: where its calls go; nullptr: not known yet
  sync::real::atomic<remember::known_module*>
      knowledge{};  ///< what earlier processes have learnt of it; nullptr: not asked
};

enum class clause : std::uint8_t {
  none,
  dynamic,
  guided,
  runtime,
  automatic,
  trapezoidal,
  fixed,
  ordered,
  doacross,
  other,
  unwritten  ///< none, and whoever runs its iterations is not noticed: a loop that the compile launcher has rewritten
};

/// What happened to the loop of a site the last time it started.
enum class fate : std::uint8_t { none, taken, passed, observed };

struct refinement;
struct site_costs;
class plain_loops;
struct site_best;
struct site_times;
class region_shares;

/// One call site of the program: where its calls go natively, what is to be done with its loop, what came of it.
/// Found by return address; never freed.
struct site {
  std::uintptr_t address = 0;  ///< the return address
  runtime* native = nullptr;   ///< where its calls go without us; never nullptr in a found site
  abi* api = nullptr;
  module* in = nullptr;
  std::uint64_t offset = 0;     ///< of the call in its module, as in the file: return address - bias - 1
  const char* ident = nullptr;  ///< Clang's source position, or nullptr
  site* next = nullptr;         ///< of all sites, newest first
  schedules::choice forced;     ///< by the loops file, else by STEELYARD_SCHEDULE
  bool by_rule = false;         ///< by the loops file
  bool is_of_runtime = false;   ///< the runtime calls itself there

  remark<clause> stated;
  remark<std::uint64_t> stated_chunk;
  remark<fate> last;
  remark<bool> is_over_members;  ///< what the compile launcher puts around a loop; it is no loop of the program
  remark<const char*> reason;
  remark<const schedules::operations*> schedule;
  remark<std::uint64_t> chunk;
  remark<std::uint64_t> granule;  ///< the written chunk that was kept; 0: none
  remark<const void*>
      body;  ///< of a region, while reporting or under `automatic`: the outlined function, whose first line is that of the directive
  remark<const void*> own_questions[2];  ///< of a loop that `steelyard cc` has made: where its function asks
  statistic instances, iterations, chunks, steals, members;
  statistic wall_ns, busy_ns, span_ns;             ///< see docs in report.cpp
  statistic work_ns, limit_low_ns, limit_high_ns;  ///< measuring runs
  statistic own_ns, inner_ns;                  ///< a loop's part of the program's time; part of it in regions inside
  statistic regions, region_ns, region_loops;  ///< of a parallel region's site
  statistic region_own_ns;                     ///< its part of the program's time, without loops and regions inside
  statistic stretches, stretch_busy_ns, stretch_span_ns, avoidable_ns;  ///< of a region, see team/stretches.md
  sync::real::atomic<refinement*> refine{};  ///< measuring runs: which ranges to look at more closely
  sync::real::atomic<site_costs*> costs{};   ///< of its iterations, where wsrw runs it (costs.hpp)
  sync::real::atomic<site_times*> times{};   ///< of its chunks, where a schedule goes by them (chunk_times.hpp)
  sync::real::atomic<site_best*> best{};     ///< which schedule is, where that is found by trial (best_schedule.hpp)
  sync::real::atomic<plain_loops*> plain{};  ///< of a region, which of its loops need not be told (plain_loops.hpp)
  sync::real::atomic<region_shares*>
      shares{};                 ///< of a region's static loops (region_shares.hpp); of a loop's, for the report
  remark<std::uint64_t> rate;   ///< what iterations of its loop take (measure/rates.hpp); 0: not known
  statistic rated;              ///< its instances that could have told that
  remark<std::uint64_t> dealt;  ///< iterations of the loop when shares were last looked up
  remark<std::uint64_t> measured_chunk;  ///< measuring runs: how many iterations are worth a clock reading

  // A loop that the process ended in has no finished instance, and is a loop all the same.
  [[nodiscard]] bool is_loop() const noexcept { return last.get() != fate::none && !is_over_members.get(); }
  [[nodiscard]] bool is_region() const noexcept { return regions.read() != 0; }
};

[[nodiscard]] inline bool uses_thread_locals(const site& at) noexcept {
  return at.in != nullptr && at.in->uses_thread_locals;
}

/// Slots in front of the list of all sites, by return address.
inline constexpr unsigned slot_bits = 14;
inline constexpr std::size_t slot_ways = 4;
extern constinit sync::real::atomic<site*> slots[std::size_t{1} << slot_bits];

/// Calls that lie near each other have slots near each other, so those of a small program are in few pages. Two calls have seldom the same: they are five
/// bytes apart at least.
inline std::size_t slot_of(std::uintptr_t address) noexcept { return address / 8 % (std::size_t{1} << slot_bits); }

/// Finds the record of a call site that is not in its first slot, or makes it.
site* find_site(std::uintptr_t address, abi& api, const char* ident) noexcept;

/// The record of the call that returns to `address`, where it is in its first slot; else nullptr.
[[gnu::always_inline]] inline site* site_in_slot(void* address) noexcept {
  const auto key = reinterpret_cast<std::uintptr_t>(address);
  site* const known = slots[slot_of(key)].load(sync::acquire, sync::site{"T1"});
  return __builtin_expect(known != nullptr && known->address == key, 1) ? known : nullptr;
}

/// The record of the call that returns to `address`. About eight instructions when the site is known.
inline site& site_of(void* address, abi& api, const char* ident = nullptr) noexcept {
  site* const known = site_in_slot(address);
  if (__builtin_expect(known != nullptr, 1)) return *known;
  return *find_site(reinterpret_cast<std::uintptr_t>(address), api, ident);
}

// What a new site asks of those who use it.

/// The runtime of the region that the calling thread is in; nullptr: it is in none that we know (team/team.cpp).
[[nodiscard]] runtime* innermost_runtime() noexcept;
/// Called before the first site is made, when libc is ready: asks to be told of forks (report/report.cpp).
void expect_forks() noexcept;

/// All sites, newest first.
[[nodiscard]] site* first_site() noexcept;

/// All modules of sites, newest first.
[[nodiscard]] const module* first_module() noexcept;

/// Forgets which addresses belong to which site: an object was unloaded and another may come to lie there. The records
/// stay, and are found again by module and offset.
void forget_addresses() noexcept;

/// In the child of a fork: it reports only what it did itself.
void clear_statistics() noexcept;

}  // namespace steelyard::openmp
