// SPDX-License-Identifier: Apache-2.0
// The engine against the standard: each test lists exactly what C++20 allows (but for loads that read stores of their own
// future).
#include "litmus.hpp"

namespace steelyard::model {
namespace {

constexpr site at{"litmus"};

const outcomes all_pairs{"0 0", "0 1", "1 0", "1 1"};
const outcomes not_zero_zero{"0 1", "1 0", "1 1"};
const outcomes in_order{"0 0", "0 1", "1 1"};

litmus store_buffering(sync::order write, sync::order read) {
  return {"SB",
          2,
          {[=](words& w) { w.x.store(1, write, at), w.r[0] = w.y.load(read, at); },
           [=](words& w) { w.y.store(1, write, at), w.r[1] = w.x.load(read, at); }}};
}

TEST(store_buffering, relaxed_and_release_acquire_allow_all) {
  expect_outcomes(store_buffering(relaxed, relaxed), all_pairs);
  expect_outcomes(store_buffering(release, acquire), all_pairs);
}

TEST(store_buffering, seq_cst_forbids_both_zero) {
  expect_outcomes(store_buffering(seq_cst, seq_cst), not_zero_zero);
  expect_outcomes(store_buffering(seq_cst, acquire), all_pairs);
  expect_outcomes(store_buffering(release, seq_cst), all_pairs);
}

litmus store_buffering_fences(sync::order first, sync::order second) {
  return {"SB+fences",
          2,
          {[=](words& w) { w.x.store(1, relaxed, at), door::fence(first, at), w.r[0] = w.y.load(relaxed, at); },
           [=](words& w) { w.y.store(1, relaxed, at), door::fence(second, at), w.r[1] = w.x.load(relaxed, at); }}};
}

TEST(store_buffering, two_seq_cst_fences_forbid_both_zero) {
  expect_outcomes(store_buffering_fences(seq_cst, seq_cst), not_zero_zero);
  expect_outcomes(store_buffering_fences(seq_cst, acq_rel), all_pairs);
  expect_outcomes(store_buffering_fences(acq_rel, acq_rel), all_pairs);
}

TEST(store_buffering, a_fence_against_seq_cst_operations) {
  const litmus test{
      "SB+fence+sc",
      2,
      {[](words& w) { w.x.store(1, relaxed, at), door::fence(seq_cst, at), w.r[0] = w.y.load(relaxed, at); },
       [](words& w) { w.y.store(1, seq_cst, at), w.r[1] = w.x.load(seq_cst, at); }}};
  expect_outcomes(test, not_zero_zero);
}

TEST(store_buffering, read_modify_writes_on_one_word_order) {
  const litmus test{
      "SB+rmws",
      2,
      {[](words& w) { w.x.store(1, relaxed, at), w.z.fetch_add(1, acq_rel, at), w.r[0] = w.y.load(relaxed, at); },
       [](words& w) { w.y.store(1, relaxed, at), w.z.fetch_add(1, acq_rel, at), w.r[1] = w.x.load(relaxed, at); }}};
  expect_outcomes(test, not_zero_zero);
}

litmus message_passing(sync::order write, sync::order read) {
  return {"MP",
          2,
          {[=](words& w) { w.x.store(1, relaxed, at), w.y.store(1, write, at); },
           [=](words& w) { w.r[0] = w.y.load(read, at), w.r[1] = w.x.load(relaxed, at); }}};
}

TEST(message_passing, needs_release_and_acquire) {
  expect_outcomes(message_passing(relaxed, relaxed), all_pairs);
  expect_outcomes(message_passing(release, relaxed), all_pairs);
  expect_outcomes(message_passing(relaxed, acquire), all_pairs);
  expect_outcomes(message_passing(release, acquire), in_order);
  expect_outcomes(message_passing(seq_cst, seq_cst), in_order);
}

litmus message_passing_fences(sync::order write, sync::order read) {
  return {"MP+fences",
          2,
          {[=](words& w) { w.x.store(1, relaxed, at), door::fence(write, at), w.y.store(1, relaxed, at); },
           [=](words& w) { w.r[0] = w.y.load(relaxed, at), door::fence(read, at), w.r[1] = w.x.load(relaxed, at); }}};
}

TEST(message_passing, fence_synchronises_with_fence) {
  expect_outcomes(message_passing_fences(release, acquire), in_order);
  expect_outcomes(message_passing_fences(acq_rel, seq_cst), in_order);
  expect_outcomes(message_passing_fences(acquire, acquire), all_pairs);
  expect_outcomes(message_passing_fences(release, release), all_pairs);
}

TEST(message_passing, fence_synchronises_with_atomic_and_atomic_with_fence) {
  const litmus fence_atomic{
      "MP+fence+acq",
      2,
      {[](words& w) { w.x.store(1, relaxed, at), door::fence(release, at), w.y.store(1, relaxed, at); },
       [](words& w) { w.r[0] = w.y.load(acquire, at), w.r[1] = w.x.load(relaxed, at); }}};
  expect_outcomes(fence_atomic, in_order);
  const litmus atomic_fence{
      "MP+rel+fence",
      2,
      {[](words& w) { w.x.store(1, relaxed, at), w.y.store(1, release, at); },
       [](words& w) { w.r[0] = w.y.load(relaxed, at), door::fence(acquire, at), w.r[1] = w.x.load(relaxed, at); }}};
  expect_outcomes(atomic_fence, in_order);
}

TEST(message_passing, a_fence_after_the_store_does_not_release_it) {
  const litmus test{"MP+late-fence",
                    2,
                    {[](words& w) { w.x.store(1, relaxed, at), w.y.store(1, relaxed, at), door::fence(seq_cst, at); },
                     [](words& w) { w.r[0] = w.y.load(acquire, at), w.r[1] = w.x.load(relaxed, at); }}};
  expect_outcomes(test, all_pairs);
}

TEST(release_sequence, a_read_modify_write_of_any_thread_continues_it) {
  const litmus test{"MP+rmw",
                    2,
                    {[](words& w) { w.x.store(1, relaxed, at), w.y.store(1, release, at); },
                     [](words& w) { w.y.fetch_add(2, relaxed, at); },
                     [](words& w) { w.r[0] = w.y.load(acquire, at), w.r[1] = w.x.load(relaxed, at); }}};
  expect_outcomes(test, {"0 0", "0 1", "1 1", "2 0", "2 1", "3 1"});
}

TEST(release_sequence, a_chain_of_read_modify_writes_continues_it) {
  const litmus test{"MP+rmws",
                    1,
                    {[](words& w) { w.x.store(1, relaxed, at), w.y.store(1, release, at); },
                     [](words& w) { w.y.fetch_add(2, relaxed, at); },
                     [](words& w) { w.y.exchange(8 + w.y.load(relaxed, at), relaxed, at); },
                     [](words& w) {
                       const int seen = w.y.load(acquire, at);
                       check(seen != 3 || w.x.load(relaxed, at) == 1, "read through the chain");
                       w.r[0] = 0;
                     }}};
  expect_outcomes(test, {"0"});
}

TEST(release_sequence, a_store_of_another_thread_ends_it) {
  const litmus test{"MP+store",
                    2,
                    {[](words& w) { w.x.store(1, relaxed, at), w.y.store(1, release, at); },
                     [](words& w) { w.y.store(2, relaxed, at); },
                     [](words& w) { w.r[0] = w.y.load(acquire, at), w.r[1] = w.x.load(relaxed, at); }}};
  expect_outcomes(test, {"0 0", "0 1", "1 1", "2 0", "2 1"});
}

TEST(release_sequence, a_later_store_of_the_same_thread_is_no_longer_part_of_it) {
  const litmus test{"MP+own-store",
                    2,
                    {[](words& w) { w.x.store(1, relaxed, at), w.y.store(1, release, at), w.y.store(2, relaxed, at); },
                     [](words& w) { w.r[0] = w.y.load(acquire, at), w.r[1] = w.x.load(relaxed, at); }}};
  expect_outcomes(test, {"0 0", "0 1", "1 1", "2 0", "2 1"});
}

litmus independent_reads(sync::order write, sync::order read) {
  return {"IRIW",
          4,
          {[=](words& w) { w.x.store(1, write, at); }, [=](words& w) { w.y.store(1, write, at); },
           [=](words& w) { w.r[0] = w.x.load(read, at), w.r[1] = w.y.load(read, at); },
           [=](words& w) { w.r[2] = w.y.load(read, at), w.r[3] = w.x.load(read, at); }}};
}

outcomes all_bits(unsigned count) {
  outcomes result;
  for (unsigned bits = 0; bits < 1U << count; ++bits) {
    std::string text;
    for (unsigned i = 0; i < count; ++i) {
      if (i != 0) text += ' ';
      text += (bits >> i & 1U) != 0 ? '1' : '0';
    }
    result.insert(text);
  }
  return result;
}

TEST(independent_reads, only_seq_cst_makes_readers_agree) {
  expect_outcomes(independent_reads(relaxed, relaxed), all_bits(4));
  expect_outcomes(independent_reads(release, acquire), all_bits(4));
  auto agreed = all_bits(4);
  agreed.erase("1 0 1 0");
  expect_outcomes(independent_reads(seq_cst, seq_cst), agreed);
}

TEST(independent_reads, seq_cst_fences_between_the_reads_make_readers_agree) {
  const litmus test{
      "IRIW+fences",
      4,
      {[](words& w) { w.x.store(1, relaxed, at); }, [](words& w) { w.y.store(1, relaxed, at); },
       [](words& w) { w.r[0] = w.x.load(relaxed, at), door::fence(seq_cst, at), w.r[1] = w.y.load(relaxed, at); },
       [](words& w) { w.r[2] = w.y.load(relaxed, at), door::fence(seq_cst, at), w.r[3] = w.x.load(relaxed, at); }}};
  auto agreed = all_bits(4);
  agreed.erase("1 0 1 0");
  expect_outcomes(test, agreed);
}

litmus two_plus_two_writes(sync::order first, sync::order second) {
  return {"2+2W",
          2,
          {[=](words& w) { w.x.store(1, first, at), w.y.store(2, second, at), w.z.store(1, release, at); },
           [=](words& w) {
             w.y.store(1, first, at), w.x.store(2, second, at);
             w.z.await(acquire, at, [](int z) { return z == 1; });
             w.r[0] = w.x.load(relaxed, at), w.r[1] = w.y.load(relaxed, at);
           }}};
}

TEST(two_plus_two_writes, only_seq_cst_forbids_the_cycle) {
  // The final values: 1 1 needs x: 2 before 1 and y: 2 before 1, against both threads' order.
  expect_outcomes(two_plus_two_writes(relaxed, relaxed), {"1 1", "1 2", "2 1", "2 2"});
  expect_outcomes(two_plus_two_writes(release, release), {"1 1", "1 2", "2 1", "2 2"});
  expect_outcomes(two_plus_two_writes(seq_cst, seq_cst), {"1 2", "2 1", "2 2"});
}

TEST(write_to_read_causality, release_acquire_is_cumulative) {
  const auto test = [](sync::order write, sync::order read) {
    return litmus{"WRC",
                  3,
                  {[](words& w) { w.x.store(1, relaxed, at); },
                   [=](words& w) { w.r[0] = w.x.load(relaxed, at), w.y.store(1, write, at); },
                   [=](words& w) { w.r[1] = w.y.load(read, at), w.r[2] = w.x.load(relaxed, at); }}};
  };
  expect_outcomes(test(relaxed, relaxed), all_bits(3));
  auto causal = all_bits(3);
  causal.erase("1 1 0");
  expect_outcomes(test(release, acquire), causal);
}

TEST(coherence, two_reads_of_one_word_do_not_go_back) {
  const litmus test{"CoRR",
                    2,
                    {[](words& w) { w.x.store(1, relaxed, at); },
                     [](words& w) { w.r[0] = w.x.load(relaxed, at), w.r[1] = w.x.load(relaxed, at); }}};
  expect_outcomes(test, in_order);
}

TEST(coherence, two_readers_agree_on_the_order_of_writes) {
  const litmus test{"CoRR2",
                    4,
                    {[](words& w) { w.x.store(1, relaxed, at); }, [](words& w) { w.x.store(2, relaxed, at); },
                     [](words& w) { w.r[0] = w.x.load(relaxed, at), w.r[1] = w.x.load(relaxed, at); },
                     [](words& w) { w.r[2] = w.x.load(relaxed, at), w.r[3] = w.x.load(relaxed, at); }}};
  const auto found = explore(scenario_of(test));
  EXPECT_EQ(found.outcomes.count("1 2 1 2"), 1U);
  EXPECT_EQ(found.outcomes.count("1 2 2 1"), 0U);
  EXPECT_EQ(found.outcomes.count("2 1 1 2"), 0U);
  // Each order of the writes allows 6 × 6, and they have 5 × 5 in common.
  EXPECT_EQ(found.outcomes.size(), 47U);
}

TEST(coherence, a_write_is_not_read_past_by_its_own_thread) {
  const litmus write_read{"CoWR",
                          1,
                          {[](words& w) { w.x.store(1, relaxed, at), w.r[0] = w.x.load(relaxed, at); },
                           [](words& w) { w.x.store(2, relaxed, at); }}};
  expect_outcomes(write_read, {"1", "2"});
  const litmus read_write{
      "CoRW",
      2,
      {[](words& w) { w.r[0] = w.x.load(relaxed, at), w.x.store(1, relaxed, at), w.r[1] = w.x.load(relaxed, at); },
       [](words& w) { w.x.store(2, relaxed, at); }}};
  expect_outcomes(read_write, {"0 1", "0 2", "2 1"});
}

TEST(coherence, happens_before_orders_the_writes) {
  const litmus test{
      "CoWW",
      2,
      {[](words& w) { w.x.store(1, relaxed, at), w.y.store(1, release, at); },
       [](words& w) { w.r[0] = w.y.load(acquire, at), w.x.store(2, relaxed, at), w.r[1] = w.x.load(relaxed, at); }}};
  expect_outcomes(test, {"0 1", "0 2", "1 2"});
}

TEST(load_buffering, is_a_documented_limit) {
  // C++20 also allows 1 1 here: a load that reads a store which needs that load to come first. The engine does not.
  const litmus test{"LB",
                    2,
                    {[](words& w) { w.r[0] = w.y.load(relaxed, at), w.x.store(1, relaxed, at); },
                     [](words& w) { w.r[1] = w.x.load(relaxed, at), w.y.store(1, relaxed, at); }}};
  expect_outcomes(test, {"0 0", "0 1", "1 0"});
}

TEST(read_modify_write, no_update_is_lost) {
  const litmus test{"RMW",
                    4,
                    {[](words& w) { w.r[0] = w.x.fetch_add(1, relaxed, at); },
                     [](words& w) { w.r[1] = w.x.fetch_add(1, relaxed, at); },
                     [](words& w) { w.r[2] = w.x.exchange(7, relaxed, at), w.r[3] = w.x.load(relaxed, at); }}};
  const auto found = explore(scenario_of(test));
  for (const auto& text : found.outcomes) EXPECT_NE(text.substr(0, 3), "0 0") << text;
  expect_outcomes(test, {"0 1 2 7", "1 0 2 7", "0 7 1 7", "0 7 1 8", "7 0 1 7", "7 0 1 8", "7 8 0 7", "7 8 0 8",
                         "7 8 0 9", "8 7 0 7", "8 7 0 8", "8 7 0 9"});
}

TEST(read_modify_write, strong_compare_exchange_fails_only_on_another_value) {
  const auto swap = [](words& w, int i) {
    int expected = 0;
    w.r[i] = w.x.compare_exchange(expected, i + 1, relaxed, relaxed, at) ? -5 : expected;
  };
  const litmus test{"CAS", 2, {[=](words& w) { swap(w, 0); }, [=](words& w) { swap(w, 1); }}};
  expect_outcomes(test, {"-5 1", "2 -5"});
}

// Where S and happens-before part ways: allowed in C++20, was forbidden in C++11 (Lahav et al., Z6.U).
TEST(seq_cst, order_need_not_follow_happens_before_through_weaker_operations) {
  const litmus test{"Z6.U",
                    3,
                    {[](words& w) { w.x.store(1, seq_cst, at), w.y.store(1, release, at); },
                     [](words& w) { w.r[0] = w.y.fetch_add(1, seq_cst, at), w.r[1] = w.y.load(relaxed, at); },
                     [](words& w) { w.y.store(3, seq_cst, at), w.r[2] = w.x.load(seq_cst, at); }}};
  const auto found = explore(scenario_of(test));
  EXPECT_EQ(found.outcomes.count("1 3 0"), 1U);
  // With y written by seq_cst, x = 1 strongly happens before the fetch_add.
  const litmus strong{"Z6.U+sc",
                      3,
                      {[](words& w) { w.x.store(1, seq_cst, at), w.y.store(1, seq_cst, at); },
                       [](words& w) { w.r[0] = w.y.fetch_add(1, seq_cst, at), w.r[1] = w.y.load(relaxed, at); },
                       [](words& w) { w.y.store(3, seq_cst, at), w.r[2] = w.x.load(seq_cst, at); }}};
  EXPECT_EQ(explore(scenario_of(strong)).outcomes.count("1 3 0"), 0U);
}

// A seq_cst fence also orders what is not seq_cst, when that happens before it in another thread (C++20, not C++11).
TEST(seq_cst, fences_are_cumulative) {
  const litmus test{
      "RWC+fences",
      3,
      {[](words& w) { w.x.store(1, relaxed, at); },
       [](words& w) { w.r[0] = w.x.load(relaxed, at), door::fence(seq_cst, at), w.r[1] = w.y.load(relaxed, at); },
       [](words& w) { w.y.store(1, relaxed, at), door::fence(seq_cst, at), w.r[2] = w.x.load(relaxed, at); }}};
  auto allowed = all_bits(3);
  allowed.erase("1 0 0");
  expect_outcomes(test, allowed);
}

TEST(seq_cst, a_seq_cst_load_may_read_a_weaker_store_out_of_the_way) {
  // A relaxed store is in no place of S: the seq_cst load may read before or after it.
  const litmus test{"SC+relaxed",
                    2,
                    {[](words& w) { w.x.store(1, relaxed, at), w.r[0] = w.y.load(seq_cst, at); },
                     [](words& w) { w.y.store(1, seq_cst, at), w.r[1] = w.x.load(seq_cst, at); }}};
  expect_outcomes(test, all_pairs);
}

TEST(seq_cst, stores_to_one_word_are_ordered_as_in_modification_order) {
  // S: y=1 (T1), x load 0 (T1), x=1 (T0), then T0's load of y reads the newest.
  const litmus test{
      "R+sc",
      2,
      {[](words& w) { w.x.store(1, seq_cst, at), w.y.store(1, seq_cst, at); },
       [](words& w) { w.y.store(2, seq_cst, at), w.r[0] = w.x.load(seq_cst, at), w.r[1] = w.y.load(seq_cst, at); }}};
  // y=1 before y=2 in S forces x=1 to be seen.
  expect_outcomes(test, {"0 1", "0 2", "1 1", "1 2"});
  const litmus final{"R+sc+final",
                     2,
                     {[](words& w) { w.x.store(1, seq_cst, at), w.y.store(1, seq_cst, at), w.z.store(1, release, at); },
                      [](words& w) {
                        w.y.store(2, seq_cst, at), w.r[0] = w.x.load(seq_cst, at);
                        w.z.await(acquire, at, [](int z) { return z == 1; });
                        w.r[1] = w.y.load(relaxed, at);
                      }}};
  expect_outcomes(final, {"0 1", "1 1", "1 2"});
}

}  // namespace
}  // namespace steelyard::model
