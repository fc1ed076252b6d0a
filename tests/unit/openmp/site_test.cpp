// SPDX-License-Identifier: Apache-2.0
// The table of call sites: many addresses, addresses that share a slot, unloaded objects, threads.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "openmp/gomp/names.hpp"
#include "openmp/kmp/names.hpp"
#include "openmp/program/site.hpp"

namespace {

using namespace steelyard::openmp;

// Addresses in this program, at which nothing is: sites need only be told apart.
alignas(4096) constexpr unsigned char ground[1 << 20] = {1};

void* address(std::size_t offset) { return const_cast<unsigned char*>(ground + offset); }

std::size_t count_sites() {
  std::size_t count = 0;
  for (const site* each = first_site(); each != nullptr; each = each->next) ++count;
  return count;
}

/// `count` addresses of `ground` whose records want the same slot.
std::vector<void*> of_one_slot(std::size_t count) {
  std::map<std::size_t, std::vector<void*>> by_slot;
  for (std::size_t at = 0; at < sizeof ground; ++at) {
    auto& same = by_slot[slot_of(reinterpret_cast<std::uintptr_t>(address(at)))];
    same.push_back(address(at));
    if (same.size() == count) return same;
  }
  return {};
}

TEST(Sites, AnAddressHasOneRecord) {
  std::map<void*, site*> found;
  const std::size_t before = count_sites();
  for (std::size_t i = 0; i < 1500; ++i) found[address(i * 16)] = &site_of(address(i * 16), gomp::api);
  EXPECT_EQ(count_sites() - before, 1500U);
  for (int round = 0; round < 3; ++round) {
    for (const auto& [at, record] : found) {
      ASSERT_EQ(&site_of(at, gomp::api), record);
      ASSERT_EQ(record->address, reinterpret_cast<std::uintptr_t>(at));
    }
  }
  EXPECT_EQ(count_sites() - before, 1500U);
}

TEST(Sites, AddressesOfOneSlotKeepTheirRecords) {
  const auto addresses = of_one_slot(12);
  ASSERT_EQ(addresses.size(), 12U);
  std::vector<site*> records;
  for (void* each : addresses) records.push_back(&site_of(each, gomp::api));
  EXPECT_EQ(std::set<site*>(records.begin(), records.end()).size(), 12U);
  const std::size_t before = count_sites();
  for (int round = 0; round < 10; ++round) {
    for (std::size_t i = 0; i < 12; ++i) ASSERT_EQ(&site_of(addresses[i], gomp::api), records[i]);
    for (std::size_t i = 12; i-- > 0;) ASSERT_EQ(&site_of(addresses[i], gomp::api), records[i]);
  }
  EXPECT_EQ(count_sites(), before);
}

TEST(Sites, ARecordHasItsPlaceInItsModule) {
  const site& first = site_of(address(500001), gomp::api);
  const site& second = site_of(address(500101), gomp::api);
  ASSERT_NE(first.in, nullptr);
  EXPECT_EQ(first.in, second.in);
  EXPECT_EQ(second.offset - first.offset, 100U);
  EXPECT_EQ(first.in->path[0], '/');
  EXPECT_EQ(first.in->bias + first.offset + 1, reinterpret_cast<std::uintptr_t>(address(500001)));
}

TEST(Sites, ARecordWithoutARuntimeForwardsNowhere) {
  const site& at = site_of(address(600001), gomp::api);
  ASSERT_NE(at.native, nullptr);
  EXPECT_EQ(at.native->asks.num_threads(), 1);
  EXPECT_EQ(at.native->asks.thread_num(), 0);
  EXPECT_NE(at.native->entry<void()>(gomp::loop_end), nullptr);
}

TEST(Sites, RecordsKeepTheIdentOfTheirFirstCall) {
  char ident[] = ";a.c;f;3;4;;";
  const site& at = site_of(address(610001), kmp::api, ident);
  ident[1] = 'b';
  EXPECT_STREQ(at.ident, ";a.c;f;3;4;;");
  EXPECT_EQ(at.api, &kmp::api);
}

/// An object that is loaded where it was before has its old records.
TEST(Sites, AreFoundAgainAfterAnUnload) {
  std::vector<site*> records;
  for (std::size_t i = 0; i < 50; ++i) records.push_back(&site_of(address(700000 + i), gomp::api));
  const std::size_t before = count_sites();
  for (int round = 0; round < 100; ++round) {
    forget_addresses();
    for (const auto& slot : slots) ASSERT_EQ(slot.load(steelyard::sync::relaxed, steelyard::sync::site{"T1"}), nullptr);
    for (std::size_t i = 0; i < 50; ++i) ASSERT_EQ(&site_of(address(700000 + i), gomp::api), records[i]);
  }
  EXPECT_EQ(count_sites(), before);
}

/// Code made at run time belongs to no module.
TEST(Sites, OfNoModuleAreFoundAgainAfterAnUnload) {
  std::vector<unsigned char> made(64);
  site* const record = &site_of(made.data(), gomp::api);
  EXPECT_EQ(record->in, nullptr);
  const std::size_t before = count_sites();
  for (int round = 0; round < 100; ++round) {
    forget_addresses();
    ASSERT_EQ(&site_of(made.data(), gomp::api), record);
  }
  EXPECT_EQ(count_sites(), before);
}

/// Threads that meet a site first at the same time agree on its record.
TEST(Sites, ThreadsAgree) {
  constexpr std::size_t count = 300;
  constexpr std::size_t threads = 4;
  std::vector<site*> met[threads];
  std::atomic<std::size_t> turn{0};
  const std::size_t before = count_sites();
  std::vector<std::thread> team;
  for (auto& mine : met) {
    team.emplace_back([&] {
      for (std::size_t i = 0; i < count; ++i) {
        ++turn;
        while (turn < (i + 1) * threads) std::this_thread::yield();
        mine.push_back(&site_of(address(800000 + i * 8), gomp::api));
      }
    });
  }
  for (auto& thread : team) thread.join();
  EXPECT_EQ(count_sites() - before, count);
  for (const auto& mine : met) EXPECT_EQ(mine, met[0]);
}

TEST(Sites, ClearedStatisticsForgetWhatHappened) {
  site& at = site_of(address(900001), gomp::api);
  at.instances.add(3);
  at.regions.add(2);
  at.members.raise_to(7);
  at.members.raise_to(5);
  EXPECT_EQ(at.members.read(), 7U);
  at.last.set(fate::taken);
  clear_statistics();
  EXPECT_EQ(at.instances.read(), 0U);
  EXPECT_EQ(at.regions.read(), 0U);
  EXPECT_EQ(at.members.read(), 0U);
  EXPECT_EQ(at.last.get(), fate::none);
}

}  // namespace
