// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <new>
#include <utility>
#include <vector>

#include "sync/real.hpp"

namespace steelyard::dataflow {

/// Tasks that may run now, whoever comes first: the first in the order of the program, which is that of their addresses.
template <class Record>
class ready_tasks {
 public:
  /// False: there is no memory for it.
  bool add(Record& task) noexcept {
    const holding lock(*this);
    try {
      all_.push_back(&task);
    } catch (const std::bad_alloc&) {
      return false;
    }
    std::push_heap(all_.begin(), all_.end(), std::greater<>());
    return true;
  }

  /// There is one.
  Record& take() noexcept {
    const holding lock(*this);
    std::pop_heap(all_.begin(), all_.end(), std::greater<>());
    Record& first = *all_.back();
    all_.pop_back();
    return first;
  }

  /// As if `task` had been added before `take`.
  Record& exchange(Record& task) noexcept {
    const holding lock(*this);
    if (all_.empty() || &task < all_.front()) return task;
    std::pop_heap(all_.begin(), all_.end(), std::greater<>());
    Record& first = *std::exchange(all_.back(), &task);
    std::push_heap(all_.begin(), all_.end(), std::greater<>());
    return first;
  }

 private:
  class holding {
   public:
    explicit holding(ready_tasks& of) noexcept : of_(of) {
      for (std::uint32_t turn = 0; of_.lock_.exchange(1, sync::acquire, sync::site{"A9"}) != 0; ++turn) {
        sync::real::relax(turn);
      }
    }
    ~holding() { of_.lock_.store(0, sync::release, sync::site{"A10"}); }
    holding(const holding&) = delete;
    holding& operator=(const holding&) = delete;

   private:
    ready_tasks& of_;
  };

  sync::real::atomic<std::uint32_t> lock_{};
  std::vector<Record*> all_;  ///< a heap
};

}  // namespace steelyard::dataflow
