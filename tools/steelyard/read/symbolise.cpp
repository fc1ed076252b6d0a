// SPDX-License-Identifier: Apache-2.0
#include "read/symbolise.hpp"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "read/source_name.hpp"

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

/// Whether definitions of functions may lie in such an entry. GCC puts an outlined function into that which it was cut out
/// of, whose addresses are others.
bool may_hold_functions(int tag) {
  constexpr std::array tags = {DW_TAG_namespace,  DW_TAG_module,        DW_TAG_class_type, DW_TAG_structure_type,
                               DW_TAG_union_type, DW_TAG_lexical_block, DW_TAG_subprogram};
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

/// Calls `what` for each child until it says true, which it then returns.
template <class What>
bool any_child(Dwarf_Die* parent, const What& what) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return false;
  do {
    if (what(child)) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

/// The function in `parent` whose code it is; not the inlined ones in that.
bool find_function(Dwarf_Die* parent, Dwarf_Addr address, Dwarf_Die& found) {
  return any_child(parent, [&](Dwarf_Die& child) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram && dwarf_haspc(&child, address) == 1) {
      found = child;
      return true;
    }
    return may_hold_functions(tag) && find_function(&child, address, found);
  });
}

/// Appends the functions inlined around an address, outermost first.
void add_inlined(Dwarf_Die* parent, Dwarf_Addr address, std::vector<Dwarf_Die>& around) {
  any_child(parent, [&](Dwarf_Die& child) {
    const int tag = dwarf_tag(&child);
    if ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) || dwarf_haspc(&child, address) != 1)
      return false;
    if (tag == DW_TAG_inlined_subroutine) around.push_back(child);
    add_inlined(&child, address, around);
    return true;
  });
}

/// From the innermost function around an address to that whose code it is; empty: nothing is known.
std::vector<Dwarf_Die> functions_around(Dwarf_Die* unit, Dwarf_Addr address) {
  Dwarf_Die own;
  if (!find_function(unit, address, own)) return {};
  std::vector<Dwarf_Die> around = {own};
  add_inlined(&own, address, around);
  std::reverse(around.begin(), around.end());
  return around;
}

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

void find_line(Dwarf_Die* unit, Dwarf_Addr address, location& found) {
  Dwarf_Line* line = dwarf_getsrc_die(unit, address);
  int number = 0;
  if (line == nullptr || dwarf_lineno(line, &number) != 0 || number <= 0) return;
  const char* file = dwarf_linesrc(line, nullptr, nullptr);
  if (file == nullptr) return;
  found.file = file;
  found.line = static_cast<unsigned>(number);
}

/// A function that holds a piece of code, inlined or not, and where in it the code or the call of the next one stands.
struct frame {
  Dwarf_Die function;
  location place;
};

Dwarf_Addr start_of(Dwarf_Die function) {
  Dwarf_Addr start = 0;
  return dwarf_lowpc(&function, &start) == 0 ? start : 0;
}

/// Where the function that an inlined one was inlined into calls it.
location call_place(Dwarf_Die* inlined) {
  location found;
  Dwarf_Attribute attribute;
  Dwarf_Word line = 0;
  Dwarf_Word file = 0;
  Dwarf_Die unit;
  Dwarf_Files* files = nullptr;
  const bool known = dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) == 0 &&
                     dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) == 0 &&
                     dwarf_diecu(inlined, &unit, nullptr, nullptr) != nullptr &&
                     dwarf_getsrcfiles(&unit, &files, nullptr) == 0;
  const char* const name = known ? dwarf_filesrc(files, file, nullptr, nullptr) : nullptr;
  if (name == nullptr) return found;
  found.file = name;
  found.line = static_cast<unsigned>(line);
  return found;
}

/// From the innermost function to the one whose code it is.
std::vector<frame> frames_at(Dwarf_Die* unit, Dwarf_Addr address) {
  std::vector<frame> found;
  location place;
  find_line(unit, address, place);
  for (auto& one : functions_around(unit, address)) {
    place.function = name_of(&one);
    found.push_back({one, place});
    place = call_place(&one);
  }
  return found;
}

/// The place in a function, and whose code it is where that is another.
location in_frame(const std::vector<frame>& frames, std::size_t chosen) {
  auto found = frames[chosen].place;
  const auto& outermost = frames.back().place.function;
  if (outermost != found.function) found.inlined_into = outermost;
  return found;
}

/// A row of a line table.
struct line_row {
  Dwarf_Addr address = 0;
  location place;
  bool statement = false;  ///< a statement of the source begins there
};

/// Those of a unit with a line, by address.
std::vector<line_row> rows_of(Dwarf_Die* unit) {
  std::vector<line_row> found;
  Dwarf_Lines* lines = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrclines(unit, &lines, &count) != 0) return found;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Line* const line = dwarf_onesrcline(lines, i);
    line_row row;
    int number = 0;
    bool ends = false;
    const char* const file = dwarf_linesrc(line, nullptr, nullptr);
    if (file == nullptr || dwarf_lineaddr(line, &row.address) != 0 || dwarf_lineno(line, &number) != 0 || number <= 0 ||
        dwarf_lineendsequence(line, &ends) != 0 || ends) {
      continue;
    }
    dwarf_linebeginstatement(line, &row.statement);
    row.place.file = file;
    row.place.line = static_cast<unsigned>(number);
    found.push_back(row);
  }
  return found;
}

