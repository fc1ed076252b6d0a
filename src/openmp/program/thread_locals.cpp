// SPDX-License-Identifier: Apache-2.0
#include "openmp/program/thread_locals.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <string_view>

#include "support/segments.hpp"

namespace steelyard::openmp {
#if __GLIBC_PREREQ(2, 35)
namespace {

/// Those of variables of each thread.
bool is_of_thread_local(std::uint64_t type) noexcept {
#if defined(__x86_64__)
  return type == R_X86_64_DTPMOD64 || type == R_X86_64_TPOFF64 || type == R_X86_64_TLSDESC;
#else
  return type == R_AARCH64_TLS_DTPMOD || type == R_AARCH64_TLS_TPREL || type == R_AARCH64_TLSDESC;
#endif
}

/// What an object's dynamic section says of its relocations.
class relocations {
 public:
  explicit relocations(const link_map& of) noexcept {
    for (const auto* each = of.l_ld; each->d_tag != DT_NULL; ++each) {
      // The loader has added where the object lies to most of these, but not everywhere.
      const std::uintptr_t at = each->d_un.d_ptr + (each->d_un.d_ptr < of.l_addr ? of.l_addr : 0);
      switch (each->d_tag) {
        case DT_RELA:
          all_[0].begin = reinterpret_cast<const ElfW(Rela)*>(at);
          break;
        case DT_RELASZ:
          all_[0].count = each->d_un.d_val / sizeof(ElfW(Rela));
          break;
        case DT_JMPREL:
          all_[1].begin = reinterpret_cast<const ElfW(Rela)*>(at);
          break;
        case DT_PLTRELSZ:
          all_[1].count = each->d_un.d_val / sizeof(ElfW(Rela));
          break;
        case DT_SYMTAB:
          symbols_ = reinterpret_cast<const ElfW(Sym)*>(at);
          break;
        case DT_STRTAB:
          names_ = reinterpret_cast<const char*>(at);
          break;
        default:
          break;
      }
    }
  }

  /// Whether that holds for the type and the symbol's name of any.
  template <class Condition>
  [[nodiscard]] bool any(Condition holds) const noexcept {
    return std::any_of(std::begin(all_), std::end(all_), [&](const part& of) {
      return of.begin != nullptr && std::any_of(of.begin, of.begin + of.count, [&](const auto& each) {
               const std::uint64_t symbol = ELF64_R_SYM(each.r_info);
               return holds(ELF64_R_TYPE(each.r_info), symbol != 0 ? names_ + symbols_[symbol].st_name : "");
             });
    });
  }

 private:
  struct part {
    const ElfW(Rela) * begin = nullptr;
    std::size_t count = 0;
  };
  part all_[2];  // of data, of calls
  const ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
};

/// Also where it cannot be seen.
bool has_own(const void* object) noexcept {
  const auto segments = support::segments_of(object);
  return segments.empty() ||
         std::any_of(segments.begin(), segments.end(), [](const auto& each) { return each.p_type == PT_TLS; });
}

}  // namespace

bool uses_thread_locals(std::uintptr_t address) noexcept {
  dl_find_object found{};
  if (_dl_find_object(reinterpret_cast<void*>(address), &found) != 0 || has_own(found.dlfo_map_start)) return true;
  return relocations(*found.dlfo_link_map).any([](std::uint64_t type, std::string_view name) {
    if (is_of_thread_local(type)) return !name.starts_with("_ZSt");
    return name.starts_with("__kmpc_threadprivate");  // as Flang has it, and Clang by an option
  });
}
#else
bool uses_thread_locals(std::uintptr_t) noexcept { return true; }
#endif

}  // namespace steelyard::openmp
