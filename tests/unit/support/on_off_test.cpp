// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/on_off.hpp"

namespace {

using steelyard::support::on_or_off;

TEST(OnOff, WordsInAnyCase) {
  for (const char* word : {"1", "yes", "Yes", "true", "TRUE", "on", "On"}) EXPECT_EQ(on_or_off(word), true) << word;
  for (const char* word : {"0", "no", "NO", "false", "False", "off", "oFF"}) EXPECT_EQ(on_or_off(word), false) << word;
}

TEST(OnOff, AnythingElseIsNeither) {
  for (const char* word : {"", "2", "01", "y", "n", "yess", "ja", " 1", "on,", "-1", "o", "tru", "of"}) {
    EXPECT_EQ(on_or_off(word), std::nullopt) << word;
  }
}

}  // namespace
