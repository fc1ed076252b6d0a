// SPDX-License-Identifier: Apache-2.0
#include "runtime/gate.hpp"

#include <array>
#include <memory>
#include <string>

#include "protocol_test.hpp"
#include "runtime/parking.hpp"

namespace steelyard::model {
namespace {

constexpr unsigned most_seats = 3;

struct plan {
  unsigned turns, seats, workers, looks, spins = 0;
  bool last = false;  ///< these are last looks
};

/// A caller opens its gate, turn by turn; workers look a few times, and each leaves a result that the caller reads.
template <unsigned InGroup>
class entrance : public world {
 public:
  explicit entrance(const plan& of) : plan_(of) { gate_.use(groups_.data()); }

  void run(unsigned thread) override {
    if (thread != 0) {
      for (unsigned i = 0; i < plan_.looks; ++i) visit();
      return;
    }
    for (unsigned turn = 1; turn <= plan_.turns; ++turn) take_turn(10 * turn);
  }

 private:
  using its_gate = runtime::gate<sync::model, InGroup>;
  using look = its_gate::look;

  void take_turn(unsigned number) {
    number_.write(number);
    for (auto& result : results_) result.write(0);
    gate_.open(plan_.seats);
    gate_.close();
    auto look_again = [left = plan_.spins]() mutable { return left != 0 && left-- != 0; };
    gate_.await_empty(look_again);
    number_.write(0);
    for (unsigned m = 1; m <= plan_.seats; ++m) {
      const unsigned result = results_[m].read();
      check(result == 0 || result == number + m, "a member's result is lost");
    }
  }

  void visit() {
    const auto seat = gate_.sit_down(0, plan_.last ? look::last : look::again);
    if (seat.number == 0) return;
    check(seat.number <= plan_.seats, "a seat that there is not");
    const unsigned number = number_.read();
    check(number != 0, "the work is over");
    auto& result = results_[seat.number];
    check(result.read() == 0, "two members have one number");
    result.write(number + seat.number);
    gate_.stand_up(seat);
  }

  plan plan_;
  data<unsigned> number_;
  std::array<data<unsigned>, most_seats + 1> results_;
  its_gate gate_;
  std::array<typename its_gate::group, most_seats> groups_;
};

/// A worker that has seen the gate open gets all seats, in each turn: the groups of the last one are as if new.
class full_house : public world {
 public:
  full_house() { gate_.use(groups_.data()); }

  void run(unsigned thread) override {
    for (unsigned turn = 1; turn <= 2; ++turn) {
      if (thread == 0) {
        receive(turn);
      } else {
        come(turn);
      }
    }
  }

 private:
  static constexpr unsigned seats = 2;
  using its_gate = runtime::gate<sync::model, 1>;

  void receive(unsigned turn) {
    gate_.open(seats);
    opened_.store(turn, sync::release, sync::site{"H1"});
    static_cast<void>(came_.await(sync::relaxed, sync::site{"H2"}, [turn](unsigned came) { return came == turn; }));
    gate_.close();
    auto never = [] { return false; };
    gate_.await_empty(never);
  }

  void come(unsigned turn) {
    static_cast<void>(opened_.await(sync::acquire, sync::site{"H3"}, [turn](unsigned now) { return now == turn; }));
    for (unsigned i = 0; i < seats; ++i) {
      const auto seat = gate_.sit_down(0, its_gate::look::again);
      check(seat.number != 0, "a seat is lost");
      gate_.stand_up(seat);
    }
    came_.store(turn, sync::relaxed, sync::site{"H4"});
  }

  door::atomic<unsigned> opened_;
  door::atomic<unsigned> came_;
  its_gate gate_;
  std::array<its_gate::group, seats> groups_;
};

/// Two workers of one group are about to sleep when the gate opens, and the caller goes on only when both came. The other group is full.
class dormitory : public world {
 public:
  dormitory() { gate_.use(groups_.data()); }

  void run(unsigned thread) override {
    if (thread != 0) return come();
    gate_.open(3);
    const auto other = gate_.sit_down(in_group, its_gate::look::last);
    open_.store(1, sync::seq_cst, sync::site{"H5"});
    parking_.wake(2);
    static_cast<void>(came_.await(sync::relaxed, sync::site{"H6"}, [](unsigned all) { return all == 2; }));
    gate_.stand_up(other);
    gate_.close();
    auto never = [] { return false; };
    gate_.await_empty(never);
  }

 private:
  static constexpr unsigned in_group = 2;
  using its_gate = runtime::gate<sync::model, in_group>;

  void come() {
    for (;;) {
      const auto ticket = parking_.announce();
      const bool open = open_.load(sync::seq_cst, sync::site{"H7"}) != 0;
      const auto seat = open ? gate_.sit_down(0, its_gate::look::last) : its_gate::seat{};
      if (seat.number != 0) {
        parking_.cancel();
        came_.fetch_add(1, sync::relaxed, sync::site{"H8"});
        return gate_.stand_up(seat);
      }
      parking_.sleep(ticket);
    }
  }

  door::atomic<unsigned> open_;
  door::atomic<unsigned> came_;
  its_gate gate_;
  std::array<its_gate::group, 2> groups_;
  runtime::parking<sync::model> parking_;
};

template <unsigned InGroup>
protocol::test entrance_test(const std::string& name, const plan& of) {
  return {{"gate/" + name, 1 + of.workers, [of] { return std::make_unique<entrance<InGroup>>(of); }}, {}};
}

protocol tested() {
  constexpr unsigned few = most_seats;  // so many need no groups
  return {"gate",
          {{{"gate/full_house", 2, [] { return std::make_unique<full_house>(); }}, {}},
           entrance_test<few>("few", {.turns = 1, .seats = 1, .workers = 1, .looks = 2}),
           entrance_test<few>("spins", {.turns = 1, .seats = 1, .workers = 1, .looks = 1, .spins = 2}),
           entrance_test<few>("few_again", {.turns = 2, .seats = 1, .workers = 1, .looks = 2}),
           entrance_test<few>("few_of_two", {.turns = 1, .seats = 2, .workers = 2, .looks = 1}),
           entrance_test<1>("groups", {.turns = 1, .seats = 2, .workers = 1, .looks = 2}),
           entrance_test<1>("groups_again", {.turns = 2, .seats = 2, .workers = 1, .looks = 2}),
           entrance_test<2>("group_of_two", {.turns = 1, .seats = 3, .workers = 2, .looks = 1}),
           {{"gate/nobody_sleeps_beside_a_seat", 3, [] { return std::make_unique<dormitory>(); }},
            {.how = strategy::interleavings, .bound = 1}}},
          "P"};
}

TEST(gate, nobody_is_inside_when_the_caller_goes_on) { expect_holds(tested()); }
/// A third of a million executions, which kill no mutant that the others do not.
TEST(gate, last_looks) {
  expect_holds(
      {"gate", {entrance_test<2>("last_looks", {.turns = 1, .seats = 3, .workers = 2, .looks = 1, .last = true})}});
}
TEST(gate, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
