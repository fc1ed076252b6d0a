// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

namespace steelyard::model {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) noexcept {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 32);
}

std::uint64_t name(const event& e) noexcept { return (std::uint64_t{e.thread} << 32) | e.index; }

}  // namespace

void memory::reset() {
  events_.clear();
  locations_count_ = 0;
  for (auto& thread : threads_) {
    thread.now = thread.leading = thread.pending = thread.released = {};
    thread.history = 0;
    thread.events.clear();
  }
  sc_.reset();
}

int memory::construct(unsigned thread, const void* address, unsigned extent, unsigned bytes, std::uint64_t value,
                      int& created) {
  const auto* first = static_cast<const char*>(address);
  int race = -1;
  for (std::size_t i = 0; i < locations_count_; ++i) {
    auto& old = locations_[i];
    if (!old.live || old.address + old.extent <= first || first + extent <= old.address) continue;
    old.live = false;
    for (const int id : old.accesses) {
      if (!before(at(id), threads_[thread].now)) race = id;
    }
  }
  if (locations_count_ == locations_.size()) locations_.emplace_back();
  auto& fresh = locations_[locations_count_];
  fresh.address = first;
  fresh.extent = extent;
  fresh.bytes = bytes;
  fresh.live = true;
  fresh.order.clear();
  fresh.accesses.clear();
  created = static_cast<int>(locations_count_++);
  event e;
  e.thread = thread;
  e.what = operation::construct;
  e.site = "constructor";
  e.location = created;
  e.writes = true;
  e.written = value;
  store(e, 0);
  return race;
}

int memory::floor(unsigned thread, int place_id) const {
  const auto& now = threads_[thread].now;
  int lowest = 0;
  for (const int id : place(place_id).accesses) {
    const auto& e = at(id);
    if (before(e, now)) lowest = std::max(lowest, position_of(e));
  }
  return lowest;
}

clock memory::when_reading(unsigned thread, int write, order how) const {
  clock when = threads_[thread].now;
  if (acquires(how)) when.join(at(write).published);
  return when;
}

/// The edges that an operation at `position` (of its write, or of the write it reads) adds to S: everything coherence-
/// ordered before it, and everything coherence-ordered after it.
memory::edges memory::edges_of(const event& e, int place_id, int position, bool writes) const {
  edges result;
  const bool sc = e.how == sync::seq_cst;
  for (const int id : place(place_id).accesses) {
    const auto& other = at(id);
    if (other.index == e.index && other.thread == e.thread) continue;
    const int there = position_of(other);
    const bool after = writes ? there >= position : there > position;
    const bool ahead = writes ? there < position : (other.writes ? there <= position : there < position);
    if (after) result.to |= sc_.as_second(events_, other);
    if (ahead && sc) result.into |= sc_.as_first(events_, other.when, other.sc);
  }
  result.from = sc_.as_first(events_, e.when, e.sc);
  // Of an event that is a node already this is known, and the thread's clock is no longer the one before it.
  if (sc && e.sc < 0) result.into |= sc_.strongly_before(events_, e.thread, threads_[e.thread].now);
  return result;
}

bool memory::consistent(const event& e, int place_id, int position, bool writes) const {
  if (sc_.empty()) return true;
  const auto added = edges_of(e, place_id, position, writes);
  return !sc_.cyclic(added.into | added.from, added.to);
}

/// Another read-modify-write follows the write at `position`: nothing may come between the two.
bool memory::has_update(const location& where, int position) const {
  const auto next = static_cast<std::size_t>(position) + 1;
  return next < where.order.size() && at(where.order[next]).reads();
}

bool memory::may_read(unsigned thread, int place_id, int write, order how) const {
  if (at(write).position < floor(thread, place_id)) return false;
  event e;
  e.thread = thread;
  e.how = how;
  e.when = when_reading(thread, write, how);
  return consistent(e, place_id, at(write).position, false);
}

