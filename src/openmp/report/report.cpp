// SPDX-License-Identifier: Apache-2.0
// The report: one JSON object per process. Times are nanoseconds summed over the instances of a loop:
//   wall_ns  from the first member's start to the last member's finish
//   busy_ns  over members, from the member's own start to its finish
//   span_ns  members x wall; 1 - busy/span is the share of the team's time lost to imbalance
// and in measuring runs work_ns (sum of all chunks) and limit_low_ns, limit_high_ns (see limit.hpp). Those of a region:
//   wall_ns       from before the fork to behind the join
//   stretches     from one barrier to the next (team/stretches.md), and of those without a loop that is timed itself:
//   busy_ns       over members, from a barrier to the next
//   span_ns       members x the longest of them; 1 - busy/span is the imbalance
//   avoidable_ns  the longest less the mean: what perfect balance would save at best of the program's time
// Of both, own_ns: their part of the program's time. A moment is counted once: where members are in several loops it is
// the first one's, in a region it belongs to the loop or region inside, and the times of teams that run side by side
// inside the members of another are divided by their number.
#include "openmp/report/report.hpp"

#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include "openmp/gomp/names.hpp"
#include "openmp/host/clock.hpp"
#include "openmp/host/text.hpp"
#include "openmp/kmp/names.hpp"
#include "openmp/measure/best_schedule.hpp"
#include "openmp/measure/costs.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/program/site.hpp"
#include "openmp/report/outcome.hpp"
#include "openmp/report/unmet_rules.hpp"
#include "openmp/report/verdict.hpp"
#include "openmp/shares/region_shares.hpp"
#include "support/files.hpp"

namespace steelyard::openmp {
namespace {

constinit pid_t owner = 0;      // the process these statistics belong to
constinit bool forked = false;  // from a process with this library; it inherits the sites of its parent
constinit std::uint64_t process_began = 0;
constinit sync::real::atomic<bool> written{false};

const char* name_of(clause c) noexcept {
  constexpr const char* names[] = {"none",   "dynamic", "guided",   "runtime", "auto",  "trapezoidal",
                                   "static", "ordered", "doacross", "other",   "static"};
  return names[static_cast<std::size_t>(c)];
}

const char* name_of(fate f) noexcept {
  constexpr const char* names[] = {"none", "taken", "passed", "observed"};
  return names[static_cast<std::size_t>(f)];
}

void number(text& out, const char* key, std::uint64_t value) noexcept {
  out.add(",\"%s\":%llu", key, static_cast<unsigned long long>(value));
}

/// In `folder`, unless that is empty: the pattern with %p, %h and %% filled in; `.PID` behind one without %p.
void file_name(char* out, std::size_t size, const char* folder, const char* pattern) noexcept {
  char host[256] = "host";
  gethostname(host, sizeof host - 1);
  std::size_t used = 0;
  bool has_pid = false;
  const auto append = [&](const char* piece, std::size_t length) {
    for (std::size_t i = 0; i < length && used + 1 < size; ++i) out[used++] = piece[i];
  };
  if (*folder != '\0') {
    append(folder, std::strlen(folder));
    append("/", 1);
  }
  char pid[24];
  std::snprintf(pid, sizeof pid, "%ld", static_cast<long>(getpid()));
  for (; *pattern != '\0'; ++pattern) {
    if (pattern[0] == '%' && pattern[1] == 'p') {
      append(pid, std::strlen(pid));
      has_pid = true;
      ++pattern;
    } else if (pattern[0] == '%' && pattern[1] == 'h') {
      append(host, std::strlen(host));
      ++pattern;
    } else if (pattern[0] == '%' && pattern[1] == '%') {
      append(pattern, 1);
      ++pattern;
    } else {
      append(pattern, 1);
    }
  }
  if (!has_pid) {
    append(".", 1);
    append(pid, std::strlen(pid));
  }
  out[used] = '\0';
}

/// The modules known when the report began; numbered by their place.
class module_list {
 public:
  explicit module_list(const module* first) noexcept : first_(first) {}

  /// -1: the loader knows no module there.
  [[nodiscard]] int index(const module* wanted) const noexcept {
    int place = 0;
    for (const module* m = first_; m != nullptr; m = m->next, ++place) {
      if (m == wanted) return place;
    }
    return -1;
  }

  void write(text& out) const noexcept {
    for (const module* m = first_; m != nullptr; m = m->next) {
      out.put(m == first_ ? "{\"path\":" : ",{\"path\":").quoted(m->path).put("}");
    }
  }

