// SPDX-License-Identifier: Apache-2.0
// Frames of a thread that measures work and span: they run in the order of the program, and what tasks access tells when others
// could have run them (../runtime/meter.md).
#include <algorithm>
#include <array>
#include <deque>
#include <new>
#include <vector>

#include "dataflow/frame_state.hpp"

namespace steelyard::dataflow {

using runtime::meter;

/// When the tasks of a frame may begin, and have ended.
class frame_times {
 public:
  void fork(meter::time when) { forked_.push_back(when); }

  /// A task; nullptr: it accesses nothing.
  struct timed {
    task_node node;
    meter::time end;
  };
  struct begun {
    meter::time start = 0;
    timed* task = nullptr;
  };
  /// The next one. `from`: when it was forked, unless that was told.
  [[nodiscard]] begun begin(const record& task, meter::time from) {
    begun its{next_ < forked_.size() ? forked_[next_++] : from};
    if (task.kind->count == 0) return its;
    task.kind->accesses(&task, accesses_.data());
    its.task = &tasks_.emplace_back();
    its.task->node.begin();
    before_.clear();
    order_.list(its.task->node, {accesses_.data(), task.kind->count}, before_);
    for (const task_node* const each : before_) {
      its.start = std::max(its.start, reinterpret_cast<const timed*>(each)->end);
    }
    return its;
  }

  void clear() noexcept {
    forked_.clear();
    next_ = 0;
    order_.clear();
    tasks_.clear();
  }

 private:
  std::deque<meter::time> forked_;
  std::size_t next_ = 0;
  graph order_;
  std::deque<timed> tasks_;
  std::array<steelyard_access, STEELYARD_MOST_ACCESSES> accesses_;
  std::vector<task_node*> before_;
};

frame::frame() = default;
frame::~frame() = default;

void begin_measured(frame& in, meter& its) noexcept {
  if (in.times == nullptr) in.times.reset(new (std::nothrow) frame_times);
  if (in.times == nullptr) its.fail();
}

void note_forked(frame& in, meter& its) noexcept {
  const meter::standing clock(its);
  begin_measured(in, its);
  if (in.times == nullptr) return;
  try {
    in.times->fork(its.here());
  } catch (const std::bad_alloc&) {
    its.fail();
  }
}

namespace {

frame_times::begun begin(frame_times& in, const record& task, meter& its, meter::time from) noexcept {
  try {
    return in.begin(task, from);
  } catch (const std::bad_alloc&) {
    its.fail();
    return {from};
  }
}

}  // namespace

void run_measured(frame& in, meter& its) noexcept {
  const meter::standing clock(its);
  const auto from = its.here();
  auto last = from;
  {
    const other_tasks here;
    while (record* const task = in.take().record) {
      const bool is_last = in.is_empty() && in.notes == nullptr;
      const auto begun = begin(*in.times, *task, its, from);
      its.go_to(begun.start);
      other_tasks::begin_one();
      if (is_last) {
        // What it forks lies here, and those before it have nothing to do with that.
        if (is_long(in)) begin_anew(in, *task);
        in.times->clear();
        steelyard_frame_here = face(in);
      }
      its.begin_strand();
      void* const thrown = is_last ? call(in, *task) : other_tasks::end_one(call(in, *task));
      its.end_strand();
      if (thrown != nullptr) in.fail(thrown);
      if (!is_last && begun.task != nullptr) begun.task->end = its.here();
      last = std::max(last, its.here());
    }
    in.times->clear();
  }
  its.go_to(last);
}

}  // namespace steelyard::dataflow
