// SPDX-License-Identifier: Apache-2.0
#include "sync/open_range.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

using range = sync::open_range<sync::model>;
using sync::reply;

/// How a thief has its request delivered.
enum class delivery {
  ring,
  signal,
  take,
  sleep,
  withdraw,
  ring_and_take,
  queue,
  take_back,
  queue_and_take,
  queue_ring_and_take
};

constexpr bool is_signalled(delivery how) { return how == delivery::signal; }
bool is_queued(delivery how) {
  return how == delivery::queue || how == delivery::queue_and_take || how == delivery::queue_ring_and_take;
}
constexpr bool is_taken(delivery how) {
  return how == delivery::take || how == delivery::ring_and_take || how == delivery::queue_and_take ||
         how == delivery::queue_ring_and_take;
}

constexpr unsigned most_members = 3;
constexpr unsigned most_iterations = 6;

/// Member 0 owns all iterations; the others ask, as told, and run what they get.
class team : public world {
 public:
  struct plan {
    unsigned iterations;
    unsigned piece;
    delivery how;
    std::optional<delivery> then{};  ///< a second request, or that of the second thief
    unsigned thieves = 1;
    bool owner_comes = true;
    bool chain = false;         ///< thief 2 asks thief 1
    bool owner_closes = false;  ///< after its first piece, and drops the rest
  };

  explicit team(const plan& of)
      : plan_(of), ranges_{range{0, of.iterations}, range{of.iterations, of.iterations},
                           range{of.iterations, of.iterations}} {}

  range& operator()(unsigned member) {
    check(member < most_members, "there is no such member");
    return ranges_[member];
  }

  void run(unsigned thread) override {
    if (is_signalled(plan_.how)) {
      on_signal([this, thread] { ranges_[thread].answer(*this); });
    }
    if (thread == 0) {
      if (plan_.owner_comes && ranges_[0].arrive()) own(0);
    } else {
      if (ranges_[thread].arrive()) own(thread);
      steal(thread, thread == 2 && plan_.then ? *plan_.then : plan_.how);
      if (plan_.then && plan_.thieves == 1) steal(thread, *plan_.then);
    }
  }

  void finish() override {
    unsigned all = 0;
    for (unsigned i = 0; i < plan_.iterations; ++i) all += ran_[i].read();
    check(plan_.owner_closes || !plan_.owner_comes || all == plan_.iterations, "an iteration was lost");
  }

 private:
  /// Runs its range to the end. An iteration that two run is a data race, or seen here.
  void own(unsigned member) {
    for (;;) {
      const auto mine = ranges_[member].claim(plan_.piece, *this);
      if (mine.count == 0) return;
      for (auto i = mine.first; i < mine.first + mine.count; ++i) {
        check(i < plan_.iterations, "there is no such iteration");
        check(ran_[i].read() == 0, "an iteration ran twice");
        ran_[i].write(1);
      }
      if (plan_.owner_closes && member == 0) return ranges_[0].close(*this);
    }
  }

  void steal(unsigned thief, delivery how) {
    auto& mine = ranges_[thief];
    const unsigned from = plan_.chain ? thief - 1 : 0;
    auto& victim = ranges_[from];
    if (victim.is_unclaimed()) {
      if (mine.take_over(victim)) own(thief);
      return;
    }
    mine.want_all(how == delivery::take_back);
    const bool asked = is_queued(how) ? mine.queue(victim, thief) : mine.ask(victim, thief);
    if (!asked || !deliver(victim, thief, from, how)) return;
    auto answer = mine.hear();
    for (; answer == reply::none; answer = mine.hear()) {
      if (how == delivery::sleep) {
        mine.sleep();
      } else {
        sync::model::pause();
      }
    }
    if (answer == reply::refused) return;
    mine.reopen();
    own(thief);
  }

  /// Whether there will be a reply.
  bool deliver(range& victim, unsigned thief, unsigned from, delivery how) {
    if (how != delivery::take && how != delivery::queue_and_take) ranges_[thief].ring(victim);
    if (is_signalled(how)) signal(from);
    if (is_taken(how)) ranges_[thief].take(victim, *this);
    return how != delivery::withdraw || !ranges_[thief].withdraw(victim, thief);
  }

  plan plan_;
  std::array<range, most_members> ranges_;
  std::array<data<unsigned>, most_iterations> ran_;
};

