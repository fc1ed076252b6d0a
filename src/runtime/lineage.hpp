// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace steelyard::runtime {

/// Frames that one thread has made since it began something: a part of its stack. Empty where nothing is known of its stack.
struct stack_part {
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;

  [[nodiscard]] bool holds(const void* object) const noexcept {
    return reinterpret_cast<std::uintptr_t>(object) - low < high - low;
  }
};

/// What a task descends from: roots, which are tasks and groups that threads wait for, the nearest first. None of them ends before the
/// task does, so no address of it names something else meanwhile. join.md, "What descends from what".
struct lineage {
  /// Of the roots above, only so many are known. With 8 of them, unbalanced tree search on 16 threads loses 3 % in virtual time, on 64
  /// threads 8 %; with 32 it gains 2 and 3 %.
  static constexpr std::size_t most = 16;

  std::array<const void*, most> roots{};  ///< the first nullptr ends them
  stack_part frames;  ///< made by what descends from the nearest root, on the stack of the thread that runs it

  /// Behind the last root.
  [[nodiscard]] const void* const* end() const noexcept { return std::find(roots.begin(), roots.end(), nullptr); }

  /// Of what a task does that a thief has: it descends from the task, which is `root`, and from what that does.
  [[nodiscard]] static lineage of_fork(const void* root, const lineage& above) noexcept {
    lineage made;
    made.roots[0] = root;
    std::copy_n(above.roots.begin(), std::min<std::ptrdiff_t>(above.end() - above.roots.begin(), most - 1),
                made.roots.begin() + 1);
    return made;
  }
  /// Of what a task of a group does. The group may outlast who spawned the task: then only the group itself is known to stand above. A group
  /// that was made in those frames does not outlast them. If the group is one of the roots, this same rule has found what stands above it.
  [[nodiscard]] static lineage of_member(const void* group, const lineage& spawned_by) noexcept {
    if (spawned_by.frames.holds(group)) return of_fork(group, spawned_by);
    lineage made;
    made.roots[0] = group;
    const auto* const found = std::find(spawned_by.roots.begin(), spawned_by.end(), group);
    std::copy(found, spawned_by.end(), made.roots.begin());
    return made;
  }
};

}  // namespace steelyard::runtime
