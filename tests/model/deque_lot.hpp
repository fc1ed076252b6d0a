// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "protocol_test.hpp"
#include "runtime/deque.hpp"

namespace steelyard::model {

inline constexpr unsigned most_tasks = 4;

/// A task is its number; 0: none.
struct slot {
  data<unsigned> task;
  door::atomic<std::uint32_t> thief;

  void mark_stolen(std::uint32_t by) { thief.store(by + 1, sync::relaxed, sync::site{"H13"}); }
  void assign(const slot& from) { task.write(from.task.read()); }
};

using task_deque = runtime::deque<sync::model, slot>;
using wish = task_deque::thief;

/// A world with one deque.
class with_lot : public world {
 protected:
  with_lot() { deque_.use(slots_.data(), slots_.data() + slots_.size()); }
  /// Where the next task belongs, or the last one was.
  slot& young() {
    slot* const at = deque_.young();
    check(at >= slots_.data() && at < slots_.data() + slots_.size(), "there is no such slot");
    return *at;
  }
  void push(unsigned number) {
    young().task.write(number);
    if (!deque_.push()) deque_.look_up();
  }

 private:
  std::array<slot, most_tasks + 2> slots_;

 protected:
  task_deque deque_;
};

/// A world with one deque and two thieves, whose owner has pushed some tasks already.
class with_thieves : public with_lot {
 protected:
  explicit with_thieves(unsigned tasks) {
    for (unsigned i = 1; i <= tasks; ++i) push(i);
  }
  auto find() {
    return [this](std::uint32_t number) -> wish& {
      check(number < wishes_.size(), "there is no such thief");
      return wishes_[number];
    };
  }
  std::array<wish, 2> wishes_;
};

}  // namespace steelyard::model
