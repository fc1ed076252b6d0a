// SPDX-License-Identifier: Apache-2.0
// The engine against a naive reading of the standard, on random programs: the same outcomes, each graph once.
#include "reference.hpp"

#include <random>

#include "litmus.hpp"

namespace steelyard::model {
namespace {

using reference::instruction;
using reference::program;

class straight_line : public world {
 public:
  explicit straight_line(const program& threads) : threads_(threads) {}

  void run(unsigned thread) override {
    std::size_t reg = 0;
    for (unsigned t = 0; t < thread; ++t) reg += threads_[t].size();
    for (const auto& i : threads_[thread]) read_[reg++] = make(i, words_[i.word]);
  }

  void finish() override {
    std::string text;
    std::size_t reg = 0;
    for (const auto& thread : threads_) {
      for (const auto& i : thread) {
        if (i.what != operation::store && i.what != operation::fence) text += std::to_string(read_[reg]) + " ";
        ++reg;
      }
    }
    text += "|";
    for (auto& word : words_) text.append(" ").append(std::to_string(word.load(sync::relaxed, at)));
    outcome(text);
  }

 private:
  static constexpr sync::site at{"reference"};

  static int make(const instruction& i, door::atomic<int>& word) {
    int expected = i.expected;
    switch (i.what) {
      case operation::load:
        return word.load(i.how, at);
      case operation::store:
        word.store(i.value, i.how, at);
        return 0;
      case operation::fetch_add:
        return word.fetch_add(i.value, i.how, at);
      case operation::compare_exchange:
        word.compare_exchange(expected, i.value, i.how, i.failure, at);
        return expected;
      default:
        door::fence(i.how, at);
        return 0;
    }
  }

  const program& threads_;
  door::atomic<int> words_[reference::words];
  int read_[16] = {};
};

/// Random programs, all kinds of operations and orders. `sc` of 8 orders are seq_cst.
class generator {
 public:
  generator(unsigned seed, unsigned sc) : random_(seed), sc_(sc) {}

  program make(const std::vector<unsigned>& lengths) {
    program threads;
    int value = 1;
    for (const auto length : lengths) {
      auto& thread = threads.emplace_back();
      for (unsigned i = 0; i < length; ++i) thread.push_back(instruction_of(value));
    }
    return threads;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  sync::order one_of(std::vector<sync::order> weaker) {
    return below(8) < sc_ ? sync::seq_cst : weaker[below(static_cast<unsigned>(weaker.size()))];
  }

  instruction instruction_of(int& value) {
    instruction i;
    i.word = static_cast<int>(below(2));
    const auto kind = below(10);
    if (kind < 3) {
      i.what = operation::load;
      i.how = one_of({sync::relaxed, sync::acquire});
    } else if (kind < 6) {
      i.what = operation::store;
      i.how = one_of({sync::relaxed, sync::release});
      i.value = value++;
    } else if (kind == 6) {
      i.what = operation::fetch_add;
      i.how = one_of({sync::relaxed, sync::acquire, sync::release, sync::acq_rel});
      i.value = 10 * value++;
    } else if (kind == 7) {
      i.what = operation::compare_exchange;
      i.how = one_of({sync::relaxed, sync::acquire, sync::release, sync::acq_rel});
      i.failure = one_of({sync::relaxed, sync::acquire});
      i.expected = static_cast<int>(below(static_cast<unsigned>(value)));
      i.value = value++;
    } else {
      i.what = operation::fence;
      i.word = 0;
      i.how = one_of({sync::acquire, sync::release, sync::acq_rel});
    }
    return i;
  }

  std::mt19937 random_;
  unsigned sc_;
};

void expect_agreement(const program& threads) {
  SCOPED_TRACE(reference::text_of(threads));
  const scenario what{"reference", static_cast<unsigned>(threads.size()),
                      [&threads] { return std::make_unique<straight_line>(threads); }};
  options how;
  how.count_graphs = true;
  const auto graphs = explore(what, how);
  how.how = strategy::interleavings;
  const auto interleavings = explore(what, how);
  ASSERT_FALSE(graphs.failed) << graphs.failed->message;
  EXPECT_EQ(graphs.outcomes, reference::outcomes_of(threads));
  EXPECT_EQ(graphs.graphs, interleavings.graphs);
  EXPECT_EQ(graphs.executions, graphs.graphs.size());
}

void expect_agreement_on(unsigned programs, const std::vector<unsigned>& lengths) {
  for (unsigned seed = 0; seed < programs && !testing::Test::HasFailure(); ++seed) {
    expect_agreement(generator(seed, 2 * (seed % 4)).make(lengths));
  }
}

TEST(reference, two_threads) { expect_agreement_on(2000, {4, 4}); }
TEST(reference, three_threads) { expect_agreement_on(1500, {2, 3, 3}); }
TEST(reference, four_threads) { expect_agreement_on(1000, {2, 2, 2, 2}); }

}  // namespace
}  // namespace steelyard::model
