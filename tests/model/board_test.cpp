// SPDX-License-Identifier: Apache-2.0
#include "runtime/board.hpp"

#include <array>
#include <memory>
#include <string>

#include "protocol_test.hpp"
#include "runtime/parking.hpp"

namespace steelyard::model {
namespace {

constexpr unsigned most_members = 3;  // of a loop

struct loop {
  data<unsigned> number;
  std::array<data<unsigned>, most_members> results;
};

/// Callers put up loops, one after the other; workers look for some a few times.
class floor : public world {
 public:
  struct plan {
    unsigned callers, loops, seats, workers, looks, spins;
  };

  explicit floor(const plan& of) : plan_(of) {}

  void run(unsigned thread) override {
    if (thread >= plan_.callers) {
      for (unsigned i = 0; i < plan_.looks; ++i) help();
      return;
    }
    for (unsigned i = 0; i < plan_.loops; ++i) put_up(loops_[thread], 10 * thread + i + 1);
  }

 private:
  using floor_board = runtime::board<sync::model, loop, 2>;

  void put_up(loop& own, unsigned number) {
    own.number.write(number);
    for (unsigned m = 1; m <= plan_.seats; ++m) own.results[m].write(0);
    const auto place = board_.offer(own, plan_.seats);
    check(place != floor_board::no_place, "no place");
    board_.withdraw(place, [left = plan_.spins]() mutable { return left != 0 && left-- != 0; });
    own.number.write(0);
    for (unsigned m = 1; m <= plan_.seats; ++m) {
      const unsigned result = own.results[m].read();
      check(result == 0 || result == number + m, "a member's result is lost");
    }
  }

  void help() {
    const auto joined = board_.join(0);
    if (joined.work == nullptr) return;
    const unsigned number = joined.work->number.read();
    check(number != 0, "the loop is over");
    auto& result = joined.work->results[joined.seat.number];
    check(result.read() == 0, "two members have one number");
    result.write(number + joined.seat.number);
    board_.leave(joined);
  }

  plan plan_;
  std::array<loop, 2> loops_;
  floor_board board_{most_members - 1};
};

/// The caller goes on only when a worker came, who may be asleep when the loop is put up.
class waiting_hall : public world {
 public:
  void run(unsigned thread) override {
    if (thread == 0) {
      loop_.number.write(7);
      const auto place = board_.offer(loop_, 1);
      parking_.wake(1);
      static_cast<void>(came_.await(sync::relaxed, sync::site{"H1"}, [](bool came) { return came; }));
      board_.withdraw(place, [] { return false; });
      return;
    }
    auto joined = board_.join(0);
    while (joined.work == nullptr) {
      const auto ticket = parking_.announce();
      joined = board_.join(0, hall_board::look::last);
      if (joined.work != nullptr) {
        parking_.cancel();
      } else {
        parking_.sleep(ticket);
        joined = board_.join(0);
      }
    }
    check(joined.work->number.read() == 7, "another loop");
    came_.store(true, sync::relaxed, sync::site{"H2"});
    board_.leave(joined);
  }

 private:
  using hall_board = runtime::board<sync::model, loop, 2>;

  loop loop_;
  door::atomic<bool> came_;
  hall_board board_{1};
  runtime::parking<sync::model> parking_;
};

protocol::test floor_test(const std::string& name, const floor::plan& of) {
  return {{"board/" + name, of.callers + of.workers, [of] { return std::make_unique<floor>(of); }}, {}};
}

protocol tested() {
  return {"board",
          {{{"board/somebody_comes", 2, [] { return std::make_unique<waiting_hall>(); }}, {}},
           floor_test("one", {.callers = 1, .loops = 1, .seats = 1, .workers = 1, .looks = 2, .spins = 0}),
           floor_test("spins", {.callers = 1, .loops = 1, .seats = 1, .workers = 1, .looks = 1, .spins = 2}),
           floor_test("again", {.callers = 1, .loops = 2, .seats = 1, .workers = 1, .looks = 2, .spins = 0}),
           floor_test("two_workers", {.callers = 1, .loops = 1, .seats = 2, .workers = 2, .looks = 1, .spins = 0}),
           floor_test("two_callers", {.callers = 2, .loops = 1, .seats = 1, .workers = 1, .looks = 1, .spins = 0}),
           floor_test("callers_alone", {.callers = 2, .loops = 2, .seats = 1, .workers = 0, .looks = 0, .spins = 0})},
          "PG"};
}

TEST(board, nobody_is_inside_when_the_caller_goes_on) { expect_holds(tested()); }
TEST(board, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
