// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>

#include "deque_kin.hpp"
#include "deque_lot.hpp"
#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

/// Each thief's way to a task: it takes at once, after it has rung, or when the owner has ended without an answer.
enum class way { take, ring_and_take, ring };

class workshop : public with_lot {
 public:
  struct plan {
    unsigned tasks;  ///< that the owner pushes before it pops any
    way how;
    unsigned thieves = 1;
    unsigned then = 0;      ///< tasks that it pushes and pops when the first are done
    unsigned requests = 1;  ///< of each thief
  };

  explicit workshop(const plan& of) : plan_(of) {}

  void run(unsigned thread) override {
    if (thread != 0) {
      for (unsigned i = 0; i < plan_.requests; ++i) steal(thread - 1);
      return;
    }
    own(0, plan_.tasks);
    own(plan_.tasks, plan_.then);
    done_.store(true, sync::relaxed, sync::site{"H11"});
  }

  void finish() override {
    for (unsigned i = 0; i < plan_.tasks + plan_.then; ++i) check(ran_[i].read() == 1, "a task was lost");
  }

 private:
  auto find() {
    return [this](std::uint32_t number) -> wish& {
      check(number < wishes_.size(), "there is no such thief");
      return wishes_[number];
    };
  }

  void own(unsigned first, unsigned count) {
    slot* const bottom = deque_.young();
    for (unsigned i = 0; i < count; ++i) push(first + i + 1);
    for (unsigned i = count; i-- > 0;) {
      if (deque_.pop(find())) {
        check(deque_.young() == bottom + i, "the youngest is another");
        run_task(young().task.read(), first + i + 1);
      } else {
        check(deque_.young() == bottom + i + 1, "older tasks are left");
        deque_.free_from(bottom, find());
        return;
      }
    }
    check(deque_.young() == bottom, "the deque is not empty");
  }

  void run_task(unsigned number, unsigned expected) {
    check(number == expected, "another task");
    auto& runs = ran_[number - 1];
    check(runs.read() == 0, "a task ran twice");
    runs.write(1);
  }

  void steal(unsigned thief) {
    auto& self = wishes_[thief];
    if (!deque_.has_some() || !deque_.ask(self, thief)) return;
    if (plan_.how != way::take) deque_.ring();
    if (plan_.how != way::ring) deque_.take(find());
    auto heard = self.hear();
    for (; heard.what == wish::answer::none; heard = self.hear()) {
      if (plan_.how == way::ring && done_.load(sync::relaxed, sync::site{"H12"})) deque_.take(find());
      sync::model::pause();
    }
    if (heard.what == wish::answer::refused) return;
    check(heard.task != nullptr, "a task that is none was given");
    check(heard.task->thief.load(sync::relaxed, sync::site{"H10"}) != 0, "not marked");
    const unsigned number = self.copy().task.read();
    check(number != 0 && number <= most_tasks, "no task");
    run_task(number, number);
  }

  plan plan_;
  std::array<wish, 2> wishes_;
  std::array<data<unsigned>, most_tasks> ran_;
  door::atomic<bool> done_;
};

/// Somebody goes to sleep while another pushes: one of the two sees the other, whatever was pushed and popped before.
class dormitory : public with_lot {
 public:
  explicit dormitory(unsigned before) : before_(before) {}
  void run(unsigned thread) override {
    if (thread == 0) {
      for (unsigned i = 0; i < before_; ++i) {
        put(1);
        if (!deque_.pop([](std::uint32_t) -> wish& { fail("nobody asks"); })) fail("nobody steals");
      }
      put(2);
    } else {
      asleep_.store(true, sync::relaxed, sync::site{"H2"});
      deque_.ring_push();
      sync::model::membarrier(sync::site{"H3"});
      task_seen_ = deque_.has_some();
    }
  }
  void finish() override { check(sleeper_seen_ || task_seen_, "a task is pushed and everybody sleeps"); }

