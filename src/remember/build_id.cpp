// SPDX-License-Identifier: Apache-2.0
#include "remember/build_id.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include <cstring>
#include <span>

#include "support/segments.hpp"

namespace steelyard::remember {
#if __GLIBC_PREREQ(2, 35)
namespace {

constexpr std::size_t aligned(std::size_t size) noexcept { return (size + 3) / 4 * 4; }

void write_digits(const unsigned char* bytes, std::size_t count, char* into) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    *into++ = "0123456789abcdef"[bytes[i] / 16];
    *into++ = "0123456789abcdef"[bytes[i] % 16];
  }
  *into = '\0';
}

/// Among notes, which are aligned to four bytes.
bool find_in(const char* at, std::size_t size, char (&into)[room_for_build_id]) noexcept {
  ElfW(Nhdr) note;
  while (size >= sizeof note) {
    std::memcpy(&note, at, sizeof note);
    const std::size_t length = sizeof note + aligned(note.n_namesz) + aligned(note.n_descsz);
    if (length > size) return false;
    const char* const name = at + sizeof note;
    const bool is_gnu = note.n_namesz == sizeof "GNU" && std::memcmp(name, "GNU", sizeof "GNU") == 0;
    if (is_gnu && note.n_type == NT_GNU_BUILD_ID && note.n_descsz != 0 &&
        note.n_descsz <= (room_for_build_id - 1) / 2) {
      write_digits(reinterpret_cast<const unsigned char*>(name) + aligned(note.n_namesz), note.n_descsz, into);
      return true;
    }
    at += length;
    size -= length;
  }
  return false;
}

/// The loader's record of a statically linked program does not begin where its headers are. The kernel knows where these are.
std::span<const ElfW(Phdr)> headers_of(const dl_find_object& object) noexcept {
  const auto found = support::segments_of(object.dlfo_map_start);
  const char* const path = object.dlfo_link_map->l_name;
  if (!found.empty() || (path != nullptr && *path != '\0')) return found;
  return {reinterpret_cast<const ElfW(Phdr)*>(getauxval(AT_PHDR)), getauxval(AT_PHNUM)};
}

}  // namespace

bool find_build_id(std::uintptr_t address, char (&into)[room_for_build_id]) noexcept {
  dl_find_object found{};
  if (_dl_find_object(reinterpret_cast<void*>(address), &found) != 0) return false;
  for (const auto& each : headers_of(found)) {
    const auto* const notes = reinterpret_cast<const char*>(found.dlfo_link_map->l_addr + each.p_vaddr);
    if (each.p_type == PT_NOTE && each.p_align <= 4 && find_in(notes, each.p_memsz, into)) return true;
  }
  return false;
}
#else
bool find_build_id(std::uintptr_t, char (&)[room_for_build_id]) noexcept { return false; }
#endif

}  // namespace steelyard::remember
