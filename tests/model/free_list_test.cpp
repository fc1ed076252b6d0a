// SPDX-License-Identifier: Apache-2.0
#include "sync/free_list.hpp"

#include <array>
#include <memory>
#include <string>

#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

using list = sync::free_list<sync::model>;

/// What a thread does, one letter each: t takes a block and writes into it, g gives back the block it has had longest.
using script = std::string;

/// Threads take blocks, use them and give them back; a block that two hold at once is a data race.
class blocks : public world {
 public:
  static constexpr unsigned most_blocks = 3;
  static constexpr unsigned most_threads = 3;

  blocks(std::array<script, most_threads> scripts, unsigned count) : scripts_(std::move(scripts)), count_(count) {
    for (unsigned i = 0; i < count_; ++i) list_.push(&all_[i]);
  }

  void run(unsigned thread) override {
    holding& own = mine_[thread];
    for (const char step : scripts_[thread]) {
      if (step == 't') {
        take(own, thread);
      } else if (own.first != own.end) {
        give(own, thread);
      }
    }
  }

  /// Nothing is lost: what nobody holds is on the list, once.
  void finish() override {
    unsigned held = 0;
    for (const holding& own : mine_) held += own.end - own.first;
    unsigned listed = 0;
    while (list::block* const left = list_.take()) {
      check(++listed <= count_, "the list runs in a circle");
      static_cast<owned*>(left)->user.write(0);
    }
    check(held + listed == count_, "a block is lost, or twice on the list");
  }

 private:
  struct alignas(support::line_size) owned : list::block {
    data<unsigned> user;
  };
  struct holding {
    std::array<owned*, 4> blocks{};
    unsigned first = 0;
    unsigned end = 0;
  };

  void take(holding& own, unsigned thread) {
    auto* const got = static_cast<owned*>(list_.take());
    if (got == nullptr) return;
    got->user.write(thread + 1);
    own.blocks[own.end++] = got;
  }

  void give(holding& own, unsigned thread) {
    owned* const given = own.blocks[own.first++];
    check(given->user.read() == thread + 1, "two threads hold one block");
    list_.push(given);
  }

  std::array<script, most_threads> scripts_;
  unsigned count_;
  std::array<owned, most_blocks> all_;
  list list_;
  std::array<holding, most_threads> mine_{};
};

protocol::test blocks_test(const std::string& name, unsigned threads, std::array<script, blocks::most_threads> scripts,
                           unsigned count) {
  return {{"free_list/" + name, threads, [=] { return std::make_unique<blocks>(scripts, count); }}, {}};
}

protocol tested() {
  return {"free_list",
          {blocks_test("take_and_give", 2, {"tg", "tg"}, 1), blocks_test("take_all", 2, {"tt", "tt"}, 3),
           blocks_test("one_comes_back", 2, {"t", "ttg"}, 3), blocks_test("handed_on", 2, {"tgt", "tg"}, 2),
           blocks_test("three", 3, {"tg", "tg", "t"}, 2)}};
}

TEST(free_list, each_block_has_one_holder_and_none_is_lost) { expect_holds(tested()); }
TEST(free_list, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