bool memory::may_update(unsigned thread, int place_id, int write, order how) const {
  if (at(write).position < floor(thread, place_id) || has_update(place(place_id), at(write).position)) return false;
  event e;
  e.thread = thread;
  e.how = how;
  e.when = when_reading(thread, write, how);
  return consistent(e, place_id, at(write).position + 1, true);
}

void memory::writes_from(unsigned thread, int place_id, std::vector<int>& out) const {
  out.clear();
  const auto& writes = place(place_id).order;
  for (int p = static_cast<int>(writes.size()) - 1, lowest = floor(thread, place_id); p >= lowest; --p) {
    out.push_back(writes[static_cast<std::size_t>(p)]);
  }
}

void memory::writable(unsigned thread, int place_id, order how, std::vector<int>& out) const {
  out.clear();
  event e;
  e.thread = thread;
  e.how = how;
  e.when = threads_[thread].now;
  const auto& where = place(place_id);
  for (int p = static_cast<int>(where.order.size()), lowest = floor(thread, place_id); p > lowest; --p) {
    if (!has_update(where, p - 1) && consistent(e, place_id, p, true)) out.push_back(p);
  }
}

int memory::append(event& e, const clock& acquired) {
  auto& thread = threads_[e.thread];
  thread.now.join(acquired);
  e.index = ++thread.now.at[e.thread];
  e.when = thread.now;
  if (e.source >= 0) thread.leading.join(at(e.source).leading);
  thread.leading.at[e.thread] = e.index;
  e.leading = thread.leading;
  thread.events.push_back(static_cast<int>(events_.size()));
  auto hash = mix(thread.history, static_cast<std::uint64_t>(e.what));
  if (e.location >= 0) hash = mix(hash, places_name(e));
  if (e.source >= 0) hash = mix(hash, name(at(e.source)));
  if (e.what == operation::light_fence || e.what == operation::membarrier) {
    for (const auto count : e.when.at) hash = mix(hash, count);
  }
  thread.history = hash;
  events_.push_back(e);
  return static_cast<int>(events_.size()) - 1;
}

/// A location's name is that of the event that constructed it: its number depends on the order of the run.
std::uint64_t memory::places_name(const event& e) const {
  const auto& writes = place(e.location).order;
  return writes.empty() ? name(e) : name(at(writes.front()));
}

int memory::add(event& e, int position, bool writes, const clock& acquired) {
  const bool sc = e.how == sync::seq_cst && e.what != operation::construct;
  const bool constrained = sc || !sc_.empty();
  edges added;
  if (constrained) {
    e.when = threads_[e.thread].now;
    e.when.join(acquired);
    added = edges_of(e, e.location, position, writes);
  }
  if (sc) {
    e.sc = sc_.add(static_cast<int>(events_.size()), false);
    sc_order::nodes self;
    self.set(static_cast<std::size_t>(e.sc));
    sc_.link(added.into, self);
    added.from |= self;
  }
  if (constrained) sc_.link(added.from, added.to);
  const int id = append(e, acquired);
  auto& where = locations_[static_cast<std::size_t>(e.location)];
  where.accesses.push_back(id);
  if (writes) insert(id, position);
  return id;
}

void memory::insert(int id, int position) {
  auto& writes = locations_[static_cast<std::size_t>(at(id).location)].order;
  writes.insert(writes.begin() + position, id);
  for (auto p = static_cast<std::size_t>(position); p < writes.size(); ++p) {
    mutable_at(writes[p]).position = static_cast<int>(p);
  }
}

int memory::load(event e, int write) {
  const clock published = at(write).published;
  auto& thread = threads_[e.thread];
  e.source = write;
  e.read = at(write).written;
  const int id = add(e, at(write).position, false, acquires(e.how) ? published : clock{});
  thread.pending.join(published);
  return id;
}

int memory::store(event e, int position) {
  e.writes = true;
  const int id = add(e, position, true, {});
  publish(id, {});
  return id;
}