/// The first row for an address: the compiler gives an outlined function's start several.
void find_first_line(Dwarf_Die* unit, Dwarf_Addr address, location& found) {
  const auto rows = rows_of(unit);
  const auto first = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.address == address; });
  if (first == rows.end()) return;
  found.file = first->place.file;
  found.line = first->place.line;
}

/// The line of the loop that the call at `call` begins: of `near`, which the compiler says, and of the statements that
/// begin between `from` and the call, the last in the source that is not behind the first statement after the call.
unsigned line_of_loop(const std::vector<line_row>& rows, Dwarf_Addr from, Dwarf_Addr call, const location& near) {
  const auto counts = [&](const line_row& row) { return row.statement && row.place.file == near.file; };
  const auto body =
      std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.address > call && counts(row); });
  const auto is_before = [&](unsigned line) { return body == rows.end() || line <= body->place.line; };
  unsigned line = body == rows.end() || near.line < body->place.line ? near.line : 0;
  for (const auto& row : rows) {
    if (!counts(row) || row.address < from || row.address > call) continue;
    if (is_before(row.place.line)) line = std::max(line, row.place.line);
  }
  return line != 0 ? line : near.line;
}

/// A place in a module's code, and the compilation unit it belongs to.
struct spot {
  spot(Dwfl* session, std::uint64_t offset) : module(only_module(session)) {
    Dwarf_Addr bias = 0;
    if (module == nullptr || dwfl_module_getelf(module, &bias) == nullptr) return;
    loaded = offset + bias;
    Dwarf_Addr unit_bias = 0;
    unit = find_unit(module, loaded, unit_bias);
    address = loaded - unit_bias;
  }

  [[nodiscard]] std::vector<frame> frames() const {
    return unit == nullptr ? std::vector<frame>() : frames_at(unit, address);
  }

  /// What the line table and the symbol table say.
  [[nodiscard]] location without_frames() const {
    location found;
    if (unit != nullptr) find_line(unit, address, found);
    const char* const name = module == nullptr ? nullptr : dwfl_module_addrname(module, loaded);
    if (name != nullptr) found.function = source_name(name);
    return found;
  }

  Dwfl_Module* module;
  Dwarf_Die* unit = nullptr;
  Dwarf_Addr loaded = 0;   ///< as libdwfl lays the module out
  Dwarf_Addr address = 0;  ///< as its debug information has it
};

}  // namespace

std::string location::text(const std::string& otherwise) const {
  auto place = line == 0 ? otherwise : fmt::format("{}:{}", std::filesystem::path(file).filename().native(), line);
  if (!function.empty()) place += fmt::format(" ({})", function);
  return place;
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

Dwfl* symboliser::session_of(const std::string& module) {
  auto& session = sessions_[module];
  if (session == nullptr) session.reset(open_session(module));
  return session.get();
}

location symboliser::find(const std::string& module, std::uint64_t offset) {
  const spot at(session_of(module), offset);
  const auto frames = at.frames();
  return frames.empty() ? at.without_frames() : in_frame(frames, 0);
}

location symboliser::find_start(const std::string& module, std::uint64_t offset) {
  const spot at(session_of(module), offset);
  auto found = at.without_frames();
  const auto frames = at.frames();
  if (!frames.empty()) found.function = frames.back().place.function;
  if (at.unit != nullptr) find_first_line(at.unit, at.address, found);
  return found;
}

location symboliser::find_loop(const std::string& module, std::uint64_t offset) {
  const auto is_here = [&](const loop_call& call) { return call.offset == offset && call.body != 0; };
  const auto& known = calls(module);
  const auto fork = std::find_if(known.begin(), known.end(), is_here);
  if (fork != known.end()) return find_start(module, fork->body);
  const spot at(session_of(module), offset);
  auto frames = at.frames();
  if (frames.empty()) return at.without_frames();
  const auto address_of = [&](const loop_call& call) { return call.offset - offset + at.address; };
  const auto goes_on_in = [&](frame& one) {
    return std::any_of(known.begin(), known.end(), [&](const loop_call& call) {
      return call.what == loop_call::kind::goes_on && dwarf_haspc(&one.function, address_of(call)) == 1;
    });
  };
  const auto chosen = std::find_if(frames.begin(), frames.end() - 1, goes_on_in);
  auto found = in_frame(frames, static_cast<std::size_t>(chosen - frames.begin()));
  auto from = start_of(frames.back().function);
  for (const auto& call : known) {
    if (call.what == loop_call::kind::goes_on && call.offset < offset) from = std::max(from, address_of(call));
  }
  found.line = line_of_loop(rows_of(at.unit), from, at.address, found);
  return found;
}

const std::vector<loop_call>& symboliser::calls(const std::string& module) {
  const auto [known, fresh] = calls_.try_emplace(module);
  if (fresh) known->second = find_loop_calls(module);
  return known->second;
}

}  // namespace steelyard::tool
