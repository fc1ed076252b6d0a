// SPDX-License-Identifier: Apache-2.0
#include "loader.hpp"

#include "elf.hpp"
#include "scratch.hpp"

namespace steelyard::tool {
namespace {

TEST(loader_list, lines_with_a_place) {
  const auto found = parse_loader_list(
      "\tlinux-vdso.so.1 (0x00007ffd)\n\tlibasan.so.8 => /usr/lib/x/libasan.so.8 (0x00007f1)\n"
      "\tlibmissing.so => not found\n\tliba.so => /with blank/liba.so (0x1)\n\t/lib64/ld.so.2 (0x2)\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("libasan.so.8"), "/usr/lib/x/libasan.so.8");
  EXPECT_EQ(found.at("liba.so"), "/with blank/liba.so");
}

class loader : public scratch {};

TEST_F(loader, asks_the_programs_own) {
  const auto file = compile("plain", "int main(void) { return 0; }\n", "");
  const auto found = resolved_libraries(read_elf(file).value().interpreter, file);
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(std::filesystem::exists(found.begin()->second));
}

TEST_F(loader, a_loader_that_is_none) {
  EXPECT_TRUE(resolved_libraries("/nonexistent", "/bin/sh").empty());
  EXPECT_TRUE(resolved_libraries("/bin/false", "/bin/sh").empty());
}

}  // namespace
}  // namespace steelyard::tool
