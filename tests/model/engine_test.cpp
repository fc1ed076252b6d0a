// SPDX-License-Identifier: Apache-2.0
// What the engine does besides the order of atomics: data, storage, waiting, signals, membarrier, mutants, replay.
#include <cstdlib>
#include <new>

#include "engine/mutants.hpp"
#include "litmus.hpp"
#include "support/assert.hpp"

namespace steelyard::model {
namespace {

constexpr site at{"test"};

/// A world of any shared state and a function for each thread.
template <class Shared>
struct custom {
  std::string name;
  std::vector<std::function<void(Shared&)>> threads;
  std::function<void(Shared&)> finish = [](Shared&) {};

  class instance : public world {
   public:
    explicit instance(const custom& test) : test_(test) {}
    void run(unsigned thread) override { test_.threads[thread](shared_); }
    void finish() override { test_.finish(shared_); }

   private:
    const custom& test_;
    Shared shared_;
  };

  [[nodiscard]] result run(const options& how = {}) const {
    return explore({name, static_cast<unsigned>(threads.size()), [this] { return std::make_unique<instance>(*this); }},
                   how);
  }
};

constexpr options interleaved{.how = strategy::interleavings};

bool fails_with(const result& found, const std::string& part) {
  return found.failed && found.failed->message.find(part) != std::string::npos;
}

struct mail {
  data<int> letter;
  door::atomic<int> flag;
};

custom<mail> post(sync::order write, sync::order read) {
  return {"post",
          {[=](mail& m) { m.letter.write(7), m.flag.store(1, write, at); },
           [=](mail& m) {
             if (m.flag.load(read, at) == 1) check(m.letter.read() == 7, "an old letter");
           }}};
}

TEST(data_race, is_found_without_synchronisation_and_only_then) {
  EXPECT_FALSE(post(release, acquire).run().failed);
  EXPECT_TRUE(fails_with(post(relaxed, acquire).run(), "data race"));
  EXPECT_TRUE(fails_with(post(release, relaxed).run(), "data race"));
  EXPECT_TRUE(fails_with(post(relaxed, relaxed).run(interleaved), "data race"));
}

TEST(data_race, two_reads_are_none_and_a_read_before_a_write_is_one) {
  const custom<mail> reads{"reads", {[](mail& m) { (void)m.letter.read(); }, [](mail& m) { (void)m.letter.read(); }}};
  EXPECT_FALSE(reads.run().failed);
  const custom<mail> write{"write", {[](mail& m) { (void)m.letter.read(); }, [](mail& m) { m.letter.write(1); }}};
  EXPECT_TRUE(fails_with(write.run(), "data race"));
}

struct box {
  alignas(8) std::byte storage[64];
  door::atomic<door::atomic<int>*> known{nullptr};
};

custom<box> publish(sync::order write, sync::order read) {
  return {"publish",
          {[=](box& b) { b.known.store(::new (static_cast<void*>(b.storage)) door::atomic<int>(5), write, at); },
           [=](box& b) {
             if (auto* const found = b.known.load(read, at)) check(found->load(relaxed, at) == 5, "not constructed");
           }}};
}

TEST(storage, construction_must_happen_before_use) {
  EXPECT_FALSE(publish(release, acquire).run().failed);
  EXPECT_TRUE(fails_with(publish(relaxed, acquire).run(), "construction"));
}

TEST(storage, use_must_happen_before_it_is_used_again) {
  const auto test = [](sync::order leave) {
    return custom<box>{"reuse",
                       {[](box& b) {
                          b.known.store(::new (static_cast<void*>(b.storage)) door::atomic<int>(5), release, at);
                          if (b.known.load(acquire, at) == nullptr)
                            ::new (static_cast<void*>(b.storage)) door::atomic<int>(6);
                        },
                        [=](box& b) {
                          auto* const found = b.known.load(acquire, at);
                          if (found == nullptr) return;
                          (void)found->load(relaxed, at);
                          b.known.store(nullptr, leave, at);
                        }}};
  };
  EXPECT_FALSE(test(release).run().failed);
  EXPECT_TRUE(fails_with(test(relaxed).run(), "storage is used again"));
}

TEST(waiting, for_a_store_that_never_comes_is_a_deadlock) {
  const custom<words> test{
      "deadlock", {[](words& w) { (void)w.x.await(relaxed, at, [](int x) { return x == 1; }); }, [](words&) {}}};
  EXPECT_TRUE(fails_with(test.run(), "deadlock"));
  EXPECT_TRUE(fails_with(test.run(interleaved), "deadlock"));
}

TEST(waiting, busy_for_a_store_that_comes_is_none) {
  const custom<words> test{"spin",
                           {[](words& w) {
                              while (w.x.load(acquire, at) == 0) door::pause();
                            },
                            [](words& w) { w.x.store(1, release, at); }}};
  for (const auto& how : {options{}, interleaved}) {
    const auto found = test.run(how);
    EXPECT_FALSE(found.failed) << found.failed->message;
    EXPECT_TRUE(found.exhausted);
    EXPECT_GT(found.executions, 0U);
  }
}

TEST(waiting, busy_for_a_store_that_never_comes_is_a_deadlock) {
  const custom<words> test{"livelock",
                           {[](words& w) {
                              while (w.x.load(acquire, at) != 2) door::pause();
                            },
                            [](words& w) { w.x.store(1, release, at); }}};
  EXPECT_TRUE(fails_with(test.run(), "deadlock"));
  const custom<words> endless{"endless", {[](words& w) {
                                for (;;) w.x.fetch_add(1, relaxed, at);
                              }}};
  EXPECT_TRUE(fails_with(endless.run(), "livelock"));
}

// Store buffering with the fence of one side paid by the other.
custom<words> asymmetric(bool light, bool heavy) {
  return {"asymmetric",
          {[=](words& w) {
             w.x.store(1, relaxed, at);
             if (light) door::light_fence(site{"light"});
             w.r[0] = w.y.load(relaxed, at);
           },
           [=](words& w) {
             w.y.store(1, relaxed, at);
             if (heavy) door::membarrier(site{"heavy"});
             w.r[1] = w.x.load(relaxed, at);
           }},
          [](words& w) { outcome(std::to_string(w.r[0]) + std::to_string(w.r[1])); }};
}

TEST(membarrier, orders_the_other_side_at_its_light_fence) {
  EXPECT_EQ(asymmetric(true, true).run(interleaved).outcomes, (outcomes{"01", "10", "11"}));
  EXPECT_EQ(asymmetric(false, true).run(interleaved).outcomes.count("00"), 1U);
  EXPECT_EQ(asymmetric(true, false).run(interleaved).outcomes.count("00"), 1U);
  EXPECT_TRUE(fails_with(asymmetric(true, true).run(), "interleavings"));
}

TEST(signals, the_handler_may_run_before_and_after_every_operation_or_never) {
  const custom<words> test{"handler",
                           {[](words& w) {
                              on_signal([&w] { w.r[0] = w.x.load(relaxed, at); });
                              w.x.store(1, relaxed, at);
                              w.x.store(2, relaxed, at);
                              (void)w.y.load(relaxed, at);
                            },
                            [](words&) { signal(0); }},
                           [](words& w) { outcome(std::to_string(w.r[0])); }};
  const auto found = test.run(interleaved);
  ASSERT_FALSE(found.failed) << found.failed->message;
  EXPECT_EQ(found.outcomes, (outcomes{"-1", "0", "1", "2"}));
}

TEST(signals, sending_does_not_synchronise) {
  const custom<mail> test{"signal",
                          {[](mail& m) {
                             on_signal([&m] { (void)m.letter.read(); });
                             (void)m.flag.load(relaxed, at);
                           },
                           [](mail& m) { m.letter.write(1), signal(0); }}};
  EXPECT_TRUE(fails_with(test.run(interleaved), "data race"));
}

struct counter {
  door::atomic<int> value;
};

TEST(assertions, fail_the_execution) {
  struct counted {
    door::atomic<int> count;
  };
  const custom<counted> test{"count",
                             {[](counted& c) { c.count.store(1, relaxed, at); },
                              [](counted& c) {
                                if (c.count.load(relaxed, at) == 1)
                                  support::fail_assertion("a.hpp", 7, "n == 0", "[I1] none");
                              }}};
  const auto found = test.run();
  EXPECT_TRUE(fails_with(found, "T1: a.hpp:7: assertion failed: n == 0: [I1] none"));
}

TEST(exploration, takes_seven_threads) {
  custom<counter> all{"seven", {}, [](counter& c) { check(c.value.load(relaxed, at) == 7, "not seven"); }};
  for (int t = 0; t < 7; ++t) all.threads.emplace_back([](counter& c) { c.value.fetch_add(1, relaxed, at); });
  const auto found = all.run();
  EXPECT_FALSE(found.failed);
  EXPECT_TRUE(found.exhausted);
  EXPECT_EQ(found.executions, 5040U);  // one for each order of the seven
  EXPECT_FALSE(all.run({.how = strategy::interleavings, .bound = 0}).failed);
}

TEST(exploration, a_failure_replays) {
  const auto test = post(relaxed, relaxed);
  for (const auto& how : {options{}, interleaved, options{.random = 1000, .seed = 3}}) {
    const auto found = test.run(how);
    ASSERT_TRUE(found.failed);
    setenv("STEELYARD_MODEL_REPLAY", found.failed->replay.c_str(), 1);
    testing::internal::CaptureStderr();
    const auto again = test.run();
    const auto printed = testing::internal::GetCapturedStderr();
    unsetenv("STEELYARD_MODEL_REPLAY");
    ASSERT_TRUE(again.failed) << found.failed->replay;
    EXPECT_EQ(again.failed->trace, found.failed->trace);
    EXPECT_NE(printed.find("data write"), std::string::npos);
  }
}

TEST(exploration, a_bound_on_switches_finds_less) {
  const litmus test{
      "bounded",
      2,
      {[](words& w) { w.x.store(1, relaxed, at), w.r[0] = w.y.load(seq_cst, at), w.x.store(2, relaxed, at); },
       [](words& w) { w.r[1] = w.x.load(relaxed, at), w.y.store(1, seq_cst, at); }}};
  options how = interleaved;
  const auto all = explore(scenario_of(test), how);
  how.bound = 0;
  const auto few = explore(scenario_of(test), how);
  EXPECT_TRUE(few.exhausted);
  EXPECT_LT(few.executions, all.executions);
  EXPECT_LT(few.outcomes.size(), all.outcomes.size());
}

TEST(mutants, are_generated_one_step_weaker) {
  const auto texts = [](const access& where) {
    outcomes result;
    for (const auto& m : mutations_of(where)) result.insert(m.text());
    return result;
  };
  EXPECT_EQ(texts({"s", operation::load, seq_cst, relaxed}), (outcomes{"load(seq_cst): order -> acquire"}));
  EXPECT_EQ(texts({"s", operation::store, release, relaxed}),
            (outcomes{"store(release): order -> relaxed", "store(release): dropped"}));
  EXPECT_EQ(texts({"s", operation::fence, seq_cst, relaxed}),
            (outcomes{"fence(seq_cst): order -> acq_rel", "fence(seq_cst): removed"}));
  EXPECT_EQ(texts({"s", operation::fetch_add, acq_rel, relaxed}),
            (outcomes{"fetch_add(acq_rel): order -> acquire", "fetch_add(acq_rel): order -> release",
                      "fetch_add(acq_rel): load, then store"}));
  EXPECT_EQ(texts({"s", operation::compare_exchange, seq_cst, acquire}),
            (outcomes{"compare_exchange(seq_cst, acquire): order -> acq_rel",
                      "compare_exchange(seq_cst, acquire): failure order -> relaxed",
                      "compare_exchange(seq_cst, acquire): load, then store",
                      "compare_exchange(seq_cst, acquire): failure ignored"}));
  EXPECT_EQ(texts({"s", operation::load, relaxed, relaxed}), outcomes{});
}

/// Dekker's entry with fences, and a superfluous one.
class dekker : public world {
 public:
  void run(unsigned thread) override {
    auto& own = thread == 0 ? x_ : y_;
    auto& other = thread == 0 ? y_ : x_;
    own.store(1, relaxed, site{"own"});
    door::fence(seq_cst, site{"fence"});
    if (other.load(relaxed, site{"other"}) == 0) inside_.write(1);
    door::fence(acq_rel, site{"idle"});
  }

