// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "learn/timing_debt.hpp"
#include "openmp/program/site.hpp"
#include "openmp/shares/dealt.hpp"
#include "openmp/shares/known_loops.hpp"
#include "openmp/shares/turns.hpp"
#include "support/cache_line.hpp"
#include "sync/real.hpp"

/// Static loops with learnt shares. A compiled `parallel for` or `schedule(static)` asks once per member for its block; what it is
/// told may be another than the equal one. shares.md says when nobody can notice, and how that is kept.
namespace steelyard::openmp {

/// What is known of the regions of one outlined body, wherever they are forked: compilers copy a fork that stands in a short loop.
class region_shares {
 public:
  /// nullptr: of a body that is not known.
  explicit region_shares(const void* body = nullptr) noexcept { body_.set(body); }
  [[nodiscard]] const void* body() const noexcept { return body_.get(); }
  /// Another body may come to lie there.
  void forget_body() noexcept { body_.set(nullptr); }
  region_shares* next = nullptr;  ///< of all

  /// A region begins. True: what is known will not change before `leave`. False: another thread changes it just now.
  bool enter() noexcept { return turns_.enter(); }

  /// It has ended, and this is what its members did: learns from it, unless another region of this fork is under way. `took`: ticks
  /// from its fork to its join, where it was timed. `inner`: so many regions inside of it were seen by a member.
  void leave(dealt* all, bool timed, std::uint64_t took = 0, std::uint64_t inner = 0) noexcept;

  /// A region begins that is to enter. Whether it is timed: it is, as long as something is being learnt, but never so often that timing
  /// takes more than a hundredth of the loops' time.
  [[nodiscard]] learn::timing_debt::kind begin() noexcept;
  /// So many regions, `most` at most, go by that would not be timed.
  [[nodiscard]] std::uint32_t skip(std::uint32_t most) noexcept;
  /// One that was looked at took so many ticks.
  void looked(std::uint64_t took) noexcept { debt_.looked(took); }
  /// A member has come to a loop that is to be learnt anew at some instances: all loops of the region are then.
  void learn_again_at(const schedules::relearning* these) noexcept {
    if (again_.load(sync::acquire, sync::site{"R12"}) != these) again_.store(these, sync::release, sync::site{"R12"});
  }
  /// A member has come to that static loop. Whether no other was met in such regions, as far as is known.
  bool is_alone(const site& at) noexcept {
    if (met_.get() == nullptr) met_.set(&at);
    return met_.get() == &at;
  }
  /// Whether equal blocks are all that is known. A hint: a team that believes it keeps equal blocks, all of it.
  [[nodiscard]] bool is_equal() const noexcept { return !unequal_.get(); }

  /// What a team needs.
  struct wanted {
    site* first;       ///< of the loops of this trip count, that which has come first
    const site* only;  ///< see dealt
    std::uint64_t iterations;
    std::uint32_t members;
    bool timed;
    bool entered;              ///< what is known does not change meanwhile; else given shares only are dealt
    bool chooses = false;      ///< by `jit`
    bool at_barriers = false;  ///< blocks may change there
  };
  /// nullptr: there is no memory.
  [[nodiscard]] dealt* deal(const wanted& by) const noexcept;

  /// In a region that has entered, is not timed, and in which no shares are given: what members do with static loops of so many
  /// iterations. All read the same. nullptr: they have to agree, by what one of them deals.
  [[nodiscard]] dealt* standing(std::uint64_t iterations, std::uint32_t members) noexcept {
    return loops_.standing(iterations, members);
  }
  /// A member has found why they are to keep their blocks. From the next region on.
  void keep(dealt& loops, const char* why) noexcept;
  /// All of them.
  void keep_all(const char* why) noexcept;

