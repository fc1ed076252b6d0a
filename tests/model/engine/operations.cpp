// SPDX-License-Identifier: Apache-2.0
// The operations of the door: what a thread may do next, which of it is chosen, and what the mutant makes of it.
#include <cstring>

#include "execution.hpp"

namespace steelyard::model {

event execution::make(operation what, order how, const char* site, int place) const {
  event e;
  e.thread = running_;
  e.what = what;
  e.how = how;
  e.site = site;
  e.location = place;
  return e;
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
    fail("data race: an atomic object is used whose construction, " + describe(constructor) + ", does not happen before");
  }
}

void execution::options_of(int place, const allowed& good, bool only_new) {
  memory_.writes_from(running_, place, options_);
  const auto since = static_cast<int>(me().since);
  std::erase_if(options_, [&](int write) { return (only_new && write < since) || !good(write); });
}

/// The write that a read of the running thread reads: one that is there, or one that another thread has yet to make.
int execution::select(int place, const allowed& good) {
  bool voluntary = false;
  options_of(place, good, false);
  for (;;) {
    const auto there = static_cast<unsigned>(options_.size());
    bool postpone = may_postpone();
    if (postpone && rules_.bound >= 0 && spent_ >= rules_.bound && there != 0) postpone = false;
    if (there != 0 || postpone) {
      const auto chosen = answers_->choose(there + (postpone ? 1U : 0U));
      if (chosen < there) return options_[chosen];
    }
    if (is_main()) fail("nothing to read for a load outside the threads");
    voluntary = voluntary || there != 0;
    if (there != 0) ++spent_;
    park(place, voluntary);
    options_of(place, good, rules_.how == strategy::graphs);
  }
}

std::uint64_t execution::raw_load(int place, order how, const char* site) {
  step();
  const int write = select(place, [&](int w) { return memory_.may_read(running_, place, w, how); });
  const int id = memory_.load(make(operation::load, how, site, place), write);
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
  const int write = select(place, [&](int w) {
    return good(memory_.at(w).written) && memory_.may_read(running_, place, w, with);
  });
  return memory_.at(memory_.load(make(operation::load, with, site, place), write)).read;
}

void execution::raw_store(int place, std::uint64_t value, order how, const char* site) {
  step();
  std::vector<int> positions;
  memory_.writable(running_, place, how, positions);
  auto e = make(operation::store, how, site, place);
  e.written = value;
  me().pure = false;
  memory_.store(e, positions[answers_->choose(static_cast<unsigned>(positions.size()))]);
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
  const int write = select(place, [&](int w) { return memory_.may_update(running_, place, w, how); });
  auto e = make(what, how, site, place);
  const auto found = memory_.at(write).written;
  const unsigned bits = memory_.place(place).bytes * 8;
  e.written = what == operation::exchange ? operand : found + operand;
  if (bits < 64) e.written &= (std::uint64_t{1} << bits) - 1;
  me().pure = false;
  memory_.update(e, write);
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
  const int write = select(place, [&](int w) {
    return memory_.at(w).written == expected ? memory_.may_update(running_, place, w, success)
                                             : memory_.may_read(running_, place, w, failure);
  });
  const bool same = memory_.at(write).written == expected;
  auto e = make(operation::compare_exchange, same ? success : failure, site, place);
  if (same) {
    e.written = desired;
    me().pure = false;
    memory_.update(e, write);
    return true;
  }
  expected = memory_.at(write).written;
  me().reads.emplace_back(place, write);
  memory_.load(e, write);
  return m != nullptr && m->what == change::ignore_failure;
}

void execution::fence(order how, const char* site) {
  const auto* m = enter(operation::fence, how, sync::relaxed, site);
  if (m != nullptr && m->what == change::remove) return;
  step();
  memory_.fence(make(operation::fence, m != nullptr ? m->to : how, site, -1));
}

/// The other half of `membarrier`: of each pair of the two, one synchronises with the other, whichever came first.
void execution::light_fence(const char* site) {
  if (enter(operation::light_fence, sync::relaxed, sync::relaxed, site) != nullptr) return;
  step();
  while (may_postpone() && answers_->choose(2) == 1) park(channel_membarrier, true);
  memory_.join_as_fence(running_, membarriers_);
  memory_.note(make(operation::light_fence, sync::relaxed, site, -1));
  light_fences_.join(memory_.published(running_));
  ++light_count_;
}

void execution::membarrier(const char* site) {
  if (enter(operation::membarrier, sync::seq_cst, sync::relaxed, site) != nullptr) return;
  step();
  while (may_postpone() && answers_->choose(2) == 1) park(channel_light_fence, true);
  memory_.join_as_fence(running_, light_fences_);
  memory_.fence(make(operation::membarrier, sync::seq_cst, site, -1));
  membarriers_.join(memory_.now(running_));
  ++membarrier_count_;
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
