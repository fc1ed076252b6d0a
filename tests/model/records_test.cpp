// SPDX-License-Identifier: Apache-2.0
#include "openmp/program/records.hpp"

#include <array>
#include <memory>
#include <string>

#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

struct record {
  data<char> key;
  record* next = nullptr;
};

/// Threads push records, some with the same key, and look through the list.
class list : public world {
 public:
  static constexpr unsigned most_threads = 3;
  static constexpr unsigned most_records = 2;  // of a thread

  explicit list(std::array<std::string, most_threads> keys) : keys_(std::move(keys)) {}

  void run(unsigned thread) override {
    for (unsigned i = 0; i < keys_[thread].size(); ++i) {
      const char key = keys_[thread][i];
      record& fresh = records_[thread][i];
      fresh.key.write(key);
      const auto alike = [key](const record& known) { return known.key.read() == key; };
      check(openmp::push<sync::model>(head_, &fresh, alike)->key.read() == key, "a record of another place");
      check(count(key, head_.load(sync::acquire, sync::site{"T2c"})) == 1, "not found once");
    }
  }

  void finish() override {
    for (const auto& keys : keys_) {
      for (const char key : keys) {
        check(count(key, head_.load(sync::relaxed, sync::site{"T2d"})) == 1, "a place has no record, or two");
      }
    }
  }

 private:
  static unsigned count(char key, record* first) {
    unsigned found = 0;
    for (record* each = first; each != nullptr; each = each->next) found += each->key.read() == key ? 1 : 0;
    return found;
  }

  std::array<std::string, most_threads> keys_;
  std::array<std::array<record, most_records>, most_threads> records_;
  door::atomic<record*> head_{};
};

protocol::test list_test(const std::string& name, unsigned threads,
                         const std::array<std::string, list::most_threads>& keys) {
  return {{"records/" + name, threads, [=] { return std::make_unique<list>(keys); }}, {}};
}

protocol tested() {
  return {
      "records",
      {list_test("same", 2, {"a", "a"}), list_test("others", 2, {"ab", "ba"}), list_test("three", 3, {"a", "b", "a"})}};
}

TEST(records, each_place_has_one) { expect_holds(tested()); }
TEST(records, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
