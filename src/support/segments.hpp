// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>
#include <link.h>

#include <cstring>
#include <span>

namespace steelyard::support {

/// The program headers of the object that is loaded there: they lie where it begins. Empty: it is none that we know.
[[nodiscard]] inline std::span<const ElfW(Phdr)> segments_of(const void* object) noexcept {
  const auto* const begin = static_cast<const char*>(object);
  ElfW(Ehdr) header;
  std::memcpy(&header, begin, sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(ElfW(Phdr))) return {};
  return {reinterpret_cast<const ElfW(Phdr)*>(begin + header.e_phoff), header.e_phnum};
}

}  // namespace steelyard::support
