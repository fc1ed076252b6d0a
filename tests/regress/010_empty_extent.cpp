// SPDX-License-Identifier: Apache-2.0
// A grid with an empty extent has no blocks, however many the other extents have: there is nothing to do, and nothing is thrown.
// A block without size was taken for one of size 1.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <steelyard/loop.hpp>

namespace {

using steelyard::extent;
using steelyard::parallel_for;

constexpr extent empty{0, 0};
constexpr extent reversed{5, 3};
constexpr extent huge{0, std::int64_t{1} << 40};
int failed = 0;

void require(bool condition, const char* what) {
  if (condition) return;
  std::printf("not so: %s\n", what);
  ++failed;
}

template <class Exception, class F>
bool throws(F f) {
  try {
    f();
  } catch (const Exception&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  const auto never = [](auto...) { require(false, "an empty grid has iterations"); };
  for (const extent& none : {empty, reversed}) {
    require(parallel_for(huge, huge, none, never), "planes and rows without columns");
    require(parallel_for(huge, none, huge, never), "planes and columns without rows");
    require(parallel_for(none, huge, huge, never), "rows and columns without planes");
    require(parallel_for(huge, none, never) && parallel_for(none, huge, never), "two dimensions");
  }
  require(throws<std::length_error>([&] { parallel_for(huge, huge, never); }), "2^80 blocks are too many");
  require(throws<std::length_error>([&] { parallel_for(huge, huge, {0, 1}, never); }), "in a cube, too");
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}}) {
    const extent wrong{0, 4, size};
    require(throws<std::invalid_argument>([&] { parallel_for(wrong, empty, never); }), "a block without rows");
    require(throws<std::invalid_argument>([&] { parallel_for(empty, wrong, never); }), "a block without columns");
    require(throws<std::invalid_argument>([&] { parallel_for(wrong, empty, empty, never); }), "without planes");
  }
  return failed == 0 ? 0 : 1;
}
