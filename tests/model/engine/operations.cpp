// SPDX-License-Identifier: Apache-2.0
// The operations of the door: what a thread may do next, which of it is chosen, and what the mutant makes of it.
#include <algorithm>

#include "execution.hpp"

namespace steelyard::model {

event execution::make(operation what, order how, const char* site, int place) const {
  event e;
  e.thread = running_;
  e.what = what;
  e.how = how;
  e.site = site;
  e.location = place;
  e.stamp = e.write_stamp = members_[running_].stamp;
  return e;
}

/// The operation under way has become this event.
int execution::made(int id) {
  if (!searching()) return id;
  step_.event = id;
  const auto& e = memory_.at(id);
  if (e.reads()) step_.source = name_of_event(e.source);
  if (e.writes) {
    step_.after = name_of_event(memory_.place(e.location).order[static_cast<std::size_t>(e.position) - 1]);
  }
  search_->took(step_);
  return id;
}

/// Notes the access; tells whether the mutant edits it.
const mutation* execution::enter(operation what, order how, order failure, const char* site) {
  if (rules_.seen != nullptr) rules_.seen->insert({site, what, how, failure});
  const auto* m = rules_.mutant;
  if (m == nullptr || m->where.what != what || m->where.how != how || m->where.failure != failure) return nullptr;
  return m->where.site == site ? m : nullptr;
}

std::string execution::describe(int id) const {
  const auto& e = memory_.at(id);
  return "event #" + std::to_string(id) + " (" + name_of(e.what) + " at " + e.site + ")";
}

int execution::construct(const void* address, unsigned extent, unsigned bytes, std::uint64_t value) {
  int created = -1;
  const int race = memory_.construct(running_, address, extent, bytes, value, created);
  if (race >= 0) fail("data race: storage is used again while " + describe(race) + " does not happen before");
  return created;
}

/// The object must exist and its construction happen before its use.
void execution::reach(int place, const void* address) {
  if (place < 0 || place >= memory_.places() || memory_.place(place).address != address || !memory_.place(place).live) {
    fail("an atomic object is used that was not constructed in this execution");
  }
  const int constructor = memory_.place(place).order.front();
  if (!before(memory_.at(constructor), memory_.now(running_))) {
    fail("data race: an atomic object is used whose construction, " + describe(constructor) +
         ", does not happen before");
  }
}

void execution::options_of(int place, const allowed& good) {
  memory_.writes_from(running_, place, options_);
  std::erase_if(options_, [&](int write) { return !good(write); });
}

/// The write that a read of the running thread reads. A thread with nothing to read waits for a write.
int execution::select(int place, const allowed& good) {
  if (searching()) return select_in_graph(place, good);
  for (options_of(place, good); options_.empty(); options_of(place, good)) {
    if (is_main()) fail("nothing to read for a load outside the threads");
    park(place);
  }
  return options_[answers_->choose(static_cast<unsigned>(options_.size()))];
}

int execution::select_in_graph(int place, const allowed& good) {
  if (search_->scripted()) {
    const auto& source = search_->wanted().source;
    const int write = memory_.find(source.thread, source.index);
    if (write < 0 || memory_.at(write).location != place || !good(write)) stop(verdict::discarded);
    return write;
  }
  for (options_of(place, good); options_.empty(); options_of(place, good)) {
    park(place);
    me().stamp = search_->stamp();
    step_ = next_step();
  }
  for (std::size_t i = options_.size() - 1; i > 0; --i) {
    auto other = step_;
    other.source = name_of_event(options_[i]);
    search_->alternative(other);
  }
  return options_.front();
}

/// Where a plain store enters the modification order.
int execution::select_position(int place, order how) {
  auto& positions = options_;
  memory_.writable(running_, place, how, positions);
  const auto& writes = memory_.place(place).order;
  if (!searching()) return positions[answers_->choose(static_cast<unsigned>(positions.size()))];
  if (search_->scripted()) {
    const auto& after = search_->wanted().after;
    const int write = memory_.find(after.thread, after.index);
    const int position = write < 0 || memory_.at(write).location != place ? -1 : memory_.at(write).position + 1;
    if (std::find(positions.begin(), positions.end(), position) == positions.end()) stop(verdict::discarded);
    return position;
  }
  offer_store(place);
  for (std::size_t i = positions.size() - 1; i > 0; --i) {
    auto other = step_;
    other.after = name_of_event(writes[static_cast<std::size_t>(positions[i]) - 1]);
    search_->alternative(other);
  }
  return positions.front();
}

void execution::offer_store(int place) {
  names_.clear();
  const auto& writes = memory_.place(place).order;
  for (auto p = static_cast<std::size_t>(memory_.floor(running_, place)); p < writes.size(); ++p) {
    names_.push_back(name_of_event(writes[p]));
  }
  search_->offer(memory_, place, {step_}, memory_.leading(running_), names_);
}

/// A write that a read-modify-write may read but not follow, because another one follows it: the run that reads it ends
/// there, but the write is offered to earlier reads, the other one's among them.
void execution::offer_update(int place, order how, const allowed& good) {
  if (!searching() || search_->scripted()) return;
  memory_.writes_from(running_, place, options_);
  for (const int write : options_) {
    if (!good(write) || !memory_.may_read(running_, place, write, how)) continue;
    if (memory_.may_update(running_, place, write, how)) continue;
    auto reads = step_;
    reads.source = name_of_event(write);
    auto writes = step_;
    writes.completes = true;
    ++writes.stamp;
    auto leading = memory_.leading(running_);
    leading.join(memory_.at(write).leading);
    search_->offer(memory_, place, {reads, writes}, leading, {reads.source});
  }
}

/// In the search for graphs other threads' reads may come between the halves, so that the write can offer itself anew.
int execution::update(event e, int write, std::uint64_t value) {
  if (!searching()) return memory_.update(e, write, value);
  const int place = e.location;
  const int id = made(memory_.load(e, write));
  const unsigned thread = running_;
  me().completing = true;
  turn_ = pick();
  if (turn_ != static_cast<int>(thread)) fibers_[thread].pause();
  me().completing = false;
  me().stamp = search_->stamp();
  step_ = next_step();
  step_.completes = true;
  if (!search_->scripted()) search_->offer(memory_, place, {step_}, memory_.leading(running_), {name_of_event(write)});
  if (!memory_.may_complete(id)) stop(verdict::discarded);
  memory_.complete(id, value, me().stamp);
  step_.event = id;
  search_->took(step_);
  return id;
}

void execution::needs_interleavings() {
  if (rules_.how == strategy::graphs) fail("signals and membarrier need strategy::interleavings");
}

std::uint64_t execution::raw_load(int place, order how, const char* site) {
  step();
  const int write = select(place, [&](int w) { return memory_.may_read(running_, place, w, how); });
  const int id = made(memory_.load(make(operation::load, how, site, place), write));
  me().reads.emplace_back(place, write);
  return memory_.at(id).read;
}

std::uint64_t execution::load(int place, const void* address, order how, const char* site) {
  if (how == sync::release || how == sync::acq_rel) fail("a load cannot release");
  const auto* m = enter(operation::load, how, sync::relaxed, site);
  reach(place, address);
  return raw_load(place, m != nullptr ? m->to : how, site);
}

std::uint64_t execution::await(int place, const void* address, order how, const char* site,
                               const std::function<bool(std::uint64_t)>& good) {
  const auto* m = enter(operation::load, how, sync::relaxed, site);
  reach(place, address);
  const order with = m != nullptr ? m->to : how;
  step();
  const int write =
      select(place, [&](int w) { return good(memory_.at(w).written) && memory_.may_read(running_, place, w, with); });
  const int id = made(memory_.load(make(operation::load, with, site, place), write));
  if (searching()) search_->waits(id, good);
  return memory_.at(id).read;
}

void execution::raw_store(int place, std::uint64_t value, order how, const char* site) {
  step();
  const int position = select_position(place, how);
  auto e = make(operation::store, how, site, place);
  e.written = value;
  me().pure = false;
  made(memory_.store(e, position));
}

void execution::store(int place, const void* address, std::uint64_t value, order how, const char* site) {
  if (how == sync::acquire || how == sync::acq_rel) fail("a store cannot acquire");
  const auto* m = enter(operation::store, how, sync::relaxed, site);
  reach(place, address);
  if (m == nullptr) return raw_store(place, value, how, site);
  if (m->what == change::weaken) raw_store(place, value, m->to, site);
}

std::uint64_t execution::raw_update(operation what, int place, std::uint64_t operand, order how, const char* site) {
  step();
  offer_update(place, how, [](int) { return true; });
  const int write = select(place, [&](int w) { return memory_.may_update(running_, place, w, how); });
  const auto e = make(what, how, site, place);
  const auto found = memory_.at(write).written;
  const unsigned bits = memory_.place(place).bytes * 8;
  auto value = what == operation::exchange ? operand : found + operand;
  if (bits < 64) value &= (std::uint64_t{1} << bits) - 1;
  me().pure = false;
  update(e, write, value);
  return found;
}

std::uint64_t execution::exchange(int place, const void* address, std::uint64_t value, order how, const char* site) {
  const auto* m = enter(operation::exchange, how, sync::relaxed, site);
  reach(place, address);
  if (m == nullptr) return raw_update(operation::exchange, place, value, how, site);
  if (m->what == change::weaken) return raw_update(operation::exchange, place, value, m->to, site);
  const auto found = raw_load(place, load_part(how), site);
  raw_store(place, value, store_part(how), site);
  return found;
}

std::uint64_t execution::fetch_add(int place, const void* address, std::uint64_t amount, order how, const char* site) {
  const auto* m = enter(operation::fetch_add, how, sync::relaxed, site);
  reach(place, address);
  if (m == nullptr) return raw_update(operation::fetch_add, place, amount, how, site);
  if (m->what == change::weaken) return raw_update(operation::fetch_add, place, amount, m->to, site);
  const auto found = raw_load(place, load_part(how), site);
  const unsigned bits = memory_.place(place).bytes * 8;
  auto sum = found + amount;
  if (bits < 64) sum &= (std::uint64_t{1} << bits) - 1;
  raw_store(place, sum, store_part(how), site);
  return found;
}

bool execution::compare_exchange(int place, const void* address, std::uint64_t& expected, std::uint64_t desired,
                                 order success, order failure, const char* site) {
  if (failure == sync::release || failure == sync::acq_rel) fail("a failed compare_exchange cannot release");
  const auto* m = enter(operation::compare_exchange, success, failure, site);
  reach(place, address);
  if (m != nullptr && m->what == change::split) {
    const auto found = raw_load(place, load_part(success), site);
    const bool same = found == expected;
    if (same) raw_store(place, desired, store_part(success), site);
    expected = found;
    return same;
  }
  if (m != nullptr && m->what == change::weaken) success = m->to;
  if (m != nullptr && m->what == change::weaken_failure) failure = m->to;
  step();
  offer_update(place, success, [&](int w) { return memory_.at(w).written == expected; });
  const int write = select(place, [&](int w) {
    return memory_.at(w).written == expected ? memory_.may_update(running_, place, w, success)
                                             : memory_.may_read(running_, place, w, failure);
  });
  const bool same = memory_.at(write).written == expected;
  const auto e = make(operation::compare_exchange, same ? success : failure, site, place);
  if (same) {
    me().pure = false;
    update(e, write, desired);
    return true;
  }
  expected = memory_.at(write).written;
  me().reads.emplace_back(place, write);
  made(memory_.load(e, write));
  return m != nullptr && m->what == change::ignore_failure;
}

void execution::fence(order how, const char* site) {
  const auto* m = enter(operation::fence, how, sync::relaxed, site);
  if (m != nullptr && m->what == change::remove) return;
  step();
  made(memory_.fence(make(operation::fence, m != nullptr ? m->to : how, site, -1)));
}

/// The other half of `membarrier`: of each pair of the two, one synchronises with the other, whichever came first. Without
/// the one half the other does nothing.
void execution::light_fence(const char* site) {
  if (enter(operation::light_fence, sync::relaxed, sync::relaxed, site) != nullptr) return;
  if (rules_.how == strategy::graphs) return;
  step();
  memory_.join_as_fence(running_, membarriers_);
  memory_.note(make(operation::light_fence, sync::relaxed, site, -1));
  light_fences_.join(memory_.published(running_));
}

void execution::membarrier(const char* site) {
  if (enter(operation::membarrier, sync::seq_cst, sync::relaxed, site) != nullptr) return;
  needs_interleavings();
  step();
  memory_.join_as_fence(running_, light_fences_);
  memory_.fence(make(operation::membarrier, sync::seq_cst, site, -1));
  membarriers_.join(memory_.now(running_));
}

/// One turn of a busy-wait. A turn that read exactly what the turn before it read changes nothing: the thread waits for
/// ever, which is a livelock unless there was something newer to read.
void execution::pause() {
  if (is_main()) return;
  if (++steps_ > rules_.steps) fail("livelock? a busy-wait of more than " + std::to_string(rules_.steps) + " turns");
  auto& m = me();
  if (m.pure && !m.reads.empty() && m.reads == m.previous) {
    m.is = state::spinning;
    hand_over();
    stop(verdict::discarded);
  }
  m.previous.swap(m.reads);
  m.reads.clear();
  m.pure = true;
}

}  // namespace steelyard::model
