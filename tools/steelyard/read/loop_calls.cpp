// SPDX-License-Identifier: Apache-2.0
// A call of another object goes to a stub that jumps through a slot, or through the slot at once. The relocations say
// which slot is whose; so the slots of the functions looked for give the stubs, and these the calls.
#include "read/loop_calls.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string_view>

namespace steelyard::tool {
namespace {

using kind = loop_call::kind;
using targets = std::map<std::uint64_t, kind>;  ///< by address: of a slot, or of a stub's jump

std::optional<kind> kind_of(std::string_view name) {
  if (name.starts_with("__kmpc_dispatch_init")) return kind::begins_in_clang;
  if (name.starts_with("GOMP_parallel_loop_")) return kind::forks;
  if (!name.starts_with("GOMP_loop_")) return std::nullopt;
  if (name.ends_with("start")) return kind::begins;
  if (name.ends_with("_next") || name.starts_with("GOMP_loop_end")) return kind::goes_on;
  return std::nullopt;
}

/// Code as it lies in memory.
struct code {
  std::span<const unsigned char> bytes;
  std::uint64_t address = 0;

  template <class Number>
  [[nodiscard]] Number read(std::size_t at) const {
    Number value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }
};

void add_slots(Elf* elf, Elf_Scn* section, targets& slots) {
  GElf_Shdr header;
  if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_RELA || header.sh_entsize == 0) return;
  Elf_Scn* const symbols = elf_getscn(elf, header.sh_link);
  Elf_Data* const entries = elf_getdata(section, nullptr);
  GElf_Shdr names;
  if (symbols == nullptr || entries == nullptr || gelf_getshdr(symbols, &names) == nullptr) return;
  Elf_Data* const known = elf_getdata(symbols, nullptr);
  for (std::size_t i = 0; known != nullptr && i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Rela entry;
    GElf_Sym symbol;
    if (gelf_getrela(entries, static_cast<int>(i), &entry) == nullptr) break;
    if (gelf_getsym(known, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol) == nullptr) continue;
    const char* const name = elf_strptr(elf, names.sh_link, symbol.st_name);
    if (name == nullptr) continue;
    if (const auto what = kind_of(name)) slots.emplace(entry.r_offset, *what);
  }
}

targets find_slots(Elf* elf) {
  targets slots;
  for (auto* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    add_slots(elf, section, slots);
  }
  return slots;
}

std::vector<code> find_code(Elf* elf) {
  std::vector<code> all;
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return all;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) continue;
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    const auto* data = elf_getdata_rawchunk(elf, static_cast<int64_t>(header.p_offset), header.p_filesz, ELF_T_BYTE);
    if (data == nullptr || data->d_buf == nullptr) continue;
    all.push_back({{static_cast<const unsigned char*>(data->d_buf), data->d_size}, header.p_vaddr});
  }
  return all;
}

bool holds(const std::vector<code>& all, std::uint64_t address) {
  return std::any_of(all.begin(), all.end(), [&](const auto& text) {
    return address >= text.address && address - text.address < text.bytes.size();
  });
}

