// SPDX-License-Identifier: Apache-2.0
#include "simulator/coherence.hpp"

#include <algorithm>

#include "support/assert.hpp"

namespace steelyard::simulator {
namespace {

constexpr std::size_t line_bytes = 64;

}  // namespace

coherence::coherence(const machine& on, const void* memory, std::size_t bytes)
    : on_(on), memory_(reinterpret_cast<std::uintptr_t>(memory)), lines_(bytes / line_bytes + 1) {}

void coherence::begin(std::uint32_t member, double clock) noexcept {
  core_ = on_.core_of(member);
  now_ = clock;
  began_ = clock;
  moved_now_ = 0;
}

double coherence::end() noexcept {
  wait_for_reads();
  return now_;
}

void coherence::read(const void* location) noexcept {
  line& it = of(location);
  if (has(it)) {
    now_ += on_.hit;
    return;
  }
  wait_for_a_read();
  const double begins = reserve(it, now_, on_.serve);
  reads_.push_back(begins + on_.transfer(it.owner, core_));
  it.seen[core_] = it.version;
  it.last_reader = core_;
  it.shared = true;
  count_moved();
}

/// The store goes into a buffer, and the member goes on.
void coherence::write(const void* location) noexcept {
  line& it = of(location);
  if (!has(it) || it.shared) {
    reserve(it, now_, come(it));
    count_moved();
  }
  now_ += on_.hit;
  own(it);
}

/// As an update, but the member goes on, as after a read.
void coherence::will_write(const void* location) noexcept {
  line& it = of(location);
  if (has(it) && !it.shared) return;
  wait_for_a_read();
  const double takes = come(it);
  reads_.push_back(reserve(it, now_, takes) + takes);
  count_moved();
  own(it);
}

void coherence::update(const void* location) noexcept {
  wait_for_reads();
  line& it = of(location);
  const bool moves = !has(it) || it.shared;
  const double takes = (moves ? come(it) : 0) + on_.update;
  now_ = reserve(it, now_, takes) + takes;
  if (moves) count_moved();
  own(it);
}

coherence::line& coherence::of(const void* location) noexcept {
  const auto at = (reinterpret_cast<std::uintptr_t>(location) - memory_) / line_bytes;
  STEELYARD_ASSERT(at < lines_.size(), "contract.hpp: a schedule's words lie in its state");
  line& it = lines_[at];
  if (it.seen.empty()) it.seen.resize(on_.cores());
  return it;
}

bool coherence::has(const line& it) const noexcept { return it.owner == core_ || it.seen[core_] == it.version; }

/// From who has it. Another copy, where there is one, is as far as that of the last reader.
double coherence::come(const line& it) const noexcept {
  const double copy = it.shared ? on_.transfer(it.last_reader, core_) : 0;
  return std::max(on_.transfer(it.owner, core_), copy);
}

/// The first time from then on at which the line is free for so long; from here on it is not. A member whose call began earlier
/// may have come to the line later, and fits in before it.
double coherence::reserve(line& it, double from, double time) {
  auto& busy = it.busy;
  while (!busy.empty() && busy.front().ends <= began_) busy.pop_front();
  auto next = std::partition_point(busy.begin(), busy.end(), [=](const interval& each) { return each.ends <= from; });
  for (; next != busy.end() && next->begins < from + time; ++next) from = next->ends;
  busy.insert(next, {from, from + time});
  return from;
}

void coherence::count_moved() noexcept {
  ++lines_moved_;
  ++moved_now_;
}

void coherence::own(line& it) noexcept {
  it.owner = core_;
  it.shared = false;
  ++it.version;
}

/// Until one more fits in.
void coherence::wait_for_a_read() noexcept {
  if (reads_.size() != on_.reads_at_once) return;
  const auto first = std::min_element(reads_.begin(), reads_.end());
  now_ = std::max(now_, *first);
  reads_.erase(first);
}

void coherence::wait_for_reads() noexcept {
  for (const double ends : reads_) now_ = std::max(now_, ends);
  reads_.clear();
}

}  // namespace steelyard::simulator
