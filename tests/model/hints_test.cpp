// SPDX-License-Identifier: Apache-2.0
#include "schedules/hints.hpp"

#include <iterator>

#include "hand_out.hpp"
#include "schedules/random.hpp"
#include "schedules/steal.hpp"
#include "schedules/wsri.hpp"

namespace steelyard::model {
namespace {

/// A victim with 2 iterations left, not 5, is worth asking.
struct small_rules : schedules::wsri_rules {
  using ask = schedules::ask::fullest<2, true>;
};
using steal = schedules::stealing<sync::model, by_hints<schedules::steal_rules>>;
using wsri = schedules::stealing<sync::model, by_hints<small_rules>>;
using random = schedules::stealing<sync::model, by_hints<schedules::random_rules>>;

/// Where shares end that are known to cost the same.
constexpr std::uint64_t known[] = {2, 20, 24};
constexpr std::uint64_t dear[] = {40, 44, 60};
/// Member 0 takes its share, then the dear iterations 42 and 43 of member 1, and runs the first of them. The others run out.
constexpr schedules::member callers[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2};

protocol::test two() { return hand_out_test<steal>("hints/two", 2, {.iterations = 2, .members = 2}); }

protocol tested() {
  return {"hints",
          {two(), hand_out_test<steal>("hints/one_never_comes", 2, {.iterations = 3, .members = 3}, {.random = 3000}),
           hand_out_test<steal>("hints/one_comes", 1, {.iterations = 9, .members = 5}),
           hand_out_test<steal>("hints/copies", 2, {.iterations = 17, .members = 9}, {.random = 2000}),
           hand_out_test<steal>("hints/many", 3, {.iterations = 24, .members = 3}, {.random = 2000}),
           hand_out_test<steal>("hints/known", 3, {.iterations = 24, .members = 3, .known = {.ends = known}},
                                {.random = 2000}),
           // Then 43 is dear enough for a theft.
           calls_test<steal>("hints/dear_loot", {.iterations = 60, .members = 3, .known = {.ends = dear}},
                             {std::begin(callers), std::end(callers)}, {43, 1, 1}),
           hand_out_test<wsri>("hints/with_a_least", 2, {.iterations = 4, .members = 3}, {.random = 2000}),
           hand_out_test<random>("hints/any", 2, {.iterations = 3, .members = 3}, {.random = 2000}),
           // Member 0 has run out. Member 1, in its line, has said that it has less than member 2.
           calls_test<steal>("hints/of_the_fullest", {.iterations = 768, .members = 3, .chunk = 64},
                             {1, 1, 1, 0, 0, 0, 0, 0}, {640, 64, 1})},
          "AB"};  // of wsri
}

TEST(hints, lose_nothing) { expect_holds(tested()); }
TEST(hints, lead_to_victims) { expect_steals(two(), "1 0"); }
TEST(hints, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
