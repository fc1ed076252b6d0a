// SPDX-License-Identifier: Apache-2.0
#include "runtime/richest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

struct tasks {
  std::ptrdiff_t count = 0;
  const void* of = nullptr;
  [[nodiscard]] bool has_some(const void* root) const { return count > 0 && (root == nullptr || root == of); }
  [[nodiscard]] std::ptrdiff_t size() const { return count; }
};
struct thread {
  tasks forks;
  tasks spawned;
};
using steelyard::runtime::richest;
using choice = richest<thread, tasks>;

TEST(Richest, NobodyHasAny) {
  std::vector<thread> all(6);
  choice found;
  for (auto& one : all) EXPECT_FALSE(found.meet(one, nullptr));
  EXPECT_EQ(found.thread, nullptr);
}

TEST(Richest, WhoHasMostOfTheFirstFew) {
  std::vector<thread> all{{{1}, {}}, {{}, {}}, {{2}, {5}}, {{3}, {}}, {{}, {1}}, {{9}, {}}};
  choice found;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(found.meet(all[i], nullptr));
  EXPECT_TRUE(found.meet(all[4], nullptr)) << "four had some";
  EXPECT_EQ(found.thread, &all[2]);
  EXPECT_EQ(found.deque, &all[2].spawned);
}

TEST(Richest, AmongEqualsTheFirst) {
  std::vector<thread> all{{{2}, {2}}, {{2}, {}}};
  choice found;
  for (auto& one : all) found.meet(one, nullptr);
  EXPECT_EQ(found.deque, &all[0].forks);
}

TEST(Richest, OnlyWhatDescendsFromTheRootCounts) {
  const int root = 0;
  std::vector<thread> all{{{9}, {}}, {{1, &root}, {7}}};
  choice found;
  for (auto& one : all) EXPECT_FALSE(found.meet(one, &root));
  EXPECT_EQ(found.deque, &all[1].forks);
}

/// Its size is read behind, when it may be empty already: it is asked all the same, if there is nobody else.
TEST(Richest, AHintThatIsOutOfDate) {
  struct emptied : tasks {
    [[nodiscard]] static std::ptrdiff_t size() { return 0; }
  };
  struct one {
    emptied forks{{1}};
    emptied spawned;
  } only;
  richest<one, emptied> found;
  EXPECT_FALSE(found.meet(only, nullptr));
  EXPECT_EQ(found.thread, &only);
}

}  // namespace
