// SPDX-License-Identifier: Apache-2.0
#include "read/symbolise.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace steelyard::tool {
namespace {

struct symbol {
  std::uint64_t address = 0, size = 0;
};

/// Of a dynamic symbol of the sample library, as in the file.
symbol find_symbol(const char* wanted) {
  elf_version(EV_CURRENT);
  const int file = open(SAMPLE_LIBRARY, O_RDONLY | O_CLOEXEC);
  Elf* elf = elf_begin(file, ELF_C_READ, nullptr);
  symbol found;
  for (auto* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNSYM) continue;
    for (int i = 0; i < static_cast<int>(header.sh_size / header.sh_entsize); ++i) {
      GElf_Sym one;
      gelf_getsym(elf_getdata(section, nullptr), i, &one);
      if (std::string(elf_strptr(elf, header.sh_link, one.st_name)) == wanted) found = {one.st_value, one.st_size};
    }
  }
  elf_end(elf);
  close(file);
  return found;
}

TEST(symbolise, code_of_a_function) {
  const auto outer = find_symbol("outer_function");
  ASSERT_NE(outer.size, 0U);
  symboliser source;
  const auto found = source.find(SAMPLE_LIBRARY, outer.address);
  EXPECT_EQ(std::filesystem::path(found.file).filename(), "sample_library.c");
  EXPECT_EQ(found.function, "outer_function");
  EXPECT_GE(found.line, 11U);
  EXPECT_LE(found.line, 13U);
}

TEST(symbolise, inlined_code_is_named_where_it_stands_in_the_source) {
  const auto outer = find_symbol("outer_function");
  symboliser source;
  bool met = false;
  for (auto at = outer.address; at < outer.address + outer.size; ++at) {
    const auto found = source.find(SAMPLE_LIBRARY, at);
    if (found.function != "inner_loop") continue;
    met = true;
    EXPECT_EQ(found.inlined_into, "outer_function");
    EXPECT_EQ(found.line, 8U);
  }
  EXPECT_TRUE(met);
}

TEST(symbolise, what_is_unknown_is_empty) {
  symboliser source;
  EXPECT_EQ(source.find("/nonexistent", 0x10).text("app+0x10"), "app+0x10");
  EXPECT_EQ(source.find(SAMPLE_LIBRARY, 0x7fffffff).line, 0U);
}

TEST(symbolise, text_of_a_place) {
  EXPECT_EQ((location{"/src/a.c", 12, "f", ""}.text("x")), "a.c:12 (f)");
  EXPECT_EQ((location{"", 0, "f", ""}.text("app+0x1")), "app+0x1 (f)");
  EXPECT_EQ(location{}.text("app+0x1"), "app+0x1");
}

TEST(symbolise, idents_of_clang) {
  EXPECT_EQ(from_ident(";a.c;work;12;3;;").text("x"), "a.c:12 (work)");
  EXPECT_EQ(from_ident(";unknown;unknown;0;0;;").text("x"), "x");
  EXPECT_EQ(from_ident("").text("x"), "x");
}

}  // namespace
}  // namespace steelyard::tool
