// SPDX-License-Identifier: Apache-2.0
#include "sync/chain.hpp"

#include <array>
#include <memory>
#include <new>
#include <string>

#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

/// A loop instance: its link, and what its opener prepares, which members must see complete.
struct instance : sync::chain_link<sync::model, instance> {
  explicit instance(unsigned loop) : number(loop), stamp(loop + 100) {}
  data<unsigned> number;
  data<unsigned> stamp;
};

/// Members go through the same loops, each at its own pace; storage that a member gets back is used again at once.
class loops : public world {
 public:
  static constexpr unsigned most_members = 3;
  static constexpr unsigned most_loops = 4;

  loops(unsigned members, unsigned count) : members_(members), count_(count) {}

  void run(unsigned thread) override {
    auto& own = mine_[thread];
    sync::chain<sync::model, instance>::cursor at = nullptr;
    for (unsigned loop = 0; loop < count_; ++loop) {
      instance* const to = enter(own, at, loop);
      check(to->number.read() == loop && to->stamp.read() == loop + 100,
            "an instance is not the one its members expect");
      agree(loop, to);
      if (instance* const done = chain_.move(at, to, members_)) {
        // What the chain just did to its own `oldest_`, where a race is seen [C4].
        oldest_.write(to);
        give_back(own, done);
      }
    }
  }

  void finish() override {
    chain_.drain([this](instance* left) { give_back(mine_[0], left); });
    unsigned used = 0;
    for (const bool out : out_) used += out ? 1 : 0;
    check(used == 0, "an instance is never given back");
    check(given_back_ == count_, "not every instance is given back once");
  }

 private:
  struct slot {
    alignas(instance) std::byte memory[sizeof(instance)];
  };
  struct member {
    std::array<slot*, most_members * most_loops> free{};
    unsigned count = 0;
    instance* spare = nullptr;
  };

  instance* enter(member& own, instance* at, unsigned loop) {
    if (instance* const found = chain_.behind(at)) return found;
    instance* const fresh = prepare(own, loop);
    instance* const now = chain_.publish(at, fresh);
    // The loser keeps its own, and constructs it anew for the loop it opens next.
    if (now != fresh) release(own, fresh);
    return now;
  }

  instance* prepare(member& own, unsigned loop) {
    slot* const place = own.count != 0 ? own.free[--own.count] : &slots_[next_slot_++];
    auto* const fresh = ::new (static_cast<void*>(place->memory)) instance(loop);
    set_out(fresh, true);
    return fresh;
  }

  void release(member& own, instance* node) {
    check(is_out(node), "an instance is given back twice");
    set_out(node, false);
    own.free[own.count++] = reinterpret_cast<slot*>(node);
  }

  void give_back(member& own, instance* node) {
    ++given_back_;
    // A write: a data race with whoever is still inside.
    node->number.write(0);
    release(own, node);
  }

  void agree(unsigned loop, instance* node) {
    if (seen_[loop] == nullptr) seen_[loop] = node;
    check(seen_[loop] == node, "two members are in different instances of one loop");
  }

  [[nodiscard]] std::size_t index(const instance* node) const {
    return static_cast<std::size_t>(reinterpret_cast<const slot*>(node) - slots_.data());
  }
  [[nodiscard]] bool is_out(const instance* node) const { return out_[index(node)]; }
  void set_out(const instance* node, bool is) { out_[index(node)] = is; }

  unsigned members_;
  unsigned count_;
  std::array<slot, std::size_t{most_members} * most_loops> slots_;
  std::array<bool, std::size_t{most_members} * most_loops> out_{};
  unsigned next_slot_ = 0;
  unsigned given_back_ = 0;
  std::array<instance*, most_loops> seen_{};
  std::array<member, most_members> mine_{};
  data<instance*> oldest_{nullptr};
  sync::chain<sync::model, instance> chain_;
};

protocol::test loops_test(const std::string& name, unsigned members, unsigned count) {
  return {{name, members, [=] { return std::make_unique<loops>(members, count); }}, {}};
}

protocol tested() {
  return {"chain", {loops_test("chain/two_members", 2, 4), loops_test("chain/three_members", 3, 3)}};
}

TEST(chain, every_member_finds_each_instance_complete_until_it_left) { expect_holds(tested()); }
TEST(chain, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
