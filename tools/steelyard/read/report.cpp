// SPDX-License-Identifier: Apache-2.0
#include "read/report.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace steelyard::tool {
namespace {

using nlohmann::json;

/// A key that may be absent or null.
template <class T>
T get(const json& object, const char* key, T otherwise = {}) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? otherwise : found->get<T>();
}

std::uint64_t parse_offset(const json& written) {
  const auto text = written.get<std::string>();
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  if (!text.starts_with("0x") || std::from_chars(text.data() + 2, end, value, 16).ptr != end) {
    throw report_error(fmt::format("offset '{}' is not hexadecimal", text));
  }
  return value;
}

/// Fills the key and path of a site or region from the module table.
template <class Place>
void parse_place(const json& object, const std::vector<std::string>& modules, Place& place) {
  const auto module = object.at("module").get<std::int64_t>();  // -1: the loader knows no module there
  if (module >= static_cast<std::int64_t>(modules.size())) {
    throw report_error(fmt::format("module {} is not in the table", module));
  }
  place.module_path = module < 0 ? "unknown" : modules[static_cast<std::size_t>(module)];
  if (const auto body = object.find("body"); body != object.end() && !body->is_null()) place.body = parse_offset(*body);
  place.key = {std::filesystem::path(place.module_path).filename().native(), parse_offset(object.at("offset"))};
}

loop_times parse_times(const json& object) {
  loop_times times;
  times.processes = 1;
  times.instances = get<std::uint64_t>(object, "instances");
  times.iterations = get<std::uint64_t>(object, "iterations");
  times.chunks = get<std::uint64_t>(object, "chunks");
  times.steals = get<std::uint64_t>(object, "steals");
  times.members = get<std::uint64_t>(object, "members");
  times.wall = get<double>(object, "wall_ns");
  times.busy = get<double>(object, "busy_ns");
  times.span = get<double>(object, "span_ns");
  times.own = get<double>(object, "own_ns");
  times.work = get<double>(object, "work_ns");
  times.limit_low = get<double>(object, "limit_low_ns");
  times.limit_high = get<double>(object, "limit_high_ns");
  return times;
}

site_report parse_site(const json& object, const std::vector<std::string>& modules) {
  site_report site;
  parse_place(object, modules, site);
  site.abi = get<std::string>(object, "abi");
  site.clause = get<std::string>(object, "clause");
  const auto chunk = get<std::int64_t>(object, "clause_chunk");
  site.clause_chunk = chunk > 0 ? static_cast<std::uint64_t>(chunk) : 0;
  site.granule = get<std::uint64_t>(object, "granule");
  site.ident = get<std::string>(object, "ident");
  site.decision = get<std::string>(object, "decision");
  site.reason = get<std::string>(object, "reason");
  site.schedule = get<std::string>(object, "schedule");
  site.times = parse_times(object);
  if (site.decision == "passed") site.times.passed = site.reason.empty() ? "passed" : site.reason;
  return site;
}

region_report parse_region(const json& object, const std::vector<std::string>& modules) {
  region_report region;
  parse_place(object, modules, region);
  region.ident = get<std::string>(object, "ident");
  region.abi = get<std::string>(object, "abi");
  region.times.instances = get<std::uint64_t>(object, "instances");
  region.times.loops = get<std::uint64_t>(object, "loops");
  region.times.wall = get<double>(object, "wall_ns");
  region.times.own = get<double>(object, "own_ns");
  region.times.busy = get<double>(object, "busy_ns");
  region.times.span = get<double>(object, "span_ns");
  region.times.avoidable = get<double>(object, "avoidable_ns");
  return region;
}

process_report parse(const json& object) {
  if (get<int>(object, "steelyard_report") != 1) throw report_error("not a report of this version");
  process_report report;
  report.pid = get<long>(object, "pid");
  report.host = get<std::string>(object, "host");
  report.program = get<std::string>(object, "program");
  report.mode = get<std::string>(object, "mode");
  report.threads = get<std::uint64_t>(object, "threads");
  report.runtimes = get<std::vector<std::string>>(object, "runtimes");
  report.process_time = get<double>(object, "process_ns");
  if (object.contains("omp_schedule") && !object["omp_schedule"].is_null()) {
    report.omp_schedule = object["omp_schedule"].get<std::string>();
  }
  report.warnings = get<std::vector<std::string>>(object, "warnings");
  std::vector<std::string> modules;
  for (const auto& module : get<json>(object, "modules", json::array())) modules.push_back(module.at("path"));
  for (const auto& site : get<json>(object, "sites", json::array())) report.sites.push_back(parse_site(site, modules));
  for (const auto& region : get<json>(object, "regions", json::array())) {
    report.regions.push_back(parse_region(region, modules));
  }
  return report;
}

}  // namespace

std::string site_key::text() const { return fmt::format("{}+{:#x}", module, offset); }

void loop_times::add(const loop_times& other) {
  processes += other.processes;
  instances += other.instances;
  iterations += other.iterations;
  chunks += other.chunks;
  steals += other.steals;
  members = std::max(members, other.members);
  wall += other.wall;
  busy += other.busy;
  span += other.span;
  own += other.own;
  work += other.work;
  limit_low += other.limit_low;
  limit_high += other.limit_high;
  if (!other.passed.empty()) passed = other.passed;
}

void region_times::add(const region_times& other) {
  instances += other.instances;
  loops += other.loops;
  wall += other.wall;
  own += other.own;
  busy += other.busy;
  span += other.span;
  avoidable += other.avoidable;
}

process_report parse_report(const std::string& text) {
  try {
    return parse(json::parse(text));
  } catch (const json::exception& error) {
    throw report_error(error.what());
  }
}

std::vector<process_report> read_reports(const std::filesystem::path& folder, std::vector<std::string>& unreadable) {
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<process_report> reports;
  for (const auto& file : files) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    try {
      reports.push_back(parse_report(text.str()));
    } catch (const report_error& error) {
      unreadable.push_back(fmt::format("{}: {}", file.filename().native(), error.what()));
    }
  }
  return reports;
}

}  // namespace steelyard::tool
