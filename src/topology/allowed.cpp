// SPDX-License-Identifier: Apache-2.0
#include "topology/allowed.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "topology/processors.hpp"

namespace steelyard::topology {
namespace {

namespace fs = std::filesystem;

enum class version { v1, v2 };

/// One control-group hierarchy with CPU quotas: where it is mounted, which of its groups is the top of that mount, and
/// which group this process is in.
struct hierarchy {
  version kind;
  fs::path mount_point;
  std::string mounted_group;
  std::string own_group;
};

std::vector<std::string> fields(const std::string& line, char separator) {
  std::vector<std::string> found;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, separator);) found.push_back(field);
  return found;
}

bool lists_cpu(const std::string& comma_separated) {
  const auto names = fields(comma_separated, ',');
  return std::find(names.begin(), names.end(), "cpu") != names.end();
}

/// The group of this process in the hierarchy of that version: `0::/a/b` or `4:cpu,cpuacct:/a/b`.
std::optional<std::string> own_group(const fs::path& root, version kind) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    const bool matches = kind == version::v2 ? controllers.empty() : lists_cpu(controllers);
    if (matches) return line.substr(second + 1);
  }
  return std::nullopt;
}

/// Mount points with spaces are written \040 in mountinfo.
std::string unescape(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 3 < text.size();
    plain +=
        escaped ? static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0')) : text[i];
    if (escaped) i += 3;
  }
  return plain;
}

/// A line of mountinfo: `36 35 0:30 /group /mount/point options … - type source super-options`.
std::optional<hierarchy> parse_mount(const std::string& line, const fs::path& root) {
  const auto dash = line.find(" - ");
  if (dash == std::string::npos) return std::nullopt;
  const auto before = fields(line.substr(0, dash), ' ');
  const auto after = fields(line.substr(dash + 3), ' ');
  if (before.size() < 5 || after.size() < 3) return std::nullopt;
  const bool v2 = after[0] == "cgroup2";
  if (!v2 && !(after[0] == "cgroup" && lists_cpu(after[2]))) return std::nullopt;
  const auto kind = v2 ? version::v2 : version::v1;
  const auto group = own_group(root, kind);
  if (!group) return std::nullopt;
  return hierarchy{kind, root / fs::path(unescape(before[4])).relative_path(), unescape(before[3]), *group};
}

std::vector<hierarchy> hierarchies(const fs::path& root) {
  std::vector<hierarchy> found;
  std::ifstream in(root / "proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    if (auto one = parse_mount(line, root)) found.push_back(*one);
  }
  return found;
}

std::optional<double> ratio(double quota, double period) {
  if (!(quota > 0) || !(period > 0)) return std::nullopt;
  return quota / period;
}

/// The quota written in one group's folder; "max" (v2) and -1 (v1) mean none.
std::optional<double> quota_in(const fs::path& folder, version kind) {
  double quota = 0;
  double period = 0;
  if (kind == version::v2) {
    std::ifstream in(folder / "cpu.max");
    if (!(in >> quota >> period)) return std::nullopt;
  } else {
    std::ifstream quota_file(folder / "cpu.cfs_quota_us");
    std::ifstream period_file(folder / "cpu.cfs_period_us");
    if (!(quota_file >> quota) || !(period_file >> period)) return std::nullopt;
  }
  return ratio(quota, period);
}

/// The own group relative to the top of the mount. In a container the files of /proc may name groups of the host that
/// are not visible here (`/../..`, or a path outside the mount): then the top of the mount is all one can read.
fs::path below_mount(const hierarchy& where) {
  std::string_view group = where.own_group;
  if (where.mounted_group != "/") {
    if (!group.starts_with(where.mounted_group)) return {};
    group.remove_prefix(where.mounted_group.size());
    if (!group.empty() && group.front() != '/') return {};
  }
  if (group.find("..") != std::string_view::npos) return {};
  return fs::path(group).relative_path();
}

std::optional<double> tighter(std::optional<double> a, std::optional<double> b) {
  if (!a) return b;
  if (!b) return a;
  return std::min(*a, *b);
}

/// The tightest quota on the way from the top of the mount down to the own group.
std::optional<double> tightest(const hierarchy& where) {
  fs::path folder = where.mount_point;
  auto found = quota_in(folder, where.kind);
  for (const auto& part : below_mount(where)) {
    folder /= part;
    found = tighter(found, quota_in(folder, where.kind));
  }
  return found;
}

}  // namespace

unsigned cores::effective() const noexcept {
  if (!quota) return std::max(1U, affinity);
  const double whole = std::min(std::ceil(*quota), static_cast<double>(affinity));
  return std::max(1U, static_cast<unsigned>(whole));
}

std::optional<double> cgroup_quota(const fs::path& root) {
  std::optional<double> found;
  for (const auto& one : hierarchies(root)) found = tighter(found, tightest(one));
  return found;
}

cores allowed() {
  cores found;
  found.online = static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  found.affinity = std::max(1U, of_process().count());
  found.quota = cgroup_quota();
  return found;
}

}  // namespace steelyard::topology
