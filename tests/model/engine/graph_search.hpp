// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "memory.hpp"

namespace steelyard::model {

/// An event by its place in the program: the `index`-th of `thread`, from 1; index 0 is no event.
struct event_name {
  unsigned thread = 0;
  std::uint32_t index = 0;
};

/// One operation of a path: who makes it, what it reads, and behind which write its write goes in modification order.
/// A read-modify-write makes two, its read and its write.
struct graph_step {
  unsigned thread = 0;
  bool completes = false;   ///< the write of a read-modify-write
  std::uint32_t stamp = 0;  ///< when the search added it; the order "earlier" below
  event_name source;
  event_name after;
  int event = -1;  ///< in the current run
};

/// Finds every consistent execution graph once, without trying orders of the threads (Kokologiannakis, Marmanis,
/// Gladstein & Vafeiadis: Truly stateless, optimal dynamic partial order reduction, POPL 2022). A run follows a script,
/// then goes on in any fixed order. On the way
///
/// - a read takes one of the writes that are there; each other one becomes a script of its own;
/// - a write also offers itself to every earlier read of its location that does not lead to it: the script that drops
///   what was added after that read, except what leads to the write, and lets the read read it. So that no graph is
///   found twice this is done only from the one graph where all that is dropped is *maximal*: it reads, or is, the
///   newest write that was there.
class graph_search {
 public:
  using predicate = std::function<bool(std::uint64_t)>;

  /// The next script; false when there is none.
  bool next_path();
  /// Only this one, as `text` printed it.
  void replay(const std::string& path);
  void begin_run();

  /// The current run still follows its script.
  [[nodiscard]] bool scripted() const noexcept { return path_.size() < script_.size(); }
  [[nodiscard]] const graph_step& wanted() const noexcept { return script_[path_.size()]; }
  /// The stamp of the next operation.
  [[nodiscard]] std::uint32_t stamp() const noexcept { return scripted() ? wanted().stamp : last_stamp_ + 1; }

  void took(graph_step made);
  /// The next operation could also be `other`.
  void alternative(graph_step other);
  /// A read that waits until it reads a good value: among good values alone one is the newest.
  void waits(int event, predicate good) { waits_.emplace_back(event, std::move(good)); }

  /// The next operation is a write to `place`, with `leading` the clock of all that leads to it. Offers it to the earlier
  /// reads, behind each of the writes `after`.
  /// `write` is the step, or the two steps of a read-modify-write.
  void offer(const memory& graph, int place, const std::vector<graph_step>& write, const clock& leading,
             const std::vector<event_name>& after);

  [[nodiscard]] std::string text() const;

 private:
  using script = std::vector<graph_step>;

  [[nodiscard]] bool maximal(const memory& graph, const graph_step& s, const clock& leading) const;
  [[nodiscard]] bool maximal_read(const memory& graph, const graph_step& s, const clock& leading) const;
  [[nodiscard]] static bool maximal_write(const memory& graph, const graph_step& s, const clock& leading);
  [[nodiscard]] bool may_drop(const memory& graph, const graph_step& read, const clock& leading) const;
  void revisit(const memory& graph, const graph_step& read, const std::vector<graph_step>& write, const clock& leading,
               event_name after, event_name source);

  std::vector<script> open_;
  script script_;
  script path_;
  std::uint32_t last_stamp_ = 0;
  bool alone_ = false;
  std::vector<std::pair<int, predicate>> waits_;
};

}  // namespace steelyard::model
