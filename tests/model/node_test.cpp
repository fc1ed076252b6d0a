// SPDX-License-Identifier: Apache-2.0
#include "runtime/node.hpp"

#include <array>
#include <initializer_list>
#include <memory>

#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

using task_node = runtime::node<sync::model>;

/// `last` waits for two tasks, `middle` for the first of them; all run as soon as they may.
class diamond : public world {
 public:
  diamond() {
    for (auto& each : nodes_) each.begin();
  }
  void run(unsigned thread) override {
    if (thread < 2) return run_one(thread);
    tie(2, {0});
    tie(3, {0, 1});
  }
  void finish() override {
    for (auto& each : done_) check(each.read() == 1, "a task never ran");
  }

 private:
  struct tied : task_node {
    task_node::edge links[2]{task_node::edge(*this), task_node::edge(*this)};
  };

  void tie(unsigned who, std::initializer_list<unsigned> to) {
    std::uint32_t count = 0;
    for (const unsigned before : to) {
      if (nodes_[before].precede(nodes_[who].links[count])) ++count;
    }
    if (nodes_[who].is_ready_after(count)) run_one(who);
  }

  void run_one(unsigned who) {
    check(who < nodes_.size(), "there is no such task");
    if (who >= 2) check(done_[0].read() == 1, "the first has not ended");
    if (who == 3) check(done_[1].read() == 1, "the second has not ended");
    check(done_[who].read() == 0, "it ran twice");
    done_[who].write(1);
    nodes_[who].end(
        [this](task_node& next) { run_one(static_cast<unsigned>(static_cast<tied*>(&next) - nodes_.data())); });
  }

  std::array<tied, 4> nodes_;
  std::array<data<unsigned>, 4> done_;
};

/// One thread asks whether a task has ended, and uses what it did.
class onlooker : public world {
 public:
  onlooker() { node_.begin(); }
  void run(unsigned thread) override {
    if (thread == 0) {
      done_.write(1);
      node_.end([](task_node&) { fail("nobody waits"); });
    } else if (node_.has_ended()) {
      check(done_.read() == 1, "it has not ended");
    }
  }

 private:
  task_node node_;
  data<unsigned> done_;
};

template <class World>
protocol::test test(const char* name, unsigned threads) {
  return {{name, threads, [] { return std::make_unique<World>(); }}, {.how = strategy::interleavings}};
}

protocol tested() { return {"node", {test<diamond>("node/diamond", 3), test<onlooker>("node/onlooker", 2)}}; }

TEST(node, runs_when_all_it_waits_for_have_ended) { expect_holds(tested()); }
TEST(node, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