/// An owner that runs a share which it took over, and two members that have run out.
class one_owner : public world {
 public:
  explicit one_owner(unsigned iterations) : share_(0, iterations), owner_(0, 0), thieves_{range{0, 0}, range{0, 0}} {
    for (auto* each : {&owner_, &thieves_[0], &thieves_[1]}) {
      static_cast<void>(each->arrive());
      static_cast<void>(each->claim(1, *this));
    }
    check(owner_.take_over(share_), "nobody else wants the share");
  }

  range& operator()(unsigned member) {
    check(member < 2, "there is no such member");
    return thieves_[member];
  }

 private:
  range share_;

 protected:
  range owner_;
  std::array<range, 2> thieves_;
};

/// Who rings is answered at the next claim, though somebody else rang before. The owner runs a share that it took over.
class bell : public one_owner {
 public:
  explicit bell(bool queue) : one_owner(64), queue_(queue) {}

  void run(unsigned thread) override {
    if (thread == 0) {
      static_cast<void>(owner_.claim(1, *this));
      const auto rung = rung_.await(sync::acquire, sync::site{"H1"}, [](unsigned now) { return now != 0; });
      static_cast<void>(owner_.claim(1, *this));
      claimed_.store(rung, sync::release, sync::site{"H2"});
    } else if (thread == 1) {
      if (ask(0)) thieves_[0].ring(owner_);
    } else {
      const bool asked = ask(1);
      if (asked) thieves_[1].ring(owner_);
      rung_.store(asked ? 1 : 2, sync::release, sync::site{"H3"});
      const auto claimed = claimed_.await(sync::acquire, sync::site{"H4"}, [](unsigned now) { return now != 0; });
      check(claimed == 2 || thieves_[1].hear() == reply::given, "not answered");
    }
  }

 private:
  bool ask(unsigned thief) {
    return queue_ ? thieves_[thief].queue(owner_, thief) : thieves_[thief].ask(owner_, thief);
  }

  bool queue_;
  door::atomic<unsigned> rung_;
  door::atomic<unsigned> claimed_;
};

/// Two that ask at once get a third each, who wants all gets all.
class fair : public one_owner {
 public:
  explicit fair(bool all) : one_owner(7), all_(all) {}
  void run(unsigned thread) override {
    if (thread == 0) {
      static_cast<void>(asked_.await(sync::acquire, sync::site{"H7"}, [](unsigned now) { return now == 2; }));
      check(owner_.claim(1, *this).count == 1, "the owner keeps the front");
      check(owner_.left() == (all_ ? 0U : 2U), "the owner keeps its part");
      for (auto& each : thieves_) check(all_ || each.left() == 2, "what is on its way is not seen");
    } else {
      auto& mine = thieves_[thread - 1];
      mine.want_all(all_ && thread == 1);
      check(mine.queue(owner_, thread - 1), "the queue is open");
      mine.ring(owner_);
      asked_.fetch_add(1, sync::release, sync::site{"H8"});
    }
  }

 private:
  bool all_;
  door::atomic<unsigned> asked_;
};

/// Who sees that a range has become less by what was given away sees what the thief did before it asked.
class traceable : public one_owner {
 public:
  traceable() : one_owner(7) {}
  void run(unsigned thread) override {
    if (thread == 0) {
      static_cast<void>(owner_.claim(1, *this));
    } else if (thread == 1) {
      mark_.store(1, sync::relaxed, sync::site{"H9"});
      check(thieves_[0].queue(owner_, 0), "the queue is open");
      thieves_[0].ring(owner_);
    } else if (owner_.left() < 6) {
      sync::model::fence(sync::acquire, sync::site{"H10"});
      check(mark_.load(sync::relaxed, sync::site{"H11"}) == 1, "it is not seen who asked");
    }
  }

 private:
  sync::model::atomic<unsigned> mark_{};
};

/// Alone with the owner, a thief finds it open.
class polite : public world {
 public:
  explicit polite(unsigned piece) : piece_(piece), share_(0, 8), owner_(0, 0), thief_(0, 0) {
    static_cast<void>(owner_.arrive());
    static_cast<void>(owner_.claim(1, *this));
    static_cast<void>(owner_.take_over(share_));
  }
  range& operator()(unsigned) { return thief_; }

  void run(unsigned thread) override {
    if (thread == 0) {
      static_cast<void>(owner_.claim(piece_, *this));
      came_.store(1, sync::release, sync::site{"H5"});
    } else {
      static_cast<void>(came_.await(sync::acquire, sync::site{"H6"}, [](unsigned now) { return now != 0; }));
      check(thief_.ask(owner_, 0), "the owner is open");
    }
  }

