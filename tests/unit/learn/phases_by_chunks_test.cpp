// SPDX-License-Identifier: Apache-2.0
// Phases of ten instances under `jit`, where a loop may be handed out chunk by chunk: the library's loops, in virtual time.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

#include "learn/chooser.hpp"
#include "learn/shares.hpp"
#include "learn/ways.hpp"
#include "made_up_loop.hpp"

namespace steelyard::learn {
namespace {

constexpr std::uint64_t n = 100'000;
constexpr std::uint32_t members = 2;
constexpr double work = 1e7;  ///< ticks of all iterations
constexpr std::uint64_t fetch = 100;
constexpr int instances = 10;

/// As src/loop/run.cpp runs it. A fetch takes 100 ticks, so chunks of a fixed size cost 5 % (chunk_choice).
class loop_of_library {
 public:
  /// Runs an instance in the way that is chosen; what it took, against half of the work.
  double run(const spread& before) {
    const auto first = ways_.is_settled(n) ? 0 : shares_.first_block(static_cast<std::uint64_t>(work), members);
    const auto all = ways::of({n, members, rate_of(static_cast<std::uint64_t>(work), n),
                               static_cast<std::uint64_t>(work), 0, 10'000, first, fetch, fetch});
    const auto which = ways_.next(n, all.least);
    const way& how = all.all[which];
    bool cut_anew = false;
    const double took = how.is_handed_out() ? in_chunks(how, before) : in_blocks(how, before, cut_anew);
    ways_.took({which, n, static_cast<std::uint64_t>(took), shares_.phase_number(), cut_anew});
    return took / (work / members);
  }

 private:
  double in_blocks(const way& how, const spread& before, bool& cut_anew) {
    const std::uint32_t some = how.members;
    std::array<std::uint64_t, members> ends{};
    std::array<std::uint64_t, members> took{};
    if (!shares_.deal(n, some, ends.data())) {
      for (std::uint32_t m = 0; m < some; ++m) ends[m] = n * (m + 1) / some;
    }
    for (std::uint32_t m = 0; m < some; ++m) took[m] = cost(m != 0 ? ends[m - 1] : 0, ends[m], before);
    if (how.how == way::kind::shares) cut_anew = shares_.learn(n, some, ends.data(), took.data());
    return static_cast<double>(*std::max_element(took.begin(), took.end()));
  }
  /// Whoever is through first fetches the next.
  static double in_chunks(const way& how, const spread& before) {
    std::array<std::uint64_t, members> clock{};
    for (std::uint64_t at = 0; at < n;) {
      const std::uint64_t left = (n - at + members - 1) / members;
      const std::uint64_t count = how.how == way::kind::guided ? std::max(left, how.chunk) : how.chunk;
      const std::uint64_t end = std::min(n, at + count);
      *std::min_element(clock.begin(), clock.end()) += fetch + cost(at, end, before);
      at = end;
    }
    return static_cast<double>(*std::max_element(clock.begin(), clock.end()));
  }
  static std::uint64_t cost(std::uint64_t from, std::uint64_t to, const spread& before) {
    const auto at = [](std::uint64_t i) { return static_cast<double>(i) / static_cast<double>(n); };
    return static_cast<std::uint64_t>((before(at(to)) - before(at(from))) * work);
  }

  shares shares_;
  chooser ways_;
};

double lost(loop_of_library& of, const spread& costs) {
  double all = 0;
  for (int i = 0; i < instances; ++i) all += of.run(costs);
  return all / instances - 1;
}

spread dear_range(std::mt19937& dice) {
  const auto between = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice); };
  const double width = between(0.05, 0.5);
  const double at = between(0, 1 - width);
  const double part = between(0.5, 0.95);
  return [=](double x) {
    const double in = std::clamp(x - at, 0.0, width);
    return part * in / width + (1 - part) * (x - in) / (1 - width);
  };
}

TEST(phases_by_chunks, cost_little) {
  std::mt19937 dice(3);
  std::vector<double> fresh;
  std::vector<double> seen;
  for (int i = 0; i < 400; ++i) {
    const spread one = i == 0 ? falling : dear_range(dice);
    const spread other = i == 0 ? dear_begin : dear_range(dice);
    const auto of = std::make_unique<loop_of_library>();
    lost(*of, one);
    fresh.push_back(lost(*of, other));
    for (int again = 0; again < 4; ++again) seen.push_back(lost(*of, again % 2 == 0 ? one : other));
  }
  for (auto* each : {&fresh, &seen}) {
    std::sort(each->begin(), each->end());
    std::printf("%s: median %.1f %%, nine of ten %.1f %%, worst %.1f %%\n", each == &fresh ? "new" : "seen before",
                100 * (*each)[each->size() / 2], 100 * (*each)[each->size() * 9 / 10], 100 * each->back());
  }
  EXPECT_LT(fresh[fresh.size() / 2], 0.06);
  EXPECT_LT(fresh[fresh.size() * 9 / 10], 0.12);
  EXPECT_LT(fresh.back(), 0.35) << "learnt shares, or guided, were chosen";
  EXPECT_LT(seen[seen.size() * 9 / 10], 0.06);
  EXPECT_LT(seen.back(), 0.15);
}

}  // namespace
}  // namespace steelyard::learn
