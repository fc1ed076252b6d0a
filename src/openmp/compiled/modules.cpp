// SPDX-License-Identifier: Apache-2.0
// Linkers bind a program's weak reference to 0, whatever is loaded with it. So each rewritten unit has a note that tells where its
// module keeps the pointer to our table.
#include "openmp/compiled/modules.hpp"

#include <link.h>

#include <cstring>

namespace steelyard::openmp::compiled {
namespace {

using pointer = const table* volatile;

constexpr char owner[] = "steelyard";
constexpr ElfW(Word) version = 1;
constexpr std::size_t alignment = 4;

constexpr std::size_t aligned(std::size_t size) noexcept { return (size + alignment - 1) / alignment * alignment; }

/// The pointer that a note tells of; nullptr: it is none of ours.
pointer* pointer_of(const ElfW(Nhdr) & head, const unsigned char* behind) noexcept {
  std::int64_t distance = 0;
  if (head.n_type != version || head.n_namesz != sizeof owner || head.n_descsz != sizeof distance) return nullptr;
  if (std::memcmp(behind, owner, sizeof owner) != 0) return nullptr;
  const unsigned char* const from = behind + aligned(sizeof owner);
  std::memcpy(&distance, from, sizeof distance);
  return reinterpret_cast<pointer*>(const_cast<unsigned char*>(from) + distance);
}

}  // namespace

void set_pointers(const unsigned char* notes, std::size_t size, const table* to) noexcept {
  ElfW(Nhdr) head;
  while (size >= sizeof head) {
    std::memcpy(&head, notes, sizeof head);
    const std::size_t all = sizeof head + aligned(head.n_namesz) + aligned(head.n_descsz);
    if (head.n_namesz > size || head.n_descsz > size || all > size) return;
    if (pointer* const found = pointer_of(head, notes + sizeof head); found != nullptr) *found = to;
    notes += all;
    size -= all;
  }
}

void hook_modules(const table* to) noexcept {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* given) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_NOTE || segment.p_align > alignment) continue;
          set_pointers(reinterpret_cast<const unsigned char*>(info->dlpi_addr + segment.p_vaddr), segment.p_memsz,
                       static_cast<const table*>(given));
        }
        return 0;
      },
      const_cast<table*>(to));
}

}  // namespace steelyard::openmp::compiled
