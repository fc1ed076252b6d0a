// SPDX-License-Identifier: Apache-2.0
// openmp/host/text.hpp: JSON strings, a fixed buffer that fills.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "../support/scratch_file.hpp"
#include "openmp/host/text.hpp"

namespace {

using steelyard::openmp::text;
using support_tests::scratch;

std::string quoted(const char* piece) {
  text out;
  out.quoted(piece);
  return {out.data(), out.size()};
}

TEST(Text, QuotesStringsAsJson) {
  EXPECT_EQ(quoted(nullptr), "null");
  EXPECT_EQ(quoted(""), R"("")");
  EXPECT_EQ(quoted("plain /path/to file"), R"("plain /path/to file")");
  EXPECT_EQ(quoted(R"(a"b\c)"), R"("a\"b\\c")");
  EXPECT_EQ(quoted("\n\t\r\x01\x1f"), R"("\u000a\u0009\u000d\u0001\u001f")");
  EXPECT_EQ(quoted("\x20\x7e"), "\"\x20\x7e\"");
  EXPECT_EQ(quoted("Z\xc3\xbcrich"), "\"Z\xc3\xbcrich\"");
}

TEST(Text, PlainNamesStayOnTheirLine) {
  text out;
  out.plain("a\nb\x1b[1m\xc3\xbc ~");
  EXPECT_EQ(std::string(out.data(), out.size()), "a?b?[1m\xc3\xbc ~");
}

TEST(Text, QuotesOnlyUtf8) {
  for (const char* good :
       {"\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(quoted(good), "\"" + std::string(good) + "\"");
  }
  EXPECT_EQ(quoted("a\xff\xfez"), R"("a\ufffd\ufffdz")");
  EXPECT_EQ(quoted("\xc0\x80"), R"("\ufffd\ufffd")");            // longer than need be
  EXPECT_EQ(quoted("\xe0\x9f\xbf"), R"("\ufffd\ufffd\ufffd")");  // the same
  EXPECT_EQ(quoted("\xed\xa0\x80"), R"("\ufffd\ufffd\ufffd")");  // half of a surrogate pair
  EXPECT_EQ(quoted("\xf4\x90\x80\x80"), R"("\ufffd\ufffd\ufffd\ufffd")");
  EXPECT_EQ(quoted("\xe2\x82"), R"("\ufffd\ufffd")");  // cut short
  EXPECT_EQ(quoted("\xf0\x90\x80"), R"("\ufffd\ufffd\ufffd")");
}

TEST(Text, KeepsWhatFitsWhenItGoesNowhere) {
  text out;
  for (int i = 0; i < 10000; ++i) out.put("x", 1);
  EXPECT_EQ(out.size(), 4096U);
  out.add("%d", 12345).quoted("more");
  EXPECT_EQ(out.size(), 4096U);
  EXPECT_EQ(std::string(out.data(), out.size()), std::string(4096, 'x'));
}

TEST(Text, WritesEverythingInOrderWhenItGoesToAFile) {
  const scratch file;
  std::string wanted;
  {
    text out(file.descriptor());
    for (int i = 0; i < 5000; ++i) {
      out.add("%d,", i);
      wanted += std::to_string(i) + ",";
    }
    EXPECT_LE(out.size(), 4096U);
  }
  EXPECT_EQ(file.content(), wanted);
}

TEST(Text, CutsAFormattedPieceThatIsTooLong) {
  text out;
  const std::string piece(2000, 'y');
  out.add("%s", piece.c_str());
  EXPECT_EQ(std::string(out.data(), out.size()), std::string(511, 'y'));
}

TEST(Text, FormatsNothingFromNothing) {
  text out;
  out.add("%s", "").put("");
  EXPECT_EQ(out.size(), 0U);
}

}  // namespace
