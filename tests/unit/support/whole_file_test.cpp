// SPDX-License-Identifier: Apache-2.0
#include "support/whole_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace steelyard::support {
namespace {

/// Of a file that holds `text`.
std::string read(const std::string& text, std::size_t limit, const char*& why) {
  std::FILE* const file = std::tmpfile();
  std::fwrite(text.data(), 1, text.size(), file);
  std::rewind(file);
  std::string room;
  const auto take = [&](std::size_t bytes) {
    room.assign(bytes, '?');
    return room.data();
  };
  const auto found = read_whole(fileno(file), limit, take, why);
  std::fclose(file);
  if (found.data() == nullptr) return "nothing";
  EXPECT_EQ(found.data()[found.size()], '\0');
  return {found.data(), found.size()};
}

TEST(WholeFile, IsReadFromBeginningToEnd) {
  const char* why = "";
  EXPECT_EQ(read("some text\nof two lines", 100, why), "some text\nof two lines");
  EXPECT_EQ(why, nullptr);
  EXPECT_EQ(read("", 100, why), "");
  EXPECT_EQ(why, nullptr);
}

TEST(WholeFile, HasFewerBytesThanTheLimit) {
  const char* why = nullptr;
  EXPECT_EQ(read("1234", 5, why), "1234");
  EXPECT_EQ(read("12345", 5, why), "nothing");
  EXPECT_STREQ(why, "it is too large");
}

TEST(WholeFile, IsAFile) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const char* why = nullptr;
  const auto none = [](std::size_t) { return static_cast<char*>(nullptr); };
  EXPECT_EQ(read_whole(ends[0], 100, none, why).data(), nullptr);
  EXPECT_STREQ(why, "it is not a regular file");
  EXPECT_EQ(read_whole(-1, 100, none, why).data(), nullptr);
  EXPECT_STREQ(why, std::strerror(EBADF));
  for (const int end : ends) close(end);
}

TEST(WholeFile, NeedsMemory) {
  std::FILE* const file = std::tmpfile();
  const char* why = nullptr;
  EXPECT_EQ(read_whole(
                fileno(file), 100, [](std::size_t) { return static_cast<char*>(nullptr); }, why)
                .data(),
            nullptr);
  EXPECT_STREQ(why, "no memory");
  std::fclose(file);
}

}  // namespace
}  // namespace steelyard::support
