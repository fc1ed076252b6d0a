// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "failure.hpp"
#include "sync/calibrate.hpp"
#include "table.hpp"
#include "topology/allowed.hpp"
#include "units.hpp"

namespace steelyard::tool {
namespace {

using json = nlohmann::ordered_json;

constexpr std::array environment = {"OMP_NUM_THREADS",    "OMP_SCHEDULE",    "OMP_PROC_BIND",    "OMP_PLACES",
                                    "OMP_WAIT_POLICY",    "OMP_DYNAMIC",     "OMP_CANCELLATION", "GOMP_SPINCOUNT",
                                    "GOMP_CPU_AFFINITY",  "KMP_BLOCKTIME",   "KMP_AFFINITY",     "LD_PRELOAD",
                                    "STEELYARD_SCHEDULE", "STEELYARD_LOOPS", "STEELYARD_REPORT", "STEELYARD_VERBOSE",
                                    "STEELYARD_LIBRARY"};

json topology_as_json(const topology::cores& found) {
  json quota = nullptr;
  if (found.quota) quota = *found.quota;
  return {{"online", found.online},
          {"affinity", found.affinity},
          {"cgroup_quota", quota},
          {"effective", found.effective()}};
}

/// Variables of OpenMP and of ours that are set.
json environment_as_json() {
  json found = json::object();
  for (const auto* name : environment) {
    if (const char* value = std::getenv(name)) found[name] = value;
  }
  return found;
}

/// Number of memory nodes the system shows; 1 when it does not tell.
unsigned memory_nodes() {
  unsigned nodes = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/devices/system/node", ignored)) {
    const auto name = entry.path().filename().string();
    nodes += name.starts_with("node") && name.find_first_not_of("0123456789", 4) == std::string::npos ? 1 : 0;
  }
  return nodes == 0 ? 1 : nodes;
}

json caches_as_json() {
  json found = json::object();
  const auto add = [&](const char* name, int key) {
    const long bytes = sysconf(key);
    if (bytes > 0) found[name] = bytes;
  };
  add("line", _SC_LEVEL1_DCACHE_LINESIZE);
  add("l1d", _SC_LEVEL1_DCACHE_SIZE);
  add("l2", _SC_LEVEL2_CACHE_SIZE);
  add("l3", _SC_LEVEL3_CACHE_SIZE);
  return found;
}

json costs_as_json() {
  json rows = json::array();
  for (const auto& row : sync::calibrate()) {
    json one = {{"name", row.name}, {"meaning", row.meaning}};
    if (row.took) {
      one["median_ns"] = row.took->median_ns;
      one["p90_ns"] = row.took->p90_ns;
    } else {
      one["missing"] = row.missing;
    }
    rows.push_back(one);
  }
  return rows;
}

std::string size_text(long bytes) {
  if (bytes >= 1024 * 1024) return fmt::format("{:.4g} MiB", static_cast<double>(bytes) / (1024.0 * 1024.0));
  if (bytes >= 1024) return fmt::format("{:.4g} KiB", static_cast<double>(bytes) / 1024.0);
  return fmt::format("{} B", bytes);
}

void print_machine(const json& info) {
  const auto& cores = info["cores"];
  const auto quota = cores["cgroup_quota"].is_null() ? std::string("unlimited")
                                                     : fmt::format("{:.4g} cores", cores["cgroup_quota"].get<double>());
  fmt::print("cores: {} online, {} in this process's mask, cgroup quota {}; effective {}\n",
             cores["online"].get<unsigned>(), cores["affinity"].get<unsigned>(), quota,
             cores["effective"].get<unsigned>());
  std::string caches;
  for (const auto& [name, bytes] : info["caches"].items()) {
    caches += fmt::format("{}{} {}", caches.empty() ? "" : ", ", name, size_text(bytes.get<long>()));
  }
  fmt::print("caches of one core: {}; memory nodes: {}\n", caches.empty() ? "not told by the system" : caches,
             info["memory_nodes"].get<unsigned>());
  fmt::print("environment:{}\n", info["environment"].empty() ? " nothing of OpenMP or Steelyard is set" : "");
  for (const auto& [name, value] : info["environment"].items()) {
    fmt::print("  {}={}\n", name, value.get<std::string>());
  }
}

void print_costs(const json& costs) {
  table shown({{"hand-over", table::left}, {"median"}, {"p90"}, {"what is timed", table::left}});
  for (const auto& row : costs) {
    const auto text = [&](const char* key) {
      return row.contains(key) ? time_text(row[key].get<double>()) : std::string("n/a");
    };
    auto meaning = row["meaning"].get<std::string>();
    if (row.contains("missing")) meaning += fmt::format(" ({})", row["missing"].get<std::string>());
    shown.add({row["name"].get<std::string>(), text("median_ns"), text("p90_ns"), meaning});
  }
  fmt::print("\n{}", shown.text());
}

}  // namespace

int info_command(bool as_json) {
  json info = {
      {"steelyard_info", 1},        {"version", STEELYARD_VERSION},   {"cores", topology_as_json(topology::allowed())},
      {"caches", caches_as_json()}, {"memory_nodes", memory_nodes()}, {"environment", environment_as_json()}};
  if (!as_json) print_machine(info);
  std::fflush(stdout);
  info["costs"] = costs_as_json();
  if (as_json) {
    fmt::print("{}\n", info.dump(2, ' ', false, json::error_handler_t::replace));
  } else {
    print_costs(info["costs"]);
  }
  return success;
}

}  // namespace steelyard::tool