int memory::update(event e, int write, std::uint64_t value) {
  const auto stamp = e.stamp;
  const int id = load(e, write);
  complete(id, value, stamp);
  return id;
}

bool memory::may_complete(int id) const {
  const auto& e = at(id);
  const int position = at(e.source).position;
  return !has_update(place(e.location), position) && consistent(e, e.location, position + 1, true);
}

void memory::complete(int id, std::uint64_t value, std::uint32_t stamp) {
  auto& e = mutable_at(id);
  const int position = at(e.source).position + 1;
  if (!sc_.empty()) {
    const auto added = edges_of(e, e.location, position, true);
    if (e.sc >= 0) {
      sc_order::nodes self;
      self.set(static_cast<std::size_t>(e.sc));
      sc_.link(added.into & ~self, self);
    }
    sc_.link(added.from, added.to);
  }
  e.writes = true;
  e.written = value;
  e.write_stamp = stamp;
  insert(id, position);
  publish(id, at(e.source).published);
}

/// A read-modify-write continues the release sequences of the write it read, whatever its own order.
void memory::publish(int id, const clock& inherited) {
  auto& e = mutable_at(id);
  const auto& thread = threads_[e.thread];
  e.published = releases(e.how) ? thread.now : thread.released;
  e.published.join(inherited);
}

int memory::fence(event e) {
  auto& thread = threads_[e.thread];
  const bool sc = e.how == sync::seq_cst;
  sc_order::nodes into;
  if (sc) into = sc_.strongly_before(events_, e.thread, thread.now);
  clock acquired;
  if (acquires(e.how)) acquired = thread.pending;
  if (sc) e.sc = sc_.add(static_cast<int>(events_.size()), true);
  const int id = append(e, acquired);
  if (releases(e.how)) thread.released = thread.now;
  if (!sc) return id;
  into |= sources_before(thread.now);
  sc_order::nodes self;
  self.set(static_cast<std::size_t>(e.sc));
  sc_.link(into, self);
  return id;
}

/// Who precedes a fence in S because something coherence-ordered after it happens before the fence.
sc_order::nodes memory::sources_before(const clock& now) const {
  sc_order::nodes result;
  for (std::size_t i = 0; i < locations_count_; ++i) {
    int newest_write = -1;
    int newest_read = -1;
    for (const int id : locations_[i].accesses) {
      const auto& e = at(id);
      if (!before(e, now)) continue;
      auto& newest = e.writes ? newest_write : newest_read;
      newest = std::max(newest, position_of(e));
    }
    for (const int id : locations_[i].accesses) {
      const auto& a = at(id);
      const int there = position_of(a);
      const bool ahead = there < newest_write || there < newest_read || (a.writes && there == newest_read);
      if (ahead) result |= sc_.as_first(events_, a.when, a.sc);
    }
  }
  return result;
}

int memory::note(event e) { return append(e, {}); }

void memory::join(unsigned thread, const clock& from) noexcept {
  threads_[thread].now.join(from);
  threads_[thread].leading.join(from);
}

int memory::find(unsigned thread, std::uint32_t index) const noexcept {
  const auto& events = threads_[thread].events;
  return index == 0 || index > events.size() ? -1 : events[index - 1];
}

void memory::join_as_fence(unsigned thread, const clock& from) noexcept {
  join(thread, from);
  threads_[thread].released.join(from);
}

clock memory::published(unsigned thread) const noexcept {
  clock result = threads_[thread].now;
  result.join(threads_[thread].pending);
  return result;
}

std::uint64_t memory::fingerprint() const {
  std::uint64_t hash = 0;
  for (const auto& thread : threads_) hash = mix(hash, thread.history);
  std::uint64_t places = 0;
  for (std::size_t i = 0; i < locations_count_; ++i) {
    std::uint64_t here = 0;
    for (const int id : locations_[i].order) here = mix(here, name(at(id)));
    places += here;
  }
  return mix(hash, places);
}

}  // namespace steelyard::model
