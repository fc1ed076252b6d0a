// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launch/launcher.hpp"
#include "text/failure.hpp"
#include "text/printable.hpp"
#include "text/table.hpp"

namespace steelyard::tool::launch {
namespace {

using elf_handle = std::unique_ptr<Elf, decltype(&elf_end)>;

/// Appends what the units of an object or program say of their loops.
void append_lists(Elf* elf, std::string& found) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return;
  for (auto* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* name = elf_strptr(elf, names, header.sh_name);
    if (name == nullptr || std::string_view(name) != ".steelyard") continue;
    const auto* data = elf_getdata(section, nullptr);
    if (data != nullptr && data->d_buf != nullptr) found.append(static_cast<const char*>(data->d_buf), data->d_size);
  }
}

/// The same of all members of an archive.
void append_lists_of_members(Elf* archive, int descriptor, std::string& found) {
  auto next = ELF_C_READ_MMAP;
  while (next != ELF_C_NULL) {
    const elf_handle member(elf_begin(descriptor, next, archive), &elf_end);
    if (member == nullptr) return;
    if (elf_kind(member.get()) == ELF_K_ELF) append_lists(member.get(), found);
    next = elf_next(member.get());
  }
}

/// What a file's units say of their loops, one JSON object a line; nothing where it is no object, program or archive.
std::optional<std::string> lists_in(const std::string& file) {
  elf_version(EV_CURRENT);
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  std::optional<std::string> found;
  {
    const elf_handle elf(elf_begin(descriptor, ELF_C_READ_MMAP, nullptr), &elf_end);
    const auto kind = elf_kind(elf.get());
    if (kind == ELF_K_ELF || kind == ELF_K_AR) found.emplace();
    if (kind == ELF_K_ELF) append_lists(elf.get(), *found);
    if (kind == ELF_K_AR) append_lists_of_members(elf.get(), descriptor, *found);
  }
  close(descriptor);
  return found;
}

std::string in_words(const nlohmann::json& about) {
  const auto reach = about.value("reach", "");
  if (reach == "any") return about.contains("needs") ? "any schedule, by --free-reductions" : "any schedule";
  if (reach == "shares") return "learnt shares";
  if (reach == "written") return "as written";
  return "left alone";
}

std::string costs_in_words(const nlohmann::json& about) {
  const auto found = about.find("cost");
  if (found == about.end() || !found->is_object() || about.value("reach", "") == "left") return "";
  const auto kind = found->value("class", "");
  if (found->value("stated", false)) return found->contains("sampled") ? "stated, sampled" : "stated";
  if (kind == "equal" || kind == "guarded") return kind;
  return kind == "count" || kind == "not seen" ? "unknown" : "known, not stated";
}

std::string joined(const std::string& one, const std::string& other) {
  return one.empty() || other.empty() ? one + other : one + "; " + other;
}

/// Why its costs are not known, or not as well as they might be.
std::string doubt_of_costs(const nlohmann::json& about) {
  const auto found = about.find("cost");
  if (found == about.end() || !found->is_object() || about.value("reach", "") == "left") return "";
  const auto why = found->value("reason", "");
  return why.empty() ? "" : "costs: " + why;
}

/// What a unit says of one loop, as cells of the table.
struct row {
  std::vector<std::string> cells;
  bool instantiated;  // else its unit only sees the template
};

row row_of(const nlohmann::json& about) {
  return {{printable(fmt::format("{}:{}", about.value("file", ""), about.value("line", 0))), in_words(about),
           costs_in_words(about), printable(joined(about.value("reason", ""), doubt_of_costs(about)))},
          about.value("instantiated", true)};
}

std::vector<row> rows_of(const std::string& file, const std::string& lists) {
  std::vector<row> all;
  std::istringstream lines(lists);
  for (std::string line; std::getline(lines, line);) {
    const auto about = nlohmann::json::parse(line, nullptr, false);
    if (!about.is_object())
      throw failure(bad_usage, fmt::format("{}: its list of loops is damaged; compile it again", file));
    all.push_back(row_of(about));
  }
  return all;
}

/// A loop in a header stands in many units. What several say alike is told once; units that see only its template say nothing where
/// another has an instance.
void print(const std::string& file, const std::string& lists) {
  const auto all = rows_of(file, lists);
  std::set<std::string> instantiated;
  for (const auto& each : all) {
    if (each.instantiated) instantiated.insert(each.cells.front());
  }
  table loops({{"loop", table::left, 0, true},
               {"scheduled by", table::left},
               {"costs", table::left},
               {"remarks", table::left, 0, false, true}});
  std::map<std::vector<std::string>, int> units;
  for (const auto& each : all) ++units[each.cells];
  for (const auto& each : all) {
    if (!each.instantiated && instantiated.contains(each.cells.front())) continue;
    auto& count = units[each.cells];
    if (count == 0) continue;  // told before
    auto cells = each.cells;
    if (count > 1) cells.back() = joined(fmt::format("in {} units", count), cells.back());
    loops.add(std::move(cells));
    count = 0;
  }
  fmt::print("{}", loops.text("", standard_page(false)));
}

}  // namespace

int report(const std::vector<std::string>& files, bool as_json) {
  if (files.empty())
    throw failure(bad_usage, "nothing to compile; write steelyard cc g++ -fopenmp FILE, or see steelyard cc --help");
  for (const auto& file : files) {
    const auto lists = lists_in(file);
    if (!lists)
      throw failure(bad_usage, fmt::format("{}: no object, program or archive; name what steelyard cc has compiled",
                                           printable(file)));
    if (lists->empty()) {
      throw failure(
          bad_usage,
          fmt::format(
              "{}: has no loop that steelyard cc has seen; compile it by steelyard cc, and see STEELYARD_CC_LOG",
              printable(file)));
    }
    if (as_json) {
      fmt::print("{}", *lists);
    } else {
      if (files.size() > 1) fmt::print("{}{}:\n", &file == &files.front() ? "" : "\n", printable(file));
      print(file, *lists);
    }
  }
  return success;
}

}  // namespace steelyard::tool::launch