 private:
  unsigned piece_;
  range share_;
  range owner_;
  range thief_;
  door::atomic<unsigned> came_;
};

/// Who takes serves all that ask, in the order in which they came.
class common_cause : public one_owner {
 public:
  explicit common_cause(unsigned iterations) : one_owner(iterations) {}
  void run(unsigned thread) override {
    auto& mine = thieves_[thread];
    if (!mine.queue(owner_, thread)) return;
    mine.take(owner_, *this);
    while (mine.hear() == reply::none) sync::model::pause();
  }
};

protocol::test team_test(const std::string& name, const team::plan& of, options how = {}) {
  if (is_signalled(of.how) || is_taken(of.how) || (of.then && is_taken(*of.then))) how.how = strategy::interleavings;
  return {{"open_range/" + name, 1 + of.thieves, [of] { return std::make_unique<team>(of); }}, how};
}

protocol tested() {
  return {
      "open_range",
      {{{"open_range/bell", 3, [] { return std::make_unique<bell>(false); }}, {}},
       {{"open_range/bell_of_a_queue", 3, [] { return std::make_unique<bell>(true); }}, {}},
       {{"open_range/fair", 3, [] { return std::make_unique<fair>(false); }}, {}},
       {{"open_range/fair_to_whom_wants_all", 3, [] { return std::make_unique<fair>(true); }}, {}},
       {{"open_range/traceable", 3, [] { return std::make_unique<traceable>(); }}, {}},
       {{"open_range/common_cause", 2, [] { return std::make_unique<common_cause>(7); }},
        {.how = strategy::interleavings}},
       {{"open_range/common_disappointment", 2, [] { return std::make_unique<common_cause>(1); }},
        {.how = strategy::interleavings}},
       {{"open_range/polite", 2, [] { return std::make_unique<polite>(1); }}, {}},
       {{"open_range/polite_in_the_end", 2, [] { return std::make_unique<polite>(9); }}, {}},
       team_test("ring", {.iterations = 3, .piece = 1, .how = delivery::ring}),
       team_test("sleep", {.iterations = 3, .piece = 1, .how = delivery::sleep}),
       team_test("withdraw", {.iterations = 3, .piece = 1, .how = delivery::withdraw}),
       team_test("absent", {.iterations = 2, .piece = 1, .how = delivery::ring, .owner_comes = false}),
       team_test("closes", {.iterations = 3, .piece = 1, .how = delivery::ring, .owner_closes = true}),
       team_test("signal", {.iterations = 3, .piece = 1, .how = delivery::signal}, {.bound = 2}),
       team_test("take", {.iterations = 3, .piece = 1, .how = delivery::take}, {.bound = 2}),
       team_test("ring_and_take", {.iterations = 3, .piece = 1, .how = delivery::ring_and_take}, {.bound = 2}),
       team_test("twice", {.iterations = 6, .piece = 1, .how = delivery::ring, .then = delivery::ring}),
       team_test("ring_then_take", {.iterations = 6, .piece = 1, .how = delivery::ring, .then = delivery::take},
                 {.bound = 2}),
       team_test(
           "chain_of_takes",
           {.iterations = 3, .piece = 1, .how = delivery::take, .thieves = 2, .owner_comes = false, .chain = true},
           {.bound = 2}),
       team_test("pieces", {.iterations = 4, .piece = 3, .how = delivery::ring}),
       team_test(
           "chain",
           {.iterations = 3, .piece = 1, .how = delivery::ring, .thieves = 2, .owner_comes = false, .chain = true}),
       team_test("ring_and_another_takes",
                 {.iterations = 6, .piece = 1, .how = delivery::ring, .then = delivery::take, .thieves = 2},
                 {.bound = 1}),
       team_test("queue", {.iterations = 4, .piece = 1, .how = delivery::queue, .thieves = 2}),
       team_test("queue_and_take", {.iterations = 3, .piece = 1, .how = delivery::queue_and_take, .thieves = 2},
                 {.random = 20000}),
       team_test("queue_ring_and_take",
                 {.iterations = 3, .piece = 1, .how = delivery::queue_ring_and_take, .thieves = 2}, {.random = 20000}),
       team_test("take_back", {.iterations = 3, .piece = 1, .how = delivery::take_back, .then = delivery::ring}),
       team_test("two", {.iterations = 3, .piece = 1, .how = delivery::ring, .thieves = 2})}};
}

TEST(open_range, every_iteration_runs_once) { expect_holds(tested()); }
TEST(open_range, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
