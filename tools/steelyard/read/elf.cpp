// SPDX-License-Identifier: Apache-2.0
#include "read/elf.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include <fmt/format.h>

namespace steelyard::tool {
namespace {

using elf_handle = std::unique_ptr<Elf, decltype(&elf_end)>;

#if defined(__x86_64__)
constexpr int own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int own_machine = EM_AARCH64;
#elif defined(__riscv)
constexpr int own_machine = EM_RISCV;
#elif defined(__powerpc64__)
constexpr int own_machine = EM_PPC64;
#else
constexpr int own_machine = EM_NONE;
#endif

std::string machine_name(int machine) {
  switch (machine) {
    case EM_386:
      return "32-bit x86";
    case EM_X86_64:
      return "x86-64";
    case EM_ARM:
      return "32-bit Arm";
    case EM_AARCH64:
      return "AArch64";
    case EM_RISCV:
      return "RISC-V";
    case EM_PPC64:
      return "POWER";
    default:
      return fmt::format("machine {}", machine);
  }
}

std::string read_interpreter(Elf* elf) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return {};
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_INTERP) continue;
    const auto* data = elf_getdata_rawchunk(elf, static_cast<int64_t>(header.p_offset), header.p_filesz, ELF_T_BYTE);
    if (data == nullptr || data->d_size == 0) return {};
    const std::string_view text(static_cast<const char*>(data->d_buf), data->d_size);
    return std::string(text.substr(0, text.find('\0')));
  }
  return {};
}

bool is_openmp_entry(std::string_view name) { return name.starts_with("GOMP_") || name.starts_with("__kmpc_"); }

/// The entries every runtime must define to start a team.
bool is_openmp_fork(std::string_view name) { return name == "GOMP_parallel" || name == "__kmpc_fork_call"; }

void read_symbols(Elf* elf, Elf_Data* data, const GElf_Shdr& header, elf_facts& facts) {
  const auto entries = header.sh_entsize == 0 ? 0 : header.sh_size / header.sh_entsize;
  for (std::size_t i = 0; i < entries; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
    const char* text = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (text == nullptr || !is_openmp_entry(text)) continue;
    if (symbol.st_shndx == SHN_UNDEF) {
      facts.imports_openmp = true;
    } else if (is_openmp_fork(text)) {
      facts.contains_openmp = true;
    }
  }
}

/// A runtime linked in and stripped leaves the names of the variables it reads; so does who sets or documents them.
bool names_runtime_variables(const Elf_Data* data) {
  const std::string_view bytes(static_cast<const char*>(data->d_buf), data->d_size);
  constexpr std::array variables = {std::string_view("GOMP_SPINCOUNT"), std::string_view("KMP_BLOCKTIME")};
  return std::any_of(variables.begin(), variables.end(),
                     [&](auto name) { return bytes.find(name) != std::string_view::npos; });
}

void read_section(Elf* elf, Elf_Scn* section, std::size_t names, elf_facts& facts) {
  GElf_Shdr header;
  if (gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) return;
  const char* name = elf_strptr(elf, names, header.sh_name);
  const bool constants =
      header.sh_type == SHT_PROGBITS && name != nullptr && std::string_view(name).starts_with(".rodata");
  const bool symbols = header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB;
  if (!symbols && !constants) return;
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return;
  if (symbols) read_symbols(elf, data, header, facts);
  if (constants) facts.mentions_openmp = facts.mentions_openmp || names_runtime_variables(data);
}

elf_facts read_facts(Elf* elf, const GElf_Ehdr& header) {
  elf_facts facts;
  facts.machine = machine_name(header.e_machine);
  facts.is_64_bit = header.e_ident[EI_CLASS] == ELFCLASS64;
  constexpr auto own_order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
  facts.same_machine = header.e_machine == own_machine && facts.is_64_bit == (sizeof(void*) == 8) &&
                       header.e_ident[EI_DATA] == own_order;
  facts.interpreter = read_interpreter(elf);
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) == 0) {
    for (auto* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
      read_section(elf, section, names, facts);
    }
  }
  return facts;
}

}  // namespace

std::optional<elf_facts> read_elf(const std::filesystem::path& file) {
  elf_version(EV_CURRENT);
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  std::optional<elf_facts> facts;
  {
    const elf_handle elf(elf_begin(descriptor, ELF_C_READ_MMAP, nullptr), &elf_end);
    GElf_Ehdr header;
    if (elf != nullptr && elf_kind(elf.get()) == ELF_K_ELF && gelf_getehdr(elf.get(), &header) != nullptr) {
      facts = read_facts(elf.get(), header);
    }
  }
  close(descriptor);
  return facts;
}

}  // namespace steelyard::tool
