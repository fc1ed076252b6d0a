// SPDX-License-Identifier: Apache-2.0
#include "dataflow/program_order.hpp"

#include <array>
#include <memory>

#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

constexpr unsigned most_records = 4;

/// A record is its number, and what it has done; 0: not yet.
struct record {
  data<unsigned> number;
  data<unsigned> done;
  record* next() { return this + 1; }
};

using task_frame = dataflow::program_order<sync::model, record>;

/// A world with one frame, and an invitation for a visitor.
class with_frame : public world {
 protected:
  explicit with_frame(bool invited) {
    frame_.begin(records_.data());
    invited_ = invited;
    if (invited) frame_.allow(records_.data() + records_.size());
  }

  void push() {
    record* const at = frame_.young();
    check(at >= records_.data() && at < records_.data() + most_records, "there is no such record");
    at->number.write(++pushed_);
    if (frame_.push(at + 1)) return;
    check(may_look_, "it looked in vain");
    frame_.lock();
    looked_ = !invited_;
    invited_ = true;
    frame_.allow(records_.data() + records_.size());
    frame_.unlock();
  }

  /// What has been done before it may be used, for it has ended, unless somebody is still at it.
  void run_one(record* it, const record* first, const record* but) {
    const auto number = static_cast<unsigned>(it - records_.data()) + 1;
    check(it->number.read() == number, "another record");
    check(it->done.read() == 0, "a record ran twice");
    for (record* before = records_.data(); before < first; ++before) {
      check(before == but || before->done.read() == 1, "an older record has not ended");
    }
    it->done.write(1);
  }

  /// By who was invited: runs what nobody has seen; false: there is nothing.
  bool visit() {
    frame_.lock();
    const auto part = frame_.unseen();
    check(part.first >= records_.data() && part.first <= part.end, "records that are none");
    record* const begun = frame_.begun();
    check(begun == nullptr || begun < part.first, "what was begun is handed over");
    for (record* it = part.first; it != part.end; ++it) run_one(it, part.first, begun);
    frame_.seen_to(part.end);
    if (part.first == part.end) invited_ = false;
    frame_.unlock();
    return part.first != part.end;
  }

  std::array<record, most_records + 1> records_;
  task_frame frame_;
  unsigned pushed_ = 0;
  bool invited_ = false;  // under the lock
  bool looked_ = false;   // the owner's
  bool may_look_ = true;
};

/// The owner runs in order while a visitor comes.
class handing_over : public with_frame {
 public:
  struct plan {
    unsigned records;  ///< pushed before the first is run
    unsigned then;     ///< when all have ended
    unsigned visits;
  };
  explicit handing_over(const plan& of) : with_frame(true), plan_(of) { may_look_ = of.visits != 0; }

  void run(unsigned thread) override {
    if (thread == 1) {
      for (unsigned i = 0; i < plan_.visits && visit(); ++i) continue;
      left_.store(true, sync::relaxed, sync::site{"H1"});
      return;
    }
    for (unsigned i = 0; i < plan_.records; ++i) push();
    own();
    for (unsigned i = 0; i < plan_.then; ++i) push();
    own();
  }

  void finish() override {
    for (unsigned i = 0; i < plan_.records + plan_.then; ++i) check(records_[i].done.read() == 1, "a record was lost");
  }

 private:
  void own() {
    for (;;) {
      const auto taken = frame_.take();
      if (taken.record == nullptr) break;
      check(taken.record < records_.data() + most_records, "a record that is none");
      check(!taken.is_last || taken.record + 1 == frame_.young(), "not the last");
      run_one(taken.record, taken.record, nullptr);
    }
    if (!frame_.is_handed_over()) return;
    frame_.lock();
    record* const begun = frame_.end_begun();
    check(begun == nullptr || begun->done.read() == 1, "begun, but not by the owner");
    const auto rest = frame_.rest();
    check(rest.first >= records_.data() && rest.first <= rest.end, "records that are none");
    for (record* it = rest.first; it != rest.end; ++it) run_one(it, rest.first, nullptr);
    frame_.seen_to(rest.end);
    frame_.unlock();
    // A group tells it in the runtime.
    static_cast<void>(left_.await(sync::relaxed, sync::site{"H2"}, [](bool left) { return left; }));
    frame_.lock();
    frame_.open_again();
    frame_.unlock();
    check(frame_.is_empty(), "there are records left");
  }

  plan plan_;
  door::atomic<bool> left_;
};

/// A visitor finds nothing and goes, and the owner pushes: one sees the other.
class farewell : public with_frame {
 public:
  explicit farewell(bool handed_over) : with_frame(true) {
    if (!handed_over) return;
    push();
    visit();
    frame_.allow(records_.data() + records_.size());
  }
  void run(unsigned thread) override {
    if (thread == 0) {
      push();
    } else {
      saw_ = visit();
    }
  }
  void finish() override {
    check(saw_ || looked_ || invited_, "nobody is invited");
    check(!saw_ || !looked_, "somebody was invited already");
  }

 private:
  bool saw_ = false;
};

/// Who was invited goes and rings; the owner hears it once, at its next take.
class leaving : public with_frame {
 public:
  leaving() : with_frame(true) {
    for (int i = 0; i < 3; ++i) push();
  }
  void run(unsigned thread) override {
    if (thread == 1) {
      frame_.lock();
      frame_.ring();
      frame_.unlock();
      gone_.store(true, sync::release, sync::site{"H3"});
      return;
    }
    unsigned rung = take();
    static_cast<void>(gone_.await(sync::acquire, sync::site{"H4"}, [](bool gone) { return gone; }));
    rung += take();
    check(rung == 1, "the ring was not heard");
    check(take() == 0, "it was heard twice");
  }
  void finish() override {
    for (unsigned i = 0; i < 3; ++i) check(records_[i].done.read() == 1, "a record was lost");
  }

 private:
  unsigned take() {
    const auto taken = frame_.take();
    check(taken.record != nullptr, "not its own");
    check(taken.is_last == (taken.record + 1 == frame_.young()), "not the last");
    run_one(taken.record, taken.record, nullptr);
    return taken.is_rung ? 1 : 0;
  }
  door::atomic<bool> gone_;
};

template <class World, class... Plan>
protocol::test test(const std::string& name, unsigned threads, options how, Plan... plan) {
  return {{"program_order/" + name, threads, [plan...] { return std::make_unique<World>(plan...); }}, how};
}

protocol tested() {
  using plan = handing_over::plan;
  constexpr options interleaved{.how = strategy::interleavings};
  constexpr options bounded{.how = strategy::interleavings, .bound = 3};
  return {
      "program_order",
      {test<handing_over>("one", 2, interleaved, plan{1, 0, 1}), test<handing_over>("two", 2, bounded, plan{2, 0, 1}),
       test<handing_over>("three", 2, {.how = strategy::interleavings, .bound = 2}, plan{3, 0, 1}),
       test<handing_over>("two_visits", 2, {.how = strategy::interleavings, .bound = 1}, plan{2, 1, 2}),
       test<handing_over>("no_visit", 2, interleaved, plan{2, 1, 0}), test<leaving>("leaving", 2, interleaved),
       test<farewell>("farewell", 2, interleaved, false), test<farewell>("farewell_later", 2, interleaved, true)}};
}

TEST(program_order, each_record_runs_once_and_in_order) { expect_holds(tested()); }
TEST(program_order, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