 private:
  void put(unsigned number) {
    young().task.write(number);
    if (deque_.push()) return;
    deque_.look_up();
    sleeper_seen_ |= asleep_.load(sync::relaxed, sync::site{"H1"});
  }

  unsigned before_;
  bool sleeper_seen_ = false;
  bool task_seen_ = false;
  door::atomic<bool> asleep_;
};

/// One goes to sleep while another has taken the task that is being pushed, and rings as well: the owner hears both.
class overheard : public with_thieves {
 public:
  overheard() : with_thieves(1) { static_cast<void>(deque_.pop(find())); }
  void run(unsigned thread) override {
    if (thread == 0) {
      put(2);
      put(3);
    } else if (thread == 1) {
      if (!deque_.has_some()) return;
      while (!deque_.ask(wishes_[0], 0)) sync::model::pause();
      deque_.take(find());
      taken_ = wishes_[0].hear().what == wish::answer::given;
      deque_.ring_push();
    } else {
      asleep_.store(true, sync::relaxed, sync::site{"H14"});
      deque_.ring_push();
      sync::model::membarrier(sync::site{"H15"});
      task_seen_ = deque_.has_some();
    }
  }
  void finish() override { check(sleeper_seen_ || task_seen_ || !taken_, "a task is pushed beside one that sleeps"); }

 private:
  void put(unsigned number) {
    young().task.write(number);
    if (deque_.push()) return;
    deque_.look_up();
    sleeper_seen_ |= asleep_.load(sync::relaxed, sync::site{"H16"});
  }

  bool taken_ = false;
  bool sleeper_seen_ = false;
  bool task_seen_ = false;
  door::atomic<bool> asleep_;
};

/// The owner computes. Two thieves take for themselves, and for each other.
class abandoned : public with_thieves {
 public:
  abandoned(unsigned tasks, unsigned requests) : with_thieves(tasks), tasks_(tasks), requests_(requests) {}
  void run(unsigned thread) override {
    for (unsigned i = 0; i < requests_; ++i) steal(thread);
  }
  void finish() override {
    for (unsigned i = 0; i < tasks_; ++i) check(ran_[i].read() == 1, "a task was left");
  }

 private:
  void steal(unsigned thread) {
    while (!deque_.ask(wishes_[thread], thread)) sync::model::pause();
    deque_.take(find());
    auto heard = wishes_[thread].hear();
    for (; heard.what == wish::answer::none; heard = wishes_[thread].hear()) sync::model::pause();
    if (heard.what == wish::answer::refused) return;
    const unsigned number = wishes_[thread].copy().task.read();
    check(number != 0 && number <= tasks_, "no task");
    check(ran_[number - 1].read() == 0, "a task ran twice");
    ran_[number - 1].write(1);
  }

  unsigned tasks_;
  unsigned requests_;
  std::array<data<unsigned>, most_tasks> ran_;
};

/// Who rings is answered at the next pop, though somebody else was answered before; who does not ring is not.
class bell : public with_thieves {
 public:
  explicit bell(bool second_rings) : with_thieves(4), second_rings_(second_rings) {}
  void run(unsigned thread) override {
    if (thread == 0) {
      check(deque_.pop(find()), "the youngest is nobody else's");
      popped_.store(true, sync::relaxed, sync::site{"H8"});
      static_cast<void>(rung_.await(sync::acquire, sync::site{"H4"}, [](bool rung) { return rung; }));
      check(deque_.pop(find()), "the youngest is nobody else's");
      const bool answered = wishes_[1].hear().what == wish::answer::given;
      check(answered == second_rings_, second_rings_ ? "rung and not answered" : "a pop looks though nobody rings");
    } else if (thread == 1) {
      while (!deque_.ask(wishes_[0], 0)) sync::model::pause();
      deque_.ring();
      if (!second_rings_) deque_.take(find());
      first_.store(true, sync::relaxed, sync::site{"H5"});
    } else {
      // At the same time as the first; or when that has been answered.
      if (!second_rings_) {
        static_cast<void>(first_.await(sync::relaxed, sync::site{"H6"}, [](bool done) { return done; }));
        static_cast<void>(popped_.await(sync::relaxed, sync::site{"H9"}, [](bool done) { return done; }));
      }
      while (!deque_.ask(wishes_[1], 1)) sync::model::pause();
      if (second_rings_) deque_.ring();
      rung_.store(true, sync::release, sync::site{"H7"});
    }
  }

