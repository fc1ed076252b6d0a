// SPDX-License-Identifier: Apache-2.0
#include "symbolise.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace steelyard::tool {
namespace {

const Dwfl_Callbacks* offline_callbacks() {
  static char* debug_path = nullptr;  // the usual places
  static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                           .find_debuginfo = dwfl_standard_find_debuginfo,
                                           .section_address = dwfl_offline_section_address,
                                           .debuginfo_path = &debug_path};
  return &callbacks;
}

Dwfl* open_session(const std::string& module) {
  Dwfl* session = dwfl_begin(offline_callbacks());
  if (session == nullptr) return nullptr;
  dwfl_report_begin(session);
  dwfl_report_offline(session, module.c_str(), module.c_str(), -1);
  dwfl_report_end(session, nullptr, nullptr);
  return session;
}

int take_first(Dwfl_Module* module, void**, const char*, Dwarf_Addr, void* result) {
  *static_cast<Dwfl_Module**>(result) = module;
  return DWARF_CB_ABORT;
}

/// A session holds one module.
Dwfl_Module* only_module(Dwfl* session) {
  Dwfl_Module* found = nullptr;
  if (session != nullptr) dwfl_getmodules(session, take_first, &found, 0);
  return found;
}

std::string name_of(Dwarf_Die* die) {
  if (const char* name = dwarf_diename(die)) return source_name(name);
  Dwarf_Attribute attribute;
  const auto* linkage = dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute);
  const char* name = linkage == nullptr ? nullptr : dwarf_formstring(&attribute);
  return name == nullptr ? std::string() : source_name(name);
}

bool is_function(Dwarf_Die* die) {
  const int tag = dwarf_tag(die);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/// Scopes as libdw allocates them.
class scopes {
 public:
  scopes(Dwarf_Die* unit, Dwarf_Addr address) : count_(dwarf_getscopes(unit, address, &first_)) {}
  explicit scopes(Dwarf_Die* die) : count_(dwarf_getscopes_die(die, &first_)) {}
  ~scopes() { std::free(first_); }
  scopes(const scopes&) = delete;
  scopes& operator=(const scopes&) = delete;

  /// The innermost function from `from` on; nullptr when there is none.
  [[nodiscard]] Dwarf_Die* function(int from = 0) {
    for (int i = from; i < count_; ++i) {
      if (is_function(&first_[i])) return &first_[i];
    }
    return nullptr;
  }

  /// The outermost real function.
  [[nodiscard]] Dwarf_Die* outermost() {
    for (int i = count_ - 1; i >= 0; --i) {
      if (dwarf_tag(&first_[i]) == DW_TAG_subprogram) return &first_[i];
    }
    return nullptr;
  }

 private:
  Dwarf_Die* first_ = nullptr;
  int count_;
};

/// The compilation unit of some code. GCC's table of address ranges says it at once; Clang writes none, so the units
/// themselves are asked.
Dwarf_Die* find_unit(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias) {
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias)) return unit;
  for (Dwarf_Die* unit = dwfl_module_nextcu(module, nullptr, &bias); unit != nullptr;
       unit = dwfl_module_nextcu(module, unit, &bias)) {
    if (dwarf_haspc(unit, address - bias) == 1) return unit;
  }
  return nullptr;
}

void find_functions(Dwarf_Die* unit, Dwarf_Addr address, location& found) {
  scopes around(unit, address);
  Dwarf_Die* innermost = around.function();
  if (innermost == nullptr) return;
  found.function = name_of(innermost);
  if (dwarf_tag(innermost) != DW_TAG_inlined_subroutine) return;
  scopes physical(innermost);
  if (Dwarf_Die* outer = physical.outermost()) found.inlined_into = name_of(outer);
  if (found.inlined_into == found.function) found.inlined_into.clear();
}

void find_line(Dwarf_Die* unit, Dwarf_Addr address, location& found) {
  Dwarf_Line* line = dwarf_getsrc_die(unit, address);
  int number = 0;
  if (line == nullptr || dwarf_lineno(line, &number) != 0 || number <= 0) return;
  const char* file = dwarf_linesrc(line, nullptr, nullptr);
  if (file == nullptr) return;
  found.file = file;
  found.line = static_cast<unsigned>(number);
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  if (status != 0 || text == nullptr) return name;
  std::string full = text.get();
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (auto at = full.find(unnamed); at != std::string::npos; at = full.find(unnamed)) full.erase(at, unnamed.size());
  return full.find("operator") == std::string::npos ? full.substr(0, full.find('(')) : full;
}

}  // namespace

std::string location::text(const std::string& otherwise) const {
  auto place = line == 0 ? otherwise : fmt::format("{}:{}", std::filesystem::path(file).filename().native(), line);
  if (!function.empty()) place += fmt::format(" ({})", function);
  return place;
}

std::string source_name(const std::string& symbol) {
  const auto dot = symbol.find('.', 1);
  return symbol.starts_with('.') ? std::string() : demangled(symbol.substr(0, dot));
}

location from_ident(const std::string& ident) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= ident.size();) {
    const auto end = std::min(ident.find(';', begin), ident.size());
    parts.push_back(ident.substr(begin, end - begin));
    begin = end + 1;
  }
  location found;
  if (parts.size() < 5 || parts[1] == "unknown") return found;
  const auto& number = parts[3];
  std::from_chars(number.data(), number.data() + number.size(), found.line);
  if (found.line != 0) found.file = parts[1];
  found.function = source_name(parts[2]);
  return found;
}

void symboliser::end_session::operator()(Dwfl* session) const { dwfl_end(session); }

location symboliser::find(const std::string& module, std::uint64_t offset) {
  auto& session = sessions_[module];
  if (session == nullptr) session.reset(open_session(module));
  location found;
  Dwfl_Module* const loaded = only_module(session.get());
  Dwarf_Addr bias = 0;
  if (loaded == nullptr || dwfl_module_getelf(loaded, &bias) == nullptr) return found;
  const auto address = offset + bias;
  Dwarf_Addr unit_bias = 0;
  if (Dwarf_Die* unit = find_unit(loaded, address, unit_bias)) {
    find_line(unit, address - unit_bias, found);
    find_functions(unit, address - unit_bias, found);
  }
  if (found.function.empty()) {
    if (const char* symbol = dwfl_module_addrname(loaded, address)) found.function = source_name(symbol);
  }
  return found;
}

}  // namespace steelyard::tool