/// What a place in a table of few addresses means; nothing: it is not there.
std::optional<kind> at(const targets& known, std::uint64_t address) {
  const auto found = known.find(address);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

namespace x86_64 {

constexpr std::size_t indirect_size = 6;  // FF /2 or /4, relative to the next instruction
constexpr std::size_t call_size = 5;
constexpr std::uint64_t stub_size = 16;
constexpr unsigned char call_through = 0x15;
constexpr unsigned char jump_through = 0x25;

std::uint64_t slot_of(const code& text, std::size_t i) {
  return text.address + i + indirect_size + static_cast<std::uint64_t>(text.read<std::int32_t>(i + 2));
}

/// The outlined function that the call at `i` is given: the last address of code that is loaded before it. 0: there is none.
std::uint64_t body_of(const std::vector<code>& all, const code& text, std::size_t i) {
  constexpr std::size_t farthest = 80;
  for (auto at = i; at-- > (i > farthest ? i - farthest : 0);) {
    const auto* const bytes = text.bytes.data() + at;
    std::uint64_t loaded = 0;
    if (at + 7 <= i && (bytes[0] & 0xFB) == 0x48 && bytes[1] == 0x8D && (bytes[2] & 0xC7) == 0x05) {  // lea
      loaded = text.address + at + 7 + static_cast<std::uint64_t>(text.read<std::int32_t>(at + 3));
    } else if (at + 5 <= i && (bytes[0] & 0xF8) == 0xB8) {  // mov of a number
      loaded = text.read<std::uint32_t>(at + 1);
    }
    if (loaded != 0 && holds(all, loaded)) return loaded;
  }
  return 0;
}

/// Calls through a slot, and stubs.
void find_indirect(const std::vector<code>& all, const code& text, const targets& slots, std::vector<loop_call>& calls,
                   targets& stubs) {
  for (std::size_t i = 0; i + indirect_size <= text.bytes.size(); ++i) {
    if (text.bytes[i] != 0xFF || (text.bytes[i + 1] != call_through && text.bytes[i + 1] != jump_through)) continue;
    const auto what = at(slots, slot_of(text, i));
    if (!what) continue;
    if (text.bytes[i + 1] == jump_through) {
      stubs.emplace(text.address + i, *what);
    } else {
      calls.push_back({*what, text.address + i + indirect_size - 1, *what == kind::forks ? body_of(all, text, i) : 0});
    }
  }
}

/// The stub that starts at `address`: linkers put up to a dozen bytes before its jump (endbr64, the slot's number).
std::optional<kind> stub_at(const std::vector<code>& all, const targets& stubs, std::uint64_t address) {
  const auto jump = stubs.lower_bound(address);
  if (jump == stubs.end() || jump->first - address >= stub_size) return std::nullopt;
  for (const auto& text : all) {
    if (address < text.address || jump->first >= text.address + text.bytes.size()) continue;
    for (auto i = address - text.address; i < jump->first - text.address; ++i) {
      if (text.bytes[i] == 0xFF && text.bytes[i + 1] == jump_through) return std::nullopt;  // another's stub
    }
  }
  return jump->second;
}

std::vector<loop_call> find_calls(const std::vector<code>& all, const targets& slots) {
  std::vector<loop_call> calls;
  targets stubs;
  for (const auto& text : all) find_indirect(all, text, slots, calls, stubs);
  for (const auto& text : all) {
    for (std::size_t i = 0; !stubs.empty() && i + call_size <= text.bytes.size(); ++i) {
      if (text.bytes[i] != 0xE8) continue;
      const auto next = text.address + i + call_size;
      const auto target = next + static_cast<std::uint64_t>(text.read<std::int32_t>(i + 1));
      if (const auto what = stub_at(all, stubs, target))
        calls.push_back({*what, next - 1, *what == kind::forks ? body_of(all, text, i) : 0});
    }
  }
  return calls;
}

}  // namespace x86_64

namespace aarch64 {

constexpr std::uint32_t bti = 0xD503245F;

std::int64_t signed_bits(std::uint64_t value, unsigned bits) {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

bool is_adrp(std::uint32_t word, unsigned into) { return (word & 0x9F00001F) == (0x90000000 | into); }

std::uint64_t page_of(std::uint32_t adrp, std::uint64_t address) {
  const std::uint64_t pages = ((adrp >> 5 & 0x7FFFFU) << 2) | (adrp >> 29 & 3U);
  return (address & ~std::uint64_t{0xFFF}) + static_cast<std::uint64_t>(signed_bits(pages, 21)) * 0x1000;
}

/// The outlined function that the call at `i` is given: `adrp xN, page` and `add x…, xN, offset` before it. 0: none.
std::uint64_t body_of(const std::vector<code>& all, const code& text, std::size_t i) {
  constexpr std::size_t farthest = 80;
  for (auto at = i; at >= 4 && i - at < farthest;) {
    at -= 4;
    const auto add = text.read<std::uint32_t>(at);
    if ((add & 0xFFC00000) != 0x91000000) continue;
    for (auto page = at; page >= 4 && i - page < farthest;) {
      page -= 4;
      const auto word = text.read<std::uint32_t>(page);
      if (!is_adrp(word, add >> 5 & 31U)) continue;
      const auto loaded = page_of(word, text.address + page) + (add >> 10 & 0xFFFU);
      if (holds(all, loaded)) return loaded;
      break;
    }
  }
  return 0;
}

/// `adrp x16, page; ldr x17, [x16, offset]`, perhaps behind `bti c`.
void find_stubs(const code& text, const targets& slots, targets& stubs) {
  for (std::size_t i = 0; i + 8 <= text.bytes.size(); i += 4) {
    const auto page = text.read<std::uint32_t>(i);
    const auto load = text.read<std::uint32_t>(i + 4);
    if (!is_adrp(page, 16) || (load & 0xFFC003FF) != 0xF9400211) continue;
    const auto base = page_of(page, text.address + i);
    const auto what = at(slots, base + (load >> 10 & 0xFFFU) * 8);
    if (!what) continue;
    stubs.emplace(text.address + i, *what);
    if (i >= 4 && text.read<std::uint32_t>(i - 4) == bti) stubs.emplace(text.address + i - 4, *what);
  }
}

std::vector<loop_call> find_calls(const std::vector<code>& all, const targets& slots) {
  std::vector<loop_call> calls;
  targets stubs;
  for (const auto& text : all) find_stubs(text, slots, stubs);
  for (const auto& text : all) {
    for (std::size_t i = 0; i + 4 <= text.bytes.size(); i += 4) {
      const auto word = text.read<std::uint32_t>(i);
      if ((word & 0xFC000000) != 0x94000000) continue;
      const auto target = text.address + i + static_cast<std::uint64_t>(signed_bits(word & 0x3FFFFFFU, 26)) * 4;
      if (const auto what = at(stubs, target))
        calls.push_back({*what, text.address + i + 3, *what == kind::forks ? body_of(all, text, i) : 0});
    }
  }
  return calls;
}

}  // namespace aarch64

std::vector<loop_call> find_in(Elf* elf) {
  GElf_Ehdr header;
  if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr) return {};
  const auto slots = find_slots(elf);
  if (slots.empty()) return {};
  if (header.e_machine == EM_X86_64) return x86_64::find_calls(find_code(elf), slots);
  if (header.e_machine == EM_AARCH64) return aarch64::find_calls(find_code(elf), slots);
  return {};
}

}  // namespace

std::vector<loop_call> find_loop_calls(const std::filesystem::path& file) {
  elf_version(EV_CURRENT);
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  Elf* const elf = elf_begin(descriptor, ELF_C_READ_MMAP, nullptr);
  auto calls = find_in(elf);
  elf_end(elf);
  close(descriptor);
  std::sort(calls.begin(), calls.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  return calls;
}

}  // namespace steelyard::tool
