// SPDX-License-Identifier: Apache-2.0
#include "measure/load.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <fmt/format.h>

namespace steelyard::tool {
namespace {

/// What /proc/stat counts in, in seconds: USER_HZ, on every Linux 100 in a second unless it says otherwise.
double step() {
  const long a_second = sysconf(_SC_CLK_TCK);
  return 1.0 / static_cast<double>(a_second > 0 ? a_second : 100);
}

std::string contents(const char* file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A core's line: `cpu7 user nice system idle iowait irq softirq steal …`; guests are in user and nice.
void add_core(const std::string& line, const cpu_set_t& allowed, machine_times& into) {
  std::istringstream words(line.substr(3));
  unsigned core = 0;
  double user = 0;
  double nice = 0;
  double system = 0;
  double idle = 0;
  double io = 0;
  double interrupts = 0;
  double soft = 0;
  double stolen = 0;
  if (!(words >> core >> user >> nice >> system >> idle >> io >> interrupts >> soft >> stolen)) return;
  if (core >= CPU_SETSIZE || CPU_ISSET(core, &allowed) == 0) return;
  ++into.cores;
  into.busy = into.busy.value_or(0) + (user + nice + system + interrupts + soft) * step();
  into.stolen = into.stolen.value_or(0) + stolen * step();
}

/// A difference of counters that move in steps: what the steps alone may make of it does not count.
double grown(const std::optional<double>& before, const std::optional<double>& after, double doubt) {
  if (!before || !after) return 0;
  return std::max(0.0, *after - *before - doubt);
}

}  // namespace

double lost_time::most() const { return std::max({stolen, others, waited}); }

machine_times parse_times(std::string_view stat, std::string_view pressure, const cpu_set_t& allowed) {
  machine_times found;
  std::istringstream lines{std::string(stat)};
  unsigned cores = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("cpu") || line.size() < 4 || line[3] == ' ') continue;
    ++cores;
    add_core(line, allowed, found);
  }
  // The whole machine's: it tells of this program only where that may use the whole machine.
  const auto at = pressure.find("total=");
  if (at != std::string_view::npos && pressure.starts_with("some") && cores != 0 && cores == found.cores) {
    double microseconds = 0;
    const auto digits = pressure.substr(at + 6);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), microseconds).ec == std::errc()) {
      found.stalled = microseconds * 1e-6;
    }
  }
  return found;
}

machine_times read_times() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {};
  return parse_times(contents("/proc/stat"), contents("/proc/pressure/cpu"), allowed);
}

std::optional<double> waited_by(pid_t ended) {
  std::istringstream words(contents(fmt::format("/proc/{}/schedstat", ended).c_str()));
  double run = 0;
  double waited = 0;
  if (!(words >> run >> waited) || !(run > 0)) return std::nullopt;
  return waited * 1e-9;
}

lost_time lost_in(const run_account& run, unsigned threads) {
  lost_time lost;
  if (!(run.wall > 0)) return lost;
  const double doubt = 3 * step();
  const double cores = run.after.cores;
  const double used = threads == 0 ? cores : std::min<double>(threads, cores);
  if (cores > 0) {
    lost.stolen = grown(run.before.stolen, run.after.stolen, doubt) / (run.wall * used);
    const double others = grown(run.before.busy, run.after.busy, doubt) - run.own;
    lost.others = std::max(0.0, others / run.wall - (cores - used)) / used;
  }
  if (cores > 0 && threads > cores) return lost;
  double waited = std::max(run.waited.value_or(0), grown(run.before.stalled, run.after.stalled, 0));
  // Longer than others computed, the program's threads waited for each other.
  if (cores > 0) waited = std::min(waited, std::max(0.0, grown(run.before.busy, run.after.busy, 0) - run.own + doubt));
  lost.waited = waited / run.wall;
  return lost;
}

}  // namespace steelyard::tool
