// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>

#include "deque_lot.hpp"

namespace steelyard::model {

/// Descendants of a root, and others, one after the other.
class kin : public with_thieves {
 public:
  kin() : with_thieves(1) {}
  void run(unsigned) override {
    check(ask(&root_) == wish::answer::refused, "a task of no root");
    auto* const before = deque_.begin(of({&root_}), find());
    push(2);
    check(!deque_.has_some(&root_) && deque_.has_some(), "the oldest lies below the floor");
    check(ask(&root_) == wish::answer::refused, "a task below the floor");
    check(deque_.pop(find()) && deque_.pop(find()), "nobody has them");
    deque_.be({}, before, find());
    auto* const again = deque_.begin(of({&root_}), find());
    push(3);
    check(deque_.has_some(&root_) && !deque_.has_some(&other_), "what there is is not seen");
    check(ask(&other_) == wish::answer::refused, "a task of another root");
    check(ask(&root_) == wish::answer::given, "a task of this root");
    check(!deque_.pop(find()), "it is stolen");
    deque_.free_from(deque_.young() - 1, find());
    deque_.be({}, again, find());
    push(4);
    check(ask(&root_) == wish::answer::refused, "a task of a root that is over");
    check(ask(nullptr) == wish::answer::given, "any task");
  }

 protected:
  static runtime::lineage of(std::initializer_list<const void*> roots) {
    runtime::lineage made;
    std::copy(roots.begin(), roots.end(), made.roots.begin());
    return made;
  }
  wish::answer ask(const void* root) {
    wishes_[0].want(root);
    check(deque_.ask(wishes_[0], 0), "nobody else asks");
    deque_.take(find());
    const auto heard = wishes_[0].hear().what;
    check(wishes_[0].hear().what == wish::answer::none, "an answer is heard twice");
    return heard;
  }
  unsigned root_ = 0;
  unsigned other_ = 0;
};

/// Descendants of roots above the nearest one, and what a thief learns of them.
class clan : public kin {
 public:
  void run(unsigned) override {
    const auto& learnt = wishes_[0].above();
    auto* const before = deque_.begin(of({&other_, &root_}), find());
    check(ask(nullptr) == wish::answer::given && learnt.roots[0] == nullptr,
          "a task below the floor descends from nothing known");
    deque_.free_from(deque_.young() - 1, find());
    deque_.be({}, before, find());
    auto full = of({&other_, &root_});
    for (unsigned i = 2; i < full.most; ++i) full.roots[i] = &roots_[i];
    full.frames = {1, 2};
    deque_.begin(full, find());
    push(2);
    push(3);
    check(deque_.has_some(&root_) && deque_.has_some(&roots_[full.most - 1]), "what there is is not seen");
    check(!deque_.has_some(&roots_[0]) && ask(&roots_[0]) == wish::answer::refused, "a task of another root");
    check(ask(&roots_[full.most - 1]) == wish::answer::given && learnt.roots == full.roots, "all its roots");
    check(learnt.frames.low == 1 && learnt.frames.high == 2, "where the frames lie");
    deque_.be(of({&other_}), deque_.floor(), find());
    check(ask(&root_) == wish::answer::refused, "a root of before");
    check(ask(&other_) == wish::answer::given && learnt.end() == &learnt.roots[1], "its root alone");
  }

 private:
  std::array<unsigned, runtime::lineage::most> roots_{};
};

/// The owner has a task of another root below one that a thief may have, of which the thief's root is the nearest one or the one above.
class family : public with_lot {
  auto find() {
    return [this](std::uint32_t) -> wish& { return wish_; };
  }

 public:
  explicit family(bool nearest) {
    if (!nearest) mine_.roots[0] = &nearer_;
    mine_.roots[nearest ? 0 : 1] = &root_;
  }
  void run(unsigned thread) override {
    if (thread == 0) {
      push(1);
      auto* const before = deque_.begin(mine_, find());
      push(2);
      if (deque_.pop(find())) pop_done_ = true;
      if (!pop_done_) deque_.free_from(deque_.young() - 1, find());
      deque_.be({}, before, find());
      push(3);
      static_cast<void>(deque_.pop(find()));
      static_cast<void>(deque_.pop(find()));
    } else {
      wish_.want(&root_);
      if (!deque_.has_some() || !deque_.ask(wish_, 0)) return;
      deque_.ring();
      deque_.take(find());
      auto heard = wish_.hear();
      for (; heard.what == wish::answer::none; heard = wish_.hear()) sync::model::pause();
      check(heard.what == wish::answer::refused || wish_.copy().task.read() == 2, "a task of another root");
    }
  }

 private:
  bool pop_done_ = false;
  unsigned root_ = 0;
  unsigned nearer_ = 0;
  runtime::lineage mine_;
  wish wish_;
};

}  // namespace steelyard::model
