// SPDX-License-Identifier: Apache-2.0
#include <hwloc.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command/commands.hpp"
#include "text/failure.hpp"
#include "text/table.hpp"
#include "text/units.hpp"
#include "topology/allowed.hpp"
#include "topology/calibrate.hpp"

namespace steelyard::tool {
namespace {

using json = nlohmann::ordered_json;

constexpr std::array environment = {"OMP_NUM_THREADS",    "OMP_SCHEDULE",      "OMP_PROC_BIND",    "OMP_PLACES",
                                    "OMP_WAIT_POLICY",    "OMP_DYNAMIC",       "OMP_CANCELLATION", "GOMP_SPINCOUNT",
                                    "GOMP_CPU_AFFINITY",  "KMP_BLOCKTIME",     "KMP_AFFINITY",     "LD_PRELOAD",
                                    "STEELYARD_SCHEDULE", "STEELYARD_LOOPS",   "STEELYARD_REPORT", "STEELYARD_VERBOSE",
                                    "STEELYARD_LIBRARY",  "STEELYARD_LEARN_BY"};

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

/// What the machine is made of, as far as this process may see it.
class machine {
 public:
  machine() {
    // Without one, everything below is what a machine of one processor has.
    if (hwloc_topology_init(&found_) == 0 && hwloc_topology_load(found_) != 0)
      hwloc_topology_destroy(std::exchange(found_, nullptr));
  }
  ~machine() {
    if (found_ != nullptr) hwloc_topology_destroy(found_);
  }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  [[nodiscard]] int count(hwloc_obj_type_t type) const {
    return found_ != nullptr ? std::max(1, hwloc_get_nbobjs_by_type(found_, type)) : 1;
  }

  /// From the smallest to the largest, those of the first processor: {name, bytes, processors that share it}.
  [[nodiscard]] json caches() const {
    json all = json::array();
    if (found_ == nullptr) return all;
    for (auto* at = hwloc_get_obj_by_type(found_, HWLOC_OBJ_PU, 0); at != nullptr; at = at->parent) {
      if (hwloc_obj_type_is_dcache(at->type) == 0 || at->attr->cache.size == 0) continue;
      all.push_back({{"name", fmt::format("L{}", at->attr->cache.depth)},
                     {"bytes", at->attr->cache.size},
                     {"line", at->attr->cache.linesize},
                     {"processors", hwloc_bitmap_weight(at->cpuset)}});
    }
    return all;
  }

 private:
  hwloc_topology_t found_ = nullptr;
};

json machine_as_json() {
  const machine here;
  return {{"packages", here.count(HWLOC_OBJ_PACKAGE)},
          {"memory_nodes", here.count(HWLOC_OBJ_NUMANODE)},
          {"cores", here.count(HWLOC_OBJ_CORE)},
          {"processors", here.count(HWLOC_OBJ_PU)},
          {"caches", here.caches()}};
}

json costs_as_json() {
  json rows = json::array();
  for (const auto& row : topology::calibrate()) {
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

std::string size_text(double bytes) {
  if (bytes >= 1024 * 1024) return fmt::format("{:.4g} MiB", bytes / (1024 * 1024));
  return fmt::format("{:.4g} KiB", bytes / 1024);
}

std::string counted(const json& number, const char* one, const char* many) {
  const auto n = number.get<int>();
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

void print_machine(const json& info) {
  const auto& cores = info["cores"];
  const auto quota = cores["cgroup_quota"].is_null() ? std::string("unlimited")
                                                     : fmt::format("{:.4g} cores", cores["cgroup_quota"].get<double>());
  fmt::print("cores: {} online, {} in this process's mask, cgroup quota {}; effective {}\n",
             cores["online"].get<unsigned>(), cores["affinity"].get<unsigned>(), quota,
             cores["effective"].get<unsigned>());
  const auto& machine = info["machine"];
  fmt::print("machine: {}, {}, {}, {}\n", counted(machine["packages"], "package", "packages"),
             counted(machine["memory_nodes"], "memory node", "memory nodes"),
             counted(machine["cores"], "core", "cores"), counted(machine["processors"], "processor", "processors"));
  std::string caches;
  for (const auto& cache : machine["caches"]) {
    caches +=
        fmt::format("{}{} {} for {}", caches.empty() ? "" : ", ", cache["name"].get<std::string>(),
                    size_text(cache["bytes"].get<double>()), counted(cache["processors"], "processor", "processors"));
  }
  fmt::print("caches: {}\n", caches.empty() ? "not told by the system" : caches);
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
  json info = {{"steelyard_info", 1},
               {"version", STEELYARD_VERSION},
               {"cores", topology_as_json(topology::allowed())},
               {"machine", machine_as_json()},
               {"environment", environment_as_json()}};
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
