// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Lines of loops files and what they mean: the same to the parser, to the command and to the drop-in.
struct loops_line_case {
  std::string text;
  std::string place;     ///< empty: the line is refused, or (`schedule` is "nothing") holds no rule
  std::uint64_t offset;  ///< of a module
  std::uint32_t line;    ///< of a source file
  std::string schedule;  ///< as it is written out again; of a refused line the beginning of the reason
  bool may_be_absent = false;
};

inline std::vector<loops_line_case> loops_line_cases() {
  const std::string nothing = "nothing";
  const std::string no_site = "names no site";
  return {
      {"app+0x12f4 steal", "app", 0x12f4, 0, "steal"},
      {" \tapp+0xfF \t Static,3 \r", "app", 0xff, 0, "cyclic,3"},
      {"solver.c:218 DYNAMIC,64   # the hot one", "solver.c", 0, 218, "dynamic,64"},
      {"src/c++/solve.cpp:12 steal", "src/c++/solve.cpp", 0, 12, "steal"},
      {"/opt/lib/libx.so.1+0x10 wsri", "/opt/lib/libx.so.1", 0x10, 0, "wsri"},
      // Where no loop need run.
      {"app+0x12? steal", "app", 0x12, 0, "steal", true},
      {"solver.c:218? dynamic,64", "solver.c", 0, 218, "dynamic,64", true},
      // Names of any kind.
      {"my app+0x12 steal", "my app", 0x12, 0, "steal"},
      {"a  b\tc+0x12\tguided", "a  b\tc", 0x12, 0, "guided"},
      {"my file.c:7 steal # here", "my file.c", 0, 7, "steal"},
      {"a#b+0x12 steal", "a#b", 0x12, 0, "steal"},
      {"a b#c+0x12 steal #d", "a b#c", 0x12, 0, "steal"},
      {"a:3 b+0x1 steal", "a:3 b", 1, 0, "steal"},
      {"a+b+0x1 steal", "a+b", 1, 0, "steal"},
      {"a+0x2 b+0x1 steal", "a+0x2 b", 1, 0, "steal"},
      {"app+0xffffffffffffffff steal", "app", ~std::uint64_t{0}, 0, "steal"},
      {"app+0x00000000000000000012 steal", "app", 0x12, 0, "steal"},
      {"a.c:4294967294 steal", "a.c", 0, 4294967294U, "steal"},
      // No rule.
      {"", "", 0, 0, nothing},
      {" \t\r", "", 0, 0, nothing},
      {"# app+0x12 steal", "", 0, 0, nothing},
      {"\t# words", "", 0, 0, nothing},
      // Refused.
      {"app+0x12", "", 0, 0, "has no schedule"},
      {"app+0x12 #steal", "", 0, 0, "has no schedule"},
      {"a #b+0x12 steal", "", 0, 0, "has no schedule"},
      {"app+0x12 dynamic, 64", "", 0, 0, "has more than two words"},
      {"a.c:1 steal twice", "", 0, 0, "has more than two words"},
      {"app steal", "", 0, 0, no_site},
      {"+0x1 steal", "", 0, 0, no_site},
      {":12 steal", "", 0, 0, no_site},
      {"app+12 steal", "", 0, 0, no_site},
      {"app+0x steal", "", 0, 0, no_site},
      {"app+0x0 steal", "", 0, 0, no_site},
      {"app+0x1g steal", "", 0, 0, no_site},
      {"app+0x-5 steal", "", 0, 0, no_site},
      {"app+0X10 steal", "", 0, 0, no_site},
      {"app+0x10000000000000000 steal", "", 0, 0, no_site},
      {"a.c: steal", "", 0, 0, no_site},
      {"a.c:0 steal", "", 0, 0, no_site},
      {"a.c:-5 steal", "", 0, 0, no_site},
      {"a.c:12x steal", "", 0, 0, no_site},
      {"a.c:12?? steal", "", 0, 0, no_site},
      {"a.c? steal", "", 0, 0, no_site},
      {"a.c:4294967295 steal", "", 0, 0, no_site},
      {"a.c:18446744073709551617 steal", "", 0, 0, no_site},
      {std::string("a\0b+0x1 steal", 13), "", 0, 0, no_site},
      {"./app+0x12 steal", "", 0, 0, "names no module"},
      {"app+0x12 steal,0", "", 0, 0, "has a chunk out of range"},
      {"app+0x12 fastest", "", 0, 0, "is not a schedule"},
      {"app+0x12 as-written", "", 0, 0, "is not a schedule"},
  };
}
