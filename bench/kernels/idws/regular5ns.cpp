// SPDX-License-Identifier: Apache-2.0
// A regular loop whose body takes about 5 ns: what a schedule costs where there is nothing to balance.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "main.hpp"

namespace {

constexpr int rounds = 5;  // of two multiplications, for about 5 ns at 3 GHz

std::uint64_t mixed(std::uint64_t x) {
  for (int k = 0; k < rounds; ++k) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  }
  return x;
}

class regular5ns {
 public:
  explicit regular5ns(std::size_t n) : results_(n) {}

  void reset() { results_.assign(results_.size(), 0); }

  template <class Loop>
  void run(Loop& loop) {
    loop(static_cast<std::int64_t>(results_.size()), [results = results_.data()](std::int64_t i) {
      results[i] += static_cast<std::uint32_t>(mixed(static_cast<std::uint64_t>(i)) >> 32) | 1U;
    });
  }

  [[nodiscard]] std::uint64_t checksum() const {
    idws::checksum sum;
    for (const std::uint32_t result : results_) sum.add(result);
    return sum.value();
  }

 private:
  std::vector<std::uint32_t> results_;
};

int run(int argc, char** argv) {
  idws::settings chosen;
  long n = 16L << 20;
  idws::parse(chosen, argc, argv, "a regular loop with a body of about 5 ns",
              {argument_number("--states", "iterations", 1, 1L << 30, &n)});
  regular5ns kernel(static_cast<std::size_t>(n));
  std::printf("regular5ns: %ld iterations\n", n);
  return idws::measure(chosen, kernel);
}

}  // namespace

int main(int argc, char** argv) { return idws::guarded(run, argc, argv); }