 private:
  const module* first_;
};

void write_place(text& out, const site& at, const module_list& modules) noexcept {
  out.add("{\"module\":%d,\"offset\":\"0x%llx\",\"abi\":\"%s\",\"ident\":", modules.index(at.in),
          static_cast<unsigned long long>(at.offset), at.api->name);
  out.quoted(at.ident);
  const auto body = reinterpret_cast<std::uintptr_t>(at.body.get());
  if (body != 0 && at.in != nullptr) {
    out.add(",\"body\":\"0x%llx\"", static_cast<unsigned long long>(body - at.in->bias));
  }
}

/// How it runs where that was chosen, why, and after how many timed instances that was settled.
void write_choice(text& out, const site& at) noexcept {
  const char* way = nullptr;
  const char* reason = nullptr;
  std::uint64_t settled_after = 0;
  tell_shares(at, [&](const static_loops& loops) {
    if (loops.choice == nullptr && loops.is_too_short()) {
      way = "equal blocks";
      reason = static_loops::too_short;
    }
    if (loops.choice == nullptr || loops.keeps != nullptr) return;
    way = loops.choice->usual().name();
    reason = loops.choice->usual().reason();
    settled_after = loops.choice->settled_after();
  });
  best_told best;
  if (tell_best(at, best)) {
    way = best.schedule;
    reason = best.reason;
    settled_after = best.settled_after;
  }
  out.put(",\"way\":").quoted(way).put(",\"way_reason\":").quoted(reason);
  number(out, "settled_after", settled_after);
}

/// The blocks of the last team, as shares that a loops file may give.
void write_shares(text& out, const site& at) noexcept {
  out.put(",\"shares\":");
  bool told = false;
  tell_shares(at, [&](const static_loops& loops) {
    std::uint64_t room[learn::shares::most_members];
    const std::uint64_t* const ends = loops.blocks(room);
    if (ends == nullptr) return;
    out.put("\"");
    for (std::uint32_t m = 0; m < loops.members; ++m) {
      const std::uint64_t share = schedules::share_of_block(ends, loops.members, loops.iterations, m);
      out.add("%s%llu.%09llu", m != 0 ? "," : "", static_cast<unsigned long long>(share / 1000000000U),
              static_cast<unsigned long long>(share % 1000000000U));
    }
    out.put("\"");
    told = true;
  });
  if (!told) out.put("null");
}

void write_loop(text& out, const site& at, const module_list& modules) noexcept {
  write_place(out, at, modules);
  const outcome became = outcome_of(at);
  out.add(",\"clause\":\"%s\",\"decision\":\"%s\",\"reason\":", name_of(at.stated.get()), name_of(became.last));
  const auto* const schedule = became.last == fate::taken ? at.schedule.get() : nullptr;
  out.quoted(became.reason).put(",\"schedule\":").quoted(schedule != nullptr ? schedule->about.name : nullptr);
  out.put(",\"costs\":").quoted(origin_of_costs(at));
  write_shares(out, at);
  write_choice(out, at);
  number(out, "clause_chunk", at.stated_chunk.get());
  number(out, "chunk", at.chunk.get());
  number(out, "granule", at.granule.get());
  number(out, "members", at.members.read());
  number(out, "instances", at.instances.read());
  number(out, "iterations", at.iterations.read());
  number(out, "chunks", at.chunks.read());
  number(out, "steals", at.steals.read());
  number(out, "wall_ns", at.wall_ns.read());
  number(out, "busy_ns", at.busy_ns.read());
  number(out, "span_ns", at.span_ns.read());
  number(out, "own_ns", at.own_ns.read() > at.inner_ns.read() ? at.own_ns.read() - at.inner_ns.read() : 0);
  number(out, "work_ns", at.work_ns.read());
  number(out, "limit_low_ns", at.limit_low_ns.read());
  number(out, "limit_high_ns", at.limit_high_ns.read());
  out.put("}");
}

void write_region(text& out, const site& at, const module_list& modules) noexcept {
  write_place(out, at, modules);
  number(out, "instances", at.regions.read());
  number(out, "wall_ns", at.region_ns.read());
  number(out, "loops", at.region_loops.read());
  number(out, "members", at.members.read());
  number(out, "own_ns", at.region_own_ns.read());
  number(out, "stretches", at.stretches.read());
  number(out, "busy_ns", at.stretch_busy_ns.read());
  number(out, "span_ns", at.stretch_span_ns.read());
  number(out, "avoidable_ns", at.avoidable_ns.read());
  out.put("}");
}

template <class Write>
void write_list(text& out, const char* key, bool (site::*wanted)() const noexcept, Write write) noexcept {
  out.add(",\n\"%s\":[", key);
  bool comma = false;
  for (const site* s = first_site(); s != nullptr; s = s->next) {
    if (!(s->*wanted)()) continue;
    out.put(comma ? ",\n" : "\n");
    write(*s);
    comma = true;
  }
  out.put("]");
}

void write_runtimes(text& out) noexcept {
  out.put(",\"runtimes\":[");
  bool comma = false;
  for (const abi* api : {&gomp::api, &kmp::api}) {
    for (const runtime* r = first_runtime(*api); r != nullptr; r = r->next) {
      out.put(comma ? "," : "").quoted(r->path);
      comma = true;
    }
  }
  out.put("]");
}

void write_head(text& out) noexcept {
  char program[PATH_MAX] = "";
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length > 0 ? length : 0] = '\0';
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  std::uint64_t threads = 0;
  for (const site* s = first_site(); s != nullptr; s = s->next) threads = std::max(threads, s->members.read());
  const bool taking = config.all.schedule != nullptr || config.runtime.schedule != nullptr || config.rule_count != 0;
  const auto& chosen = config.all.schedule != nullptr ? config.all : config.runtime;
  out.add("{\"steelyard_report\":1,\"pid\":%ld,\"ppid\":%ld,\"host\":", static_cast<long>(getpid()),
          static_cast<long>(getppid()));
  out.quoted(host).put(",\"program\":").quoted(program);
  out.add(",\"mode\":\"%s\",\"schedule\":", config.measuring ? "limit" : taking ? "take" : "observe");
  out.quoted(chosen.schedule != nullptr ? chosen.schedule->about.name : nullptr);
  number(out, "chunk", chosen.chunk);
  number(out, "threads", threads);
  number(out, "process_ns", now() - process_began);
  out.put(",\"omp_schedule\":").quoted(config.omp_schedule);
  out.put(",\"warnings\":[");
  for (std::size_t i = 0; i < config.warning_count; ++i) out.put(i != 0 ? "," : "").quoted(config.warnings[i]);
  out.put("]");
  write_runtimes(out);
}

/// Returns why it could not be written (errno), or 0.
int write_all(int file) noexcept {
  text out(file);
  const module_list modules(first_module());
  write_head(out);
  out.put(",\n\"modules\":[");
  modules.write(out);
  out.put("]");
  write_list(out, "sites", &site::is_loop, [&](const site& at) { write_loop(out, at, modules); });
  write_list(out, "regions", &site::is_region, [&](const site& at) { write_region(out, at, modules); });
  out.put("}\n").flush();
  return out.error();
}

/// Whoever waits for the report sees it whole or not at all.
void write_file() noexcept {
  char name[PATH_MAX];
  char unfinished[PATH_MAX + 8];
  file_name(name, sizeof name, config.report_folder, config.report);
  std::snprintf(unfinished, sizeof unfinished, "%s.part", name);
  const int file = support::open_file(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) {
    say("report %s cannot be written (%s)", name, strerror(errno));
    return;
  }
  const int error = write_all(file);
  support::close_file(file);
  if (error == 0 && support::rename_file(unfinished, name) == 0) return;
  say("report %s cannot be written (%s)", name, strerror(error != 0 ? error : errno));
  support::remove_file(unfinished);
}

/// A child of fork that does nothing itself (a worker of Python's multiprocessing, say) has nothing to report.
bool has_something_to_say() noexcept {
  if (!forked) return true;
  for (const site* s = first_site(); s != nullptr; s = s->next) {
    if (s->is_loop() || s->is_region()) return true;
  }
  return false;
}

void in_child() noexcept {
  clear_statistics();
  forked = true;
  owner = getpid();
  written.store(false, sync::relaxed, sync::site{"N2"});
  process_began = now();
}

}  // namespace

void begin_report() noexcept {
  if ((!config.reporting && config.rule_count == 0) || owner != 0) return;
  owner = getpid();
  process_began = now();
}

/// A child reports what it did itself.
void expect_forks() noexcept {
  if (!config.reporting) return;
  if (getpid() != owner) in_child();  // forked before its parent used OpenMP
  pthread_atfork(nullptr, nullptr, in_child);
}

void write_report() noexcept {
  if (owner == 0 || getpid() != owner) return;  // nothing to report: not even a call of the system
  if (written.exchange(true, sync::relaxed, sync::site{"N2"}) || !has_something_to_say()) return;
  if (!forked) say_unmet_rules();  // a child does a part of its parent's loops
  if (config.report != nullptr && first_site() != nullptr) write_file();
  if (config.verbose) say_verdict();
}

}  // namespace steelyard::openmp