  /// Calls say(loops) for what is known of those with as many iterations as the loop at that site had last, unless it is changing
  /// or nothing is known.
  template <class Say>
  void tell(const site& loop, Say say) noexcept {
    if (!turns_.enter()) return;
    const site* const only = loop.stated.get() == clause::fixed ? nullptr : &loop;
    const static_loops* last = nullptr;
    for (const static_loops* each = loops_.newest(); each != nullptr; each = each->next) {
      if (each->iterations != loop.dealt.get() || each->only != only) continue;
      // Where shares change at barriers there are several, each of the loop that comes first behind one.
      const bool is_first = each->first == &loop;
      if (last == nullptr || each->last_used + is_first > last->last_used) last = each;
    }
    if (last != nullptr) say(*last);
    turns_.leave();
  }

  /// Why its loops keep their blocks; nullptr: they need not.
  [[nodiscard]] const char* barred() const noexcept { return barred_.get(); }
  /// From the next region on.
  void bar(const char* why) noexcept { barred_.set(why); }

 private:
  remark<const void*> body_;
  [[nodiscard]] const static_loops* unequal(const wanted& by) const noexcept;
  [[nodiscard]] bool is_given(const wanted& by) const noexcept;
  [[nodiscard]] const char* why_kept(const wanted& by) const noexcept;
  void learn_all(dealt* all, std::uint64_t took, std::uint64_t inner) noexcept;
  void keep_found(const dealt* all) noexcept;
  void settle() noexcept;
  void learn_again() noexcept;
  [[nodiscard]] std::uint64_t price_of_learning(std::uint64_t took) noexcept;
  void owe(std::uint64_t owed, std::uint64_t took, std::uint64_t longest, bool cold) noexcept;
  void learn(const dealt& from, bool cold) noexcept;

  turns<sync::real> turns_;  ///< of regions under way
  remark<const char*> barred_;
  remark<const site*> met_;    ///< a static loop, the first one
  remark<const char*> found_;  ///< why some of its loops are to keep their blocks, though they had others
  learn::timing_debt debt_;
  remark<bool> unequal_;                                      ///< other blocks than equal ones are known; a hint
  sync::real::atomic<const schedules::relearning*> again_{};  ///< nullptr: never
  remark<std::uint64_t> begun_;                               ///< regions; a hint where several threads fork them
  remark<bool> is_due_;                                       ///< at the next region that is timed
  // Changed in turns.
  known_loops loops_;
  std::uint64_t usual_learning_ = 0;  ///< ticks, lately
  std::uint32_t learnt_ = 0;          ///< the first so many times are free
  std::uint64_t regions_ = 0;         ///< that were timed …
  std::uint64_t begun_before_ = 0;    ///< … and all that had begun when the last of them was learnt from
  std::uint64_t inner_ = 0;           ///< regions inside the last one: where blocks are dealt, all are seen
  bool had_loops_ = false;            ///< some region that was timed
  bool in_doubt_ = false;             ///< something was seen for the first time
  bool is_trying_ = false;            ///< ways are compared that are to follow one another
  std::uint32_t on_credit_ = 0;       ///< regions in a row that were timed and are not paid yet
  std::uint64_t empty_pause_ = 0;     ///< how many regions are not timed behind one in which no loop was to be dealt
};

/// That of a fork's site and of the body that it forks; made when there is none. nullptr: there is no memory.
[[nodiscard]] region_shares* shares_of(site& fork, const void* body) noexcept;

/// All, newest first.
[[nodiscard]] region_shares* first_shares() noexcept;

/// An object was unloaded: no record is found by the address of its body any more.
void forget_bodies() noexcept;

/// The same of the region that the loop at that site was last in.
template <class Say>
void tell_shares(const site& loop, Say say) noexcept {
  region_shares* const of = loop.shares.load(sync::acquire, sync::site{"R6"});
  if (of != nullptr) of->tell(loop, say);
}

/// Why the static loop at that site keeps its blocks, as is known in the end; nullptr: it need not.
[[nodiscard]] const char* why_kept(const site& loop) noexcept;

}  // namespace steelyard::openmp
