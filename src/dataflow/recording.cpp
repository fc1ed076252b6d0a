// SPDX-License-Identifier: Apache-2.0
#include "dataflow/recording.hpp"
#include "runtime/meter_here.hpp"
#include "runtime/seats.hpp"
#include "support/assert.hpp"

#include <array>
#include <new>

namespace steelyard::dataflow {

using runtime::calls_only;
using runtime::meter_here;
using runtime::seats;
using runtime::task_thread;

recording::recording() noexcept { notes_.notes = this; }

recording::~recording() {
  if (end_ == nullptr) return;
  for (record* at = first(); at != end_; at = at->next()) at->kind->drop(at);
}

bool recording::begin() noexcept {
  if (!memory_.reserve()) return false;
  ++steelyard_frame_waits;
  notes_.begin(first());
  notes_.allow(last_of(memory_));
  be_known();
  here_before_ = std::exchange(steelyard_frame_here, face(notes_));
  hidden_before_ = std::exchange(steelyard_forks, nullptr) == nullptr;
  return true;
}

void recording::refuse_last() noexcept {
  if (!is_full_) {
    is_full_ = true;
    for (end_ = first(); end_->next() != notes_.young();) end_ = end_->next();
    notes_.allow(nullptr);
  }
  end_->kind->drop(end_);
  notes_.restart(end_);
}

bool recording::end() noexcept {
  ++steelyard_frame_waits;
  steelyard_frame_here = here_before_;
  if (!hidden_before_) task_thread::show_deques();
  end_ = notes_.young();
  bool repeatable = !is_full_ && !is_refused_;
  std::uint32_t number = 0;
  for (record* at = first(); at != end_; at = at->next()) {
    at->number = number++;
    repeatable &= at->kind->run_again != nullptr;
  }
  return repeatable;
}

void* recording::run_one_by_one() noexcept {
  steelyard_frame* const before = std::exchange(steelyard_frame_here, &calls_only);
  void* thrown = nullptr;
  for (record* at = first(); at != end_ && thrown == nullptr; at = at->next()) thrown = at->kind->run_again(at);
  steelyard_frame_here = before;
  return thrown;
}

void* recording::run(bool (*enter)()) noexcept {
  if (has_frame_here() && here().notes != nullptr) {
    here().notes->refuse();
    return nullptr;
  }
  if (first() == end_) return nullptr;
  if (steelyard_frame_here != nullptr) {
    // What was forked before comes first.
    if (void* const thrown = sync()) return thrown;
  }
  frame* const in = dataflow::begin(enter);
  if (in == nullptr) return run_one_by_one();
  void* const thrown = run_in(*in);
  if (in->is_root) seats::leave();
  return thrown;
}

void* recording::run_in(frame& in) noexcept {
  in.notes = this;
  in.above = in.start;
  in.start = first();
  in.last = end_;
  in.begin(first());
  static_cast<void>(in.push(end_));
  if (auto* const measured = meter_here()) {
    begin_measured(in, *measured);
  } else {
    in.invited = in.has_invited = true;
    in.allow(end_);
    invite(in);
  }
  drain(in);
  dataflow::end(in);
  in.notes = nullptr;
  in.above = nullptr;
  return in.thrown.exchange(nullptr, sync::relaxed, sync::site{"A3"});
}

bool recording::find_dependencies() noexcept {
  if (links_ != nullptr) return true;
  try {
    graph in;
    std::array<steelyard_access, STEELYARD_MOST_ACCESSES> its;
    begins_.clear();
    waits_for_.clear();
    for (record* at = first(); at != end_; at = at->next()) {
      begins_.push_back(waits_for_.size());
      at->kind->accesses(at, its.data());
      at->node().begin();
      in.list(at->node(), {its.data(), at->kind->count}, waits_for_);
    }
    begins_.push_back(waits_for_.size());
    links_ = std::make_unique_for_overwrite<std::byte[]>((waits_for_.size() + 1) * sizeof(task_node::edge));
    task_thread::count_analysed(begins_.size() - 1);
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

graph::verdict recording::add(const frame& in, record& task) noexcept {
  if (!find_dependencies()) return graph::verdict::no_memory;
  STEELYARD_ASSERT(task.number + std::size_t{1} < begins_.size(), "frames.md, Recordings: every record is listed");
  task.node().begin();
  std::uint32_t waits_for = 0;
  for (auto i = begins_[task.number]; i != begins_[task.number + 1]; ++i) {
    record& before = record::of(*waits_for_[i]);
    if (&before < in.from() && &before != in.begun()) continue;  // it has ended
    auto* const link =
        ::new (static_cast<void*>(links_.get() + i * sizeof(task_node::edge))) task_node::edge(task.node());
    if (before.node().precede(*link)) ++waits_for;
  }
  return task.node().is_ready_after(waits_for) ? graph::verdict::ready : graph::verdict::waits;
}

}  // namespace steelyard::dataflow
