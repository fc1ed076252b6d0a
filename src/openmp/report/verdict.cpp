// SPDX-License-Identifier: Apache-2.0
#include "openmp/report/verdict.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "openmp/host/text.hpp"
#include "openmp/measure/best_schedule.hpp"
#include "openmp/measure/costs.hpp"
#include "openmp/program/site.hpp"
#include "openmp/report/outcome.hpp"
#include "openmp/shares/region_shares.hpp"
#include "schedules/granule.hpp"

namespace steelyard::openmp {
namespace {

const char* plural(std::uint64_t count) noexcept { return count == 1 ? "" : "s"; }

constexpr std::size_t most_loops = 20;
constexpr std::uint32_t most_shares = 8;

unsigned long long shown(std::uint64_t number) noexcept { return number; }

/// As a loops file names it.
void add_place(text& out, const site& at) noexcept {
  const char* const path = at.in != nullptr ? at.in->path : "unknown";
  const char* const slash = std::strrchr(path, '/');
  out.put("steelyard:   ").plain(slash != nullptr ? slash + 1 : path).add("+0x%llx ", shown(at.offset));
}

/// `steal`, `steal,64`, or `steal,128 (100 rounded up) in whole chunks of 64`.
void add_schedule(text& out, const site& at) noexcept {
  const std::uint64_t granule = at.granule.get();
  const std::uint64_t chunk = at.chunk.get();
  const std::uint64_t rounded = granule > 1 ? schedules::granules(chunk, granule) * granule : chunk;
  out.put(at.schedule.get()->about.name);
  if (chunk != 0) out.add(",%llu", shown(rounded));
  if (chunk != rounded) out.add(" (%llu rounded up)", shown(chunk));
  if (granule > 1) out.add(" in whole chunks of %llu", shown(granule));
}

/// What was chosen, and why: `one member: too short to share`. False: shares, of which more is to be said.
bool add_choice(text& out, const site& at, const static_loops& loops) noexcept {
  if (loops.choice == nullptr || loops.keeps != nullptr) return false;
  if (!loops.choice->is_settled()) out.put(", still trying");
  const chosen& how = loops.choice->usual();
  if (how.number == learn::ways::shares) return false;
  out.add(", %s", how.name());
  if (how.is_handed_out()) {
    const std::uint64_t granule = std::max<std::uint64_t>(at.granule.get(), 1);
    out.add(",%llu", shown(at.chunk.get() != 0 ? at.chunk.get() : how.way.chunk * granule));
  }
  out.add(": %s", how.reason());
  return true;
}

/// The blocks of the last team, in percent; of a large team those of the first members.
void add_shares(text& out, const site& at) noexcept {
  tell_shares(at, [&](const static_loops& loops) {
    if (add_choice(out, at, loops)) return;
    if (loops.known != nullptr && loops.known->has_given_up())
      return static_cast<void>(out.put(", equal blocks, as no shares did better"));
    std::uint64_t room[learn::shares::most_members];
    const std::uint64_t* const ends = loops.blocks(room);
    if (ends == nullptr) {
      out.put(", equal blocks");
      if (loops.is_too_short()) out.add(": %s", static_loops::too_short);
      return;
    }
    out.put(loops.choice != nullptr ? ", learnt shares" : ", shares");
    for (std::uint32_t m = 0; m < std::min(loops.members, most_shares); ++m) {
      const std::uint64_t share = schedules::share_of_block(ends, loops.members, loops.iterations, m);
      const std::uint64_t tenths = (share + 50'000'000) / 100'000'000;
      out.add(" %llu.%llu", shown(tenths / 10), shown(tenths % 10));
    }
    if (loops.members > most_shares) out.put(" …");
    out.put(" %");
  });
}

/// Under `automatic`: what was found, and why.
void add_best(text& out, const site& at) noexcept {
  best_told best;
  if (!tell_best(at, best)) return;
  if (!best.is_settled) out.put(", still trying");
  if (best.is_learnt) out.put(", as an earlier run has found");
  out.add(", %s: %s", best.schedule, best.reason);
}

void add_loop(text& out, const site& at) noexcept {
  add_place(out, at);
  const outcome became = outcome_of(at);
  if (became.last == fate::taken && at.schedule.get() != nullptr) {
    out.put("taken by ");
    add_schedule(out, at);
    const std::uint64_t instances = at.instances.read();
    out.add(", %llu instance%s", shown(instances), plural(instances));
    add_shares(out, at);
    add_best(out, at);
    if (const char* const origin = origin_of_costs(at); origin != nullptr) out.add(", by costs that were %s", origin);
    out.put("\n");
  } else if (became.last == fate::passed) {
    out.add("passed: %s\n", became.reason);
  } else {
    out.put("left as written\n");
  }
}

struct totals {
  std::size_t taken = 0;
  std::size_t other = 0;
  std::size_t regions = 0;
  std::uint64_t instances = 0;
};

totals count() noexcept {
  totals all;
  for (const site* s = first_site(); s != nullptr; s = s->next) {
    if (s->is_region()) ++all.regions;
    if (!s->is_loop()) continue;
    if (outcome_of(*s).last == fate::taken) {
      ++all.taken;
      all.instances += s->instances.read();
    } else {
      ++all.other;
    }
  }
  return all;
}

void add_loops(text& out) noexcept {
  std::size_t loops = 0;
  for (const site* s = first_site(); s != nullptr; s = s->next) {
    if (s->is_loop() && ++loops <= most_loops) add_loop(out, *s);
  }
  if (loops > most_loops) out.add("steelyard:   and %zu more; STEELYARD_REPORT holds them all\n", loops - most_loops);
}

}  // namespace

void say_verdict() noexcept {
  text out(STDERR_FILENO);  // in one piece, so that the lines of several processes do not mix
  out.put("steelyard: ");
  if (first_site() == nullptr) {
    out.put("inactive in ").plain(program_invocation_short_name);
    out.add(" (%ld): it called no OpenMP runtime that can be reached\n", static_cast<long>(getpid()));
    return;
  }
  const totals all = count();
  out.plain(program_invocation_short_name);
  out.add(" (%ld): %zu loop site%s taken (%llu instance%s), %zu left as written\n", static_cast<long>(getpid()),
          all.taken, plural(all.taken), shown(all.instances), plural(all.instances), all.other);
  add_loops(out);
  if (all.taken + all.other == 0 && all.regions != 0) {
    out.put(
        "steelyard:   no parallel region of it has a loop that can be taken: compilers write plain static loops out; "
        "write schedule(runtime) in the source, or compile by steelyard cc\n");
  }
}

}  // namespace steelyard::openmp
