// SPDX-License-Identifier: Apache-2.0
#include "execution.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "support/assert.hpp"

namespace steelyard::model {
namespace {

execution* active = nullptr;

void fail_execution(const char* assertion) { active->fail(assertion); }

}  // namespace

execution::execution(rules given, unsigned threads) : rules_(given), threads_(threads) {
  if (threads > main_thread) std::abort();  // its number is the one behind theirs
}

execution& execution::current() noexcept {
  if (active == nullptr) {
    std::fputs("model: an atomic of the model was used outside an execution\n", stderr);
    std::abort();
  }
  return *active;
}

void execution::reset() {
  memory_.reset();
  for (auto& m : members_) m = member{};
  cells_.clear();
  running_ = main_thread;
  turn_ = nobody;
  over_ = false;
  verdict_ = verdict::complete;
  steps_ = 0;
  spent_ = 0;
  light_fences_ = {};
  membarriers_ = {};
  message_.clear();
  outcome_.clear();
}

verdict execution::run(chooser& answers, graph_search& search, const factory& make) {
  reset();
  search_ = &search;
  search.begin_run();
  active = this;
  support::on_failed_assertion = fail_execution;
  answers_ = &answers;
  make_ = &make;
  fibers_[main_thread].start(&execution::enter_setup, this);
  fibers_[main_thread].resume();
  if (!over_) run_threads();
  if (!over_ || verdict_ == verdict::complete) {
    over_ = false;
    running_ = main_thread;
    fibers_[main_thread].start(&execution::enter_finish, this);
    fibers_[main_thread].resume();
  }
  world_.reset();
  active = nullptr;
  support::on_failed_assertion = nullptr;
  return verdict_;
}

void execution::enter_setup(void* argument) {
  auto* const self = static_cast<execution*>(argument);
  self->world_ = (*self->make_)();
  self->memory_.note(self->make(operation::begin, sync::relaxed, "", -1));
  self->fibers_[main_thread].pause();
}

void execution::enter_finish(void* argument) {
  auto* const self = static_cast<execution*>(argument);
  for (unsigned t = 0; t < self->threads_; ++t) self->memory_.join(main_thread, self->memory_.now(t));
  self->world_->finish();
  self->over_ = true;
  self->fibers_[main_thread].pause();
}

void execution::enter_member(void* argument) {
  auto* const self = static_cast<execution*>(argument);
  const unsigned thread = self->running_;
  self->world_->run(thread);
  self->memory_.note(self->make(operation::end, sync::relaxed, "", -1));
  self->members_[thread].is = state::finished;
  if (self->starting_) {
    self->fibers_[thread].pause();
  }
  self->hand_over();
}

/// Every thread runs up to its first operation: what comes before concerns nobody else.
void execution::begin_threads() {
  starting_ = true;
  for (unsigned t = 0; t < threads_ && !over_; ++t) {
    memory_.join(t, memory_.now(main_thread));
    running_ = t;
    fibers_[t].start(&execution::enter_member, this);
    fibers_[t].resume();
  }
  starting_ = false;
}

void execution::run_threads() {
  begin_threads();
  if (over_) return;
  running_ = main_thread;
  turn_ = pick();
  while (!over_ && turn_ >= 0) {
    running_ = static_cast<unsigned>(turn_);
    fibers_[running_].resume();
  }
}

bool execution::enabled(unsigned thread) const {
  const auto& m = members_[thread];
  return m.is == state::ready || (m.is == state::parked && memory_.place(m.place).order.size() > m.seen);
}

/// Who makes the next step.
int execution::pick() {
  ready_.clear();
  const bool stays = !is_main() && enabled(running_);
  if (stays) ready_.push_back(running_);
  for (unsigned t = 0; t < threads_; ++t) {
    if (enabled(t) && !(stays && t == running_)) ready_.push_back(t);
  }
  if (ready_.empty()) return nobody;
  if (rules_.how == strategy::interleavings) return pick_interleaving(ready_, stays);
  if (search_->scripted()) return static_cast<int>(search_->wanted().thread);
  return static_cast<int>(*std::min_element(ready_.begin(), ready_.end(), [this](unsigned a, unsigned b) {
    const bool first = members_[a].completing;
    return first != members_[b].completing ? first : a < b;
  }));
}

int execution::pick_interleaving(const std::vector<unsigned>& ready, bool stays) {
  // Where the path repeats an earlier one it passes graphs that were seen then.
  if (!rules_.forget && answers_->fresh()) {
    auto name = memory_.fingerprint();
    for (unsigned t = 0; t < threads_; ++t) name = name * 7 + static_cast<unsigned>(members_[t].is);
    if (rules_.bound >= 0) name = name * 31 + running_ * 64 + static_cast<unsigned>(spent_);
    if (!visited_.insert(name).second) {
      verdict_ = verdict::discarded;
      over_ = true;
      return stopped;
    }
  }
  if (stays && rules_.bound >= 0 && spent_ >= rules_.bound) return static_cast<int>(running_);
  const unsigned next = ready[answers_->choose(static_cast<unsigned>(ready.size()))];
  if (stays && next != running_) ++spent_;
  return static_cast<int>(next);
}

/// Before every operation of a thread: others may go first, a signal may arrive.
void execution::step() {
  if (is_main()) return;
  bool chosen = starting_;  // who resumes a thread here has picked it
  if (starting_) fibers_[running_].pause();
  for (;; chosen = false) {
    if (++steps_ > rules_.steps) fail("livelock? more than " + std::to_string(rules_.steps) + " operations");
    if (memory_.overflow()) fail("more seq_cst operations than the engine can order");
    const unsigned thread = running_;
    if (!chosen) turn_ = pick();
    if (turn_ != static_cast<int>(thread)) fibers_[thread].pause();
    const auto arrivals = memory_.events().size();
    deliver_signals();
    if (memory_.events().size() != arrivals) continue;
    if (searching()) me().stamp = search_->stamp();
    step_ = next_step();
    return;
  }
}

graph_step execution::next_step() const {
  graph_step next;
  next.thread = running_;
  next.stamp = members_[running_].stamp;
  return next;
}

/// Nothing further for this thread at the moment: the explorer runs the one whose turn it is.
void execution::hand_over() {
  const unsigned thread = running_;
  turn_ = pick();
  if (turn_ == nobody) conclude();
  if (turn_ != static_cast<int>(thread)) fibers_[thread].pause();
}

/// Until there is a further write to the place.
void execution::park(int place) {
  auto& m = me();
  m.is = state::parked;
  m.place = place;
  m.seen = memory_.place(place).order.size();
  hand_over();
  me().is = state::ready;
}

/// No thread can go on. All have ended, or the program is stuck, unless a busy-waiting thread only declined to read
/// something newer.
void execution::conclude() {
  bool stuck = false;
  for (unsigned t = 0; t < threads_; ++t) {
    const auto& m = members_[t];
    if (m.is == state::finished) continue;
    for (const auto& [place, write] : m.reads) {
      if (m.is == state::spinning && memory_.place(place).order.back() != write) stop(verdict::discarded);
    }
    stuck = true;
  }
  if (stuck) {
    message_ = "deadlock: the threads that have not ended wait for ever";
    stop(verdict::failed);
  }
  over_ = true;
  verdict_ = verdict::complete;
}

void execution::stop(verdict how) {
  verdict_ = how;
  over_ = true;
  fibers_[running_].pause();
  std::abort();
}

void execution::fail(const std::string& message) {
  message_ = "main";
  if (!is_main()) message_ = std::string(1, 'T').append(std::to_string(running_));
  message_ += ": " + message;
  stop(verdict::failed);
}

}  // namespace steelyard::model
