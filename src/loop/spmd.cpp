// SPDX-License-Identifier: Apache-2.0
#include "loop/spmd.hpp"

#include <sched.h>

#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "loop/sharing.hpp"
#include "schedules/registry.hpp"
#include "support/cache_line.hpp"
#include "sync/interrupt.hpp"

namespace steelyard::loop {
namespace {

using schedules::step;

/// One loop of a team, from its first arriver to the last that leaves.
class context {
 public:
  context(std::uint32_t members, std::uint64_t iterations) : context(shape_of(members, iterations)) {}

  void enter(std::uint32_t m) noexcept {
    shares_.enter(m);
    answers_[m].emplace([](void* of, unsigned n) { static_cast<sharing*>(of)->answer(n); }, &shares_, m);
  }

  void leave(std::uint32_t m) noexcept {
    shares_.leave(m);
    answers_[m].reset();
  }

  /// Claims one iteration, asking others when the own range is used up; `self` has the range afterwards.
  bool claim(steelyard_idws& self) noexcept {
    for (;;) {
      if (self.head != nullptr) {
        const auto got = shares_.claim_slowly(self.number, {self.at, 1});
        self.at = got.first;
        if (got.count != 0) return true;
      }
      if (!find_range(self)) return false;
    }
  }

  /// Under the lock of its team:
  std::uint32_t gone = 0;  ///< members that have left

 private:
  static constexpr std::align_val_t line{support::line_size};
  struct release {
    void operator()(void* memory) const noexcept { ::operator delete(memory, line); }
  };

  static schedules::shape shape_of(std::uint32_t members, std::uint64_t iterations) noexcept {
    schedules::shape loop;
    loop.iterations = iterations;
    loop.members = members;
    loop.open = true;
    return loop;
  }

  explicit context(const schedules::shape& loop)
      : memory_(::operator new(schedule().bytes(loop) + sharing::bytes(loop.members), line)),
        shares_(schedule(), memory_.get(), loop.members,
                static_cast<std::byte*>(memory_.get()) + schedule().bytes(loop)),
        answers_(loop.members) {
    schedule().open(memory_.get(), loop);
  }

  static const schedules::operations& schedule() noexcept {
    static const auto& idws = *schedules::find("idws");
    return idws;
  }

  bool find_range(steelyard_idws& self) noexcept {
    for (std::uint32_t turn = 0;;) {
      const auto got = schedule().next(memory_.get(), self.number);
      if (got.done()) return false;
      if (got.what == step::kind::wait) {
        sync::real::relax(turn++);
        continue;
      }
      if (got.what == step::kind::ask) {
        shares_.deliver(self.number, static_cast<std::uint32_t>(got.first));
        continue;
      }
      const auto mine = shares_.range(self.number);
      self.head = mine.head;
      self.end = mine.end;
      self.at = mine.at;
      self.fence = mine.fence;
      return true;
    }
  }

  std::unique_ptr<void, release> memory_;
  sharing shares_;
  std::vector<std::optional<sync::answering>> answers_;  ///< of each member, while it is inside
};

/// The threads that enter loops together. Never freed: there are as many as ways in which a program nests its regions.
class spmd_team {
 public:
  explicit spmd_team(std::uint32_t members) : entered_(members) {}

  /// The next loop of this member, and its number.
  std::pair<context*, std::uint64_t> enter(std::uint32_t m, std::uint64_t iterations) {
    const std::lock_guard one(lock_);
    auto& found = open_[entered_[m]];
    if (!found) found = std::make_unique<context>(static_cast<std::uint32_t>(entered_.size()), iterations);
    return {found.get(), entered_[m]++};
  }

  void leave(const context* which) noexcept {
    const std::lock_guard one(lock_);
    for (auto at = open_.begin(); at != open_.end(); ++at) {
      if (at->second.get() != which) continue;
      if (++at->second->gone == entered_.size()) open_.erase(at);
      return;
    }
  }

 private:
  std::mutex lock_;
  std::vector<std::uint64_t> entered_;  ///< loops that each member has entered so far
  std::map<std::uint64_t, std::unique_ptr<context>> open_;
};

spmd_team& team_of(std::uint64_t key, std::uint32_t members) {
  using name = std::pair<std::uint64_t, std::uint32_t>;
  static constinit thread_local name last_name{};
  static constinit thread_local spmd_team* last = nullptr;
  if (last != nullptr && last_name == name{key, members}) return *last;
  static std::mutex lock;
  static auto& all = *new std::map<name, spmd_team>;
  const std::lock_guard one(lock);
  last = &all.try_emplace(name{key, members}, members).first->second;
  last_name = {key, members};
  return *last;
}

/// What a thread is inside of.
struct visit {
  spmd_team* of;
  context* in;
};

}  // namespace

void enter_spmd(steelyard_idws& self, std::uint64_t team, std::uint32_t members, std::uint64_t iterations) noexcept {
  self.loop = nullptr;
  self.head = nullptr;
  if (self.number >= members) return;
  for (;;) {
    try {
      auto place = std::make_unique<visit>();
      place->of = &team_of(team, members);
      place->in = place->of->enter(self.number, iterations).first;
      place->in->enter(self.number);
      self.loop = place.release();
      return;
    } catch (const std::bad_alloc&) {
      sched_yield();  // the others count on this member: it can only wait for memory
    }
  }
}

bool claim_spmd(steelyard_idws& self) noexcept {
  return self.loop != nullptr && static_cast<visit*>(self.loop)->in->claim(self);
}

void leave_spmd(steelyard_idws& self) noexcept {
  const std::unique_ptr<visit> place(static_cast<visit*>(std::exchange(self.loop, nullptr)));
  if (place == nullptr) return;
  place->in->leave(self.number);
  place->of->leave(place->in);
}

}  // namespace steelyard::loop