 private:
  door::atomic<int> x_, y_;
  data<int> inside_;
};

TEST(mutants, are_killed_or_need_a_proof) {
  const protocol tested{"dekker", {{{"dekker", 2, [] { return std::make_unique<dekker>(); }}, {}}}};
  const std::string path = testing::TempDir() + "equivalent.txt";
  const auto complaints_with = [&](const char* proofs) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    std::fputs(proofs, file);
    std::fclose(file);
    return run_mutants(tested, path).complaints;
  };
  const auto none = complaints_with("");
  ASSERT_EQ(none.size(), 3U) << run_mutants(tested, path).table;
  for (const auto& complaint : none)
    EXPECT_NE(complaint.find("survived without a proof: dekker | idle"), std::string::npos);
  const std::string proofs =
      "dekker | idle | fence(acq_rel): removed | nothing follows\n"
      "dekker | idle | fence(acq_rel): order -> acquire | nothing\n  follows\n"
      "dekker | idle | fence(acq_rel): order -> release | nothing follows\n";
  EXPECT_TRUE(complaints_with(proofs.c_str()).empty());
  const auto stale = complaints_with((proofs + "dekker | gone | store(relaxed): dropped | a\n"
                                               "dekker | own | store(relaxed): dropped | b\n")
                                         .c_str());
  ASSERT_EQ(stale.size(), 2U);
  EXPECT_NE(stale[0].find("killed, but listed"), std::string::npos);
  EXPECT_NE(stale[1].find("not generated"), std::string::npos);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace steelyard::model
