// SPDX-License-Identifier: Apache-2.0
// Tasks and what concerns the whole process.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <steelyard/pool.hpp>
#include <steelyard/task.hpp>

namespace {

using steelyard::join;
using steelyard::pool;

int fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

template <class F>
int in_child(F f) {
  const pid_t child = fork();
  if (child == 0) _exit(f() ? 0 : 1);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

TEST(Process, AChildOfForkHasItsOwnThreads) {
  pool three(3);
  three.run([] { EXPECT_EQ(fib(15), 610); });
  EXPECT_EQ(in_child([&three] {
              bool right = false;
              three.run([&right] { right = fib(18) == 2584; });
              return right;
            }),
            0);
  three.run([] { EXPECT_EQ(fib(15), 610); });
}

TEST(Process, PoolsComeAndGo) {
  for (int i = 0; i < 100; ++i) {
    pool(3).run([] { ASSERT_EQ(fib(8), 21); });
  }
}

TEST(Process, LittleAddressSpace) {
  EXPECT_EQ(in_child([] {
              pool two(2);
              rusage used{};
              getrusage(RUSAGE_SELF, &used);
              const rlimit tight{std::uint64_t{200} << 20, std::uint64_t{200} << 20};
              setrlimit(RLIMIT_AS, &tight);
              bool right = false;
              two.run([&right] { right = fib(15) == 610; });
              return right;
            }),
            0);
}

}  // namespace
