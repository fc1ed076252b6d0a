// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "protocol_test.hpp"

#include <steelyard/detail/front.hpp>

namespace steelyard::model {
namespace {

struct modelled {
  using site = sync::site;
  template <class T>
  using atomic = door::atomic<T>;
};

/// The numbers of leaves, one behind the other, a hexadecimal digit for each: their order matters, their grouping does not.
using sequence = std::uint64_t;

sequence joined(sequence first, sequence second) {
  for (sequence digits = second; digits != 0; digits >>= 4) first <<= 4;
  return first | second;
}

/// What the first so many leaves come to: 0x123.
sequence prefix(std::uint64_t leaves) {
  sequence all = 0;
  for (std::uint64_t l = 0; l < leaves; ++l) all = joined(all, l + 1);
  return all;
}

struct leaf : v1::detail::front_link<modelled> {
  data<sequence> sum;
  data<sequence> comes_before;
  data<sequence> written;  ///< 0: not yet
};

/// Members take their turns, then what is left is written; a leaf has one term, its number and one.
class scanning : public world {
 public:
  /// So many turns of each thread; as many leaves as turns.
  using plan = std::vector<unsigned>;

  explicit scanning(const plan& turns) : turns_(turns), front_(leaves(turns)) {}

  void run(unsigned thread) override {
    for (unsigned turn = 0; turn < turns_[thread]; ++turn) front_.turn(*this, lists_[thread]);
  }

  void finish() override {
    for (unsigned thread = 0; thread < turns_.size(); ++thread) {
      front_.for_each(lists_[thread], [this](std::uint64_t l) { write(l); });
    }
    std::string added_up;
    for (std::uint64_t l = 0; l < front_.count(); ++l) {
      check(front_[l].written.read() == prefix(l + 1), "a leaf is not written");
      added_up += front_[l].sum.read() != 0 ? 's' : '-';
    }
    // Alone, a member is always at the front: it takes as many steps as there are terms.
    check(turns_.size() > 1 || added_up.find('s') == std::string::npos, "a member alone adds up a leaf");
    outcome(added_up);
  }

  // What the front needs.

  void add_up(std::uint64_t l) {
    check(front_[l].sum.read() == 0, "a leaf is added up twice");
    front_[l].sum.write(l + 1);
  }
  void comes_before(std::uint64_t l, sequence sum) {
    check(sum == prefix(l), "what comes before a leaf is something else");
    front_[l].comes_before.write(sum);
  }
  [[nodiscard]] sequence before(std::uint64_t l) const { return front_[l].comes_before.read(); }
  [[nodiscard]] sequence over(std::uint64_t l, sequence before) const { return joined(before, front_[l].sum.read()); }
  sequence write(std::uint64_t l) {
    check(front_[l].written.read() == 0, "a leaf is written twice");
    const auto all = joined(before(l), l + 1);
    check(all == prefix(l + 1), "a leaf is written with a wrong prefix");
    front_[l].written.write(all);
    return all;
  }
  sequence write_at_front(std::uint64_t l) { return write(l); }

 private:
  static unsigned leaves(const plan& turns) {
    unsigned all = 0;
    for (const unsigned each : turns) all += each;
    return all;
  }

  using front = v1::detail::front<modelled, leaf>;
  plan turns_;
  front front_;
  std::array<front::list, 3> lists_;
};

protocol::test scan_test(const std::string& name, const scanning::plan& turns, const options& how = {}) {
  return {{"scan/" + name, static_cast<unsigned>(turns.size()), [turns] { return std::make_unique<scanning>(turns); }},
          how};
}

protocol tested() {
  return {
      "scan",
      {scan_test("alone", {4}), scan_test("one_each", {1, 1}), scan_test("two_and_one", {2, 1}),
       scan_test("two_each", {2, 2}), scan_test("three", {1, 1, 1}), scan_test("three_and_four_leaves", {2, 1, 1})}};
}

TEST(scan, writes_each_leaf_once_with_what_comes_before_it) { expect_holds(tested()); }
TEST(scan, mutants) { expect_mutants_killed(tested()); }

/// Who cannot have the front leaves the leaf behind it to who comes from there, unless it is the last one.
TEST(scan, leaves_the_next_leaf_to_the_front) {
  const auto two = scan_test("two_and_one", {2, 1});
  const auto outcomes = explore(two.what, two.how).outcomes;
  EXPECT_EQ(outcomes.count("--s"), 1U);
}

}  // namespace
}  // namespace steelyard::model
