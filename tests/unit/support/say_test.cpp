// SPDX-License-Identifier: Apache-2.0
#include "support/say.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "scratch_file.hpp"

namespace {

using steelyard::support::say;
using support_tests::scratch;

/// What `act` writes on descriptor 2.
template <class Act>
std::string on_stderr(Act act) {
  const scratch file;
  const int kept = dup(STDERR_FILENO);
  dup2(file.descriptor(), STDERR_FILENO);
  act();
  dup2(kept, STDERR_FILENO);
  close(kept);
  return file.content();
}

TEST(Say, WritesOneLine) {
  EXPECT_EQ(on_stderr([] { say("%s has %d", "it", 3); }), "steelyard: it has 3\n");
}

TEST(Say, KeepsToOneLineWhateverUsersWrite) {
  EXPECT_EQ(on_stderr([] { say("%s", "two\nlines\x1b[1m\t\x7f\xc3\xbc"); }), "steelyard: two?lines?[1m??\xc3\xbc\n");
}

TEST(Say, CutsALongLineAndEndsIt) {
  const std::string piece(5000, 'z');
  const std::string line = on_stderr([&] { say("%s", piece.c_str()); });
  EXPECT_EQ(line.size(), 1023U);
  EXPECT_EQ(line.substr(0, 14), "steelyard: zzz");
  EXPECT_EQ(line.back(), '\n');
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

}  // namespace
