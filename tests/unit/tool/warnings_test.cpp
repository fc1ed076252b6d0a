// SPDX-License-Identifier: Apache-2.0
// What the compile launcher reads from the messages of compilers.
#include "launch/warnings.hpp"

#include <gtest/gtest.h>

namespace {

using steelyard::tool::launch::read_warnings;
using names = std::set<std::string>;

TEST(Warnings, OfGcc) {
  const auto found = read_warnings(
      "In file included from b.hpp:2,\n"
      "                 from a.cpp:1:\n"
      "c.hpp: In instantiation of 'void f(T) [with T = int]':\n"
      "a.cpp:7:4:   required from here\n"
      "c.hpp:3:7: warning: unused variable 'x' [-Wunused-variable]\n"
      "    3 |   int x;  // a.cpp:9:1: [-Wnone]\n"
      "      |       ^\n"
      "a.cpp: At global scope:\n"
      "a.cpp:9:13: warning: 'void g()' defined but not used [-Wunused-function]\n"
      "a.cpp:9:13: note: in expansion of macro 'G'\n"
      "At top level:\n"
      "cc1plus: note: unrecognized command-line option '-Wno-x' may have been intended to silence earlier "
      "diagnostics\n");
  EXPECT_EQ(found.all, (names{"a.cpp:9: [-Wunused-function]", "c.hpp:3: [-Wunused-variable]"}));
  EXPECT_TRUE(found.only);
  EXPECT_TRUE(found.with_notes.contains("c.hpp:3: [-Wunused-variable]"));
  EXPECT_FALSE(found.with_notes.contains("a.cpp:7: [-Wunused-variable]")) << "it does not follow that";
}

TEST(Warnings, OfMacrosAreAlsoWhereThoseAreUsed) {
  const auto found = read_warnings(
      "a.c:1:30: warning: unused variable 'x' [-Wunused-variable]\n"
      "    1 | #define F ({ int x; })\n"
      "a.c:6:60: note: in expansion of macro 'F'\n");
  EXPECT_EQ(found.all, names{"a.c:1: [-Wunused-variable]"});
  EXPECT_EQ(found.with_notes, (names{"a.c:1: [-Wunused-variable]", "a.c:6: [-Wunused-variable]"}));
}

TEST(Warnings, OfWhatIsInlined) {
  const auto found = read_warnings(
      "In function 'f',\n"
      "    inlined from 'g' at a.c:20:3,\n"
      "    inlined from 'main._omp_fn.0' at a.c:35:3:\n"
      "a.c:8:46: warning: 'c' may be used uninitialized [-Wmaybe-uninitialized]\n"
      "In member function 'void A::h()',\n"
      "    inlined from 'main._omp_fn.0' at a.c:35:3:\n"
      "a.c:9:46: warning: 'd' may be used uninitialized [-Wmaybe-uninitialized]\n");
  EXPECT_EQ(found.all, (names{"a.c:8: [-Wmaybe-uninitialized]", "a.c:9: [-Wmaybe-uninitialized]"}));
  EXPECT_TRUE(found.only);
}

TEST(Warnings, OfClang) {
  const auto found = read_warnings(
      "warning: unknown warning option '-Wno-x' [-Wunknown-warning-option]\n"
      "a.c:3:7: warning: unused variable 'x' [-Wunused-variable]\n"
      "    3 |   int x;\n"
      "      |       ^\n"
      "dir/b:c.c:4:7: warning: unused variable 'y' [-Wunused-variable]\n"
      "2 warnings generated.\n");
  EXPECT_EQ(found.all,
            (names{" [-Wunknown-warning-option]", "a.c:3: [-Wunused-variable]", "dir/b:c.c:4: [-Wunused-variable]"}));
  EXPECT_TRUE(found.only);
}

TEST(Warnings, OfOptionsWithoutAName) {
  const auto found = read_warnings(
      "cc1plus: warning: command-line option '-Wstrict-prototypes' is valid for C/ObjC but not for C++\n"
      "warning: optimization level '-O5' is not supported; using '-O3' instead\n");
  EXPECT_EQ(found.all,
            (names{" cc1plus: warning: command-line option '-Wstrict-prototypes' is valid for C/ObjC but not for C++",
                   " warning: optimization level '-O5' is not supported; using '-O3' instead"}));
  EXPECT_EQ(found.with_notes, found.all);
  EXPECT_TRUE(found.only);
  EXPECT_EQ(
      read_warnings("clang: warning: argument unused during compilation: '-lm' [-Wunused-command-line-argument]\n").all,
      names{" [-Wunused-command-line-argument]"});
  EXPECT_FALSE(read_warnings("cc1: error: unrecognized command-line option '-Wnone'\n").only);
  EXPECT_FALSE(read_warnings("a.c:3:7: warning: with a place, and no name\n").only);
  EXPECT_FALSE(read_warnings("a.c:3: warning: the same\n").only);
}

TEST(Warnings, AnotherLanguageColoursAndNoColumns) {
  const auto found = read_warnings(
      "\33[01m\33[Ka.c:3:7:\33[m\33[K \33[01;35m\33[KWarnung: \33[m\33[KVariable wird nicht verwendet "
      "[\33[01;35m\33[K-Wunused-variable\33[m\33[K]\n"
      "a.c:4: warning: the same [-Wunused-variable]\n");
  EXPECT_EQ(found.all, (names{"a.c:3: [-Wunused-variable]", "a.c:4: [-Wunused-variable]"}));
  EXPECT_TRUE(found.only);
}

TEST(Warnings, WhatIsNone) {
  for (const char* other :
       {"a.c:3:7: error: expected ';'\n", "a.c:3:7: warning: without a name\n", "a.c:3:7: remark: vectorized loop\n",
        "a.c:3:7: optimized: loop vectorized\n", "[{\"kind\": \"warning\"}]\n", "a b: warning: of a sentence\n",
        "a.o: in function `f':\n", "Internal compiler error\n", "a.c:3:7: error: unused [-Werror=unused]\n"}) {
    EXPECT_TRUE(read_warnings(other).all.empty()) << other;
    EXPECT_FALSE(read_warnings(other).only) << other;
  }
  EXPECT_TRUE(read_warnings("").only);
  EXPECT_TRUE(read_warnings("\33[").only) << "a colour that is cut off";
}

}  // namespace