 private:
  bool second_rings_;
  door::atomic<bool> popped_;
  door::atomic<bool> first_;
  door::atomic<bool> rung_;
};

/// A thief gets a task that was pushed before others that are popped again: what it reads of the tail is that pop's.
class shadow : public with_thieves {
 public:
  shadow() : with_thieves(0) {}
  void run(unsigned thread) override {
    if (thread == 0) {
      push(1);
      push(2);
      check(deque_.pop(find()) && young().task.read() == 2, "the youngest is nobody else's");
      return;
    }
    if (!deque_.has_some() || !deque_.ask(wishes_[0], 0)) return;
    deque_.take(find());
    const auto heard = wishes_[0].hear();
    check(heard.what != wish::answer::given || wishes_[0].copy().task.read() == 1, "another task");
  }
};

protocol::test workshop_test(const std::string& name, const workshop::plan& of, options how = {}) {
  how.how = strategy::interleavings;
  return {{"deque/" + name, 1 + of.thieves, [of] { return std::make_unique<workshop>(of); }}, how};
}

protocol tested() {
  constexpr options interleaved{.how = strategy::interleavings};
  return {
      "deque",
      {{{"deque/kin", 1, [] { return std::make_unique<kin>(); }}, interleaved},
       {{"deque/clan", 1, [] { return std::make_unique<clan>(); }}, interleaved},
       {{"deque/sleep", 2, [] { return std::make_unique<dormitory>(0); }}, interleaved},
       {{"deque/sleep_after_a_push", 2, [] { return std::make_unique<dormitory>(1); }}, interleaved},
       {{"deque/overheard", 3, [] { return std::make_unique<overheard>(); }},
        {.how = strategy::interleavings, .bound = 1}},
       {{"deque/abandoned", 2, [] { return std::make_unique<abandoned>(2, 1); }}, interleaved},
       {{"deque/abandoned_and_asked_again", 1, [] { return std::make_unique<abandoned>(2, 2); }}, interleaved},
       {{"deque/shadow", 2, [] { return std::make_unique<shadow>(); }}, interleaved},
       {{"deque/bell", 3, [] { return std::make_unique<bell>(true); }}, {.how = strategy::interleavings, .bound = 2}},
       {{"deque/polite", 3, [] { return std::make_unique<bell>(false); }},
        {.how = strategy::interleavings, .bound = 2}},
       {{"deque/family", 2, [] { return std::make_unique<family>(true); }},
        {.how = strategy::interleavings, .bound = 2}},
       {{"deque/family_above", 2, [] { return std::make_unique<family>(false); }},
        {.how = strategy::interleavings, .bound = 2}},
       workshop_test("take", {.tasks = 1, .how = way::take}),
       workshop_test("ring", {.tasks = 2, .how = way::ring}, {.bound = 2}),
       workshop_test("take_one_of_two", {.tasks = 2, .how = way::take}, {.bound = 2}),
       workshop_test("ring_and_take", {.tasks = 2, .how = way::ring_and_take}, {.bound = 2}),
       workshop_test("slots_again", {.tasks = 1, .how = way::take, .then = 1, .requests = 2}, {.bound = 2}),
       workshop_test("ring_twice", {.tasks = 3, .how = way::ring, .requests = 2}, {.bound = 1}),
       workshop_test("two", {.tasks = 2, .how = way::take, .thieves = 2}, {.random = 20000}),
       workshop_test("two_ring", {.tasks = 3, .how = way::ring, .thieves = 2}, {.random = 20000})}};
}

TEST(deque, hands_out_each_task_once) { expect_holds(tested()); }
TEST(deque, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
