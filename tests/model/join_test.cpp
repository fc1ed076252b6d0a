// SPDX-License-Identifier: Apache-2.0
#include "runtime/join.hpp"

#include <array>
#include <memory>

#include "protocol_test.hpp"
#include "waiting_hall.hpp"

namespace steelyard::model {
namespace {

/// A join waits for its fork, which a thief has; and then for the next one in the same slot.
class join : public with_hall {
 public:
  explicit join(bool threw, bool twice = false) : with_hall(0, 3), threw_(threw), twice_(twice) { word_.begin(); }
  void run(unsigned thread) override {
    if (thread == 2) {
      hall_.wake_waiters();  // for some other reason
    } else if (thread == 1) {
      end(threw_);
      if (!twice_) return;
      static_cast<void>(next_.await(sync::acquire, sync::site{"H1"}, [](bool there) { return there; }));
      end(threw_);
    } else {
      wait();
      if (!twice_) return;
      word_.begin();
      next_.store(true, sync::release, sync::site{"H2"});
      wait();
    }
  }

 private:
  void end(bool threw) {
    result_.write(7);
    if (word_.end(threw)) hall_.wake_waiters();
  }
  void wait() {
    await(word_, [this] { return word_.has_ended(); });
    check(result_.read() == 7, "no result");
    check(word_.has_failed() == threw_, "another ending");
    result_.write(0);
  }

  bool threw_;
  bool twice_;
  data<unsigned> result_;
  door::atomic<bool> next_;
  runtime::outcome<sync::model> word_;
};

/// A group: its owner has pushed `here` tasks, and thieves have them all; the first of them pushes another.
class group : public with_hall {
 public:
  explicit group(unsigned thieves) : with_hall(0, 3), thieves_(thieves) {}
  void run(unsigned thread) override {
    if (thread == 0) {
      await(tally_, [this] { return tally_.has_ended(thieves_); });
      for (unsigned i = 0; i < thieves_; ++i) check(results_[i].read() == 1, "a task has not ended");
      check(pushed_.read() == 1, "the task of a task has not ended");
      tally_.clear();
      check(tally_.has_ended(0) && !tally_.has_ended(1), "it cannot be used again");
    } else {
      results_[thread - 1].write(1);
      if (thread == 1) {
        tally_.push();
        pushed_.write(1);
        end();
      }
      end();
    }
  }

 private:
  void end() {
    if (tally_.end()) hall_.wake_waiters();
  }

  unsigned thieves_;
  std::array<data<unsigned>, 2> results_;
  data<unsigned> pushed_;
  runtime::group_count<sync::model> tally_;
};

/// The owner waits for something that a task of the group does before it ends, and nudges.
class nudged : public with_hall {
 public:
  nudged() : with_hall(0, 3) {}
  void run(unsigned thread) override {
    if (thread == 0) {
      await(tally_, [this] { return tally_.has_ended(1) || done_.load(sync::relaxed, sync::site{"H3"}); });
      check(!tally_.has_ended(1), "the task has not ended");
    } else if (thread == 1) {
      done_.store(true, sync::relaxed, sync::site{"H4"});
      tally_.push();
      if (tally_.end()) hall_.wake_waiters();
    } else {
      hall_.wake_waiters();  // for some other reason
    }
  }

 private:
  door::atomic<bool> done_;
  runtime::group_count<sync::model> tally_;
};

protocol tested() {
  return {"join",
          {{{"join/ends", 2, [] { return std::make_unique<join>(false); }}, {}},
           {{"join/woken_before", 3, [] { return std::make_unique<join>(false); }}, {}},
           {{"join/twice", 2, [] { return std::make_unique<join>(false, true); }}, {}},
           {{"join/throws", 2, [] { return std::make_unique<join>(true); }}, {}},
           {{"join/group", 2, [] { return std::make_unique<group>(1); }}, {}},
           {{"join/group_of_two", 3, [] { return std::make_unique<group>(2); }}, {.random = 20000}},
           {{"join/nudged", 2, [] { return std::make_unique<nudged>(); }}, {}},
           {{"join/nudged_awake", 3, [] { return std::make_unique<nudged>(); }}, {}}},
          "KP"};
}

TEST(join, who_waits_is_woken) { expect_holds(tested()); }
TEST(join, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
