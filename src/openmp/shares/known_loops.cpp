// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/known_loops.hpp"

#include "openmp/host/slab.hpp"
#include "support/assert.hpp"

namespace steelyard::openmp {
namespace {

void give_cut(std::uint64_t*& cut, std::uint32_t members) noexcept {
  if (cut != nullptr) slab_give(cut, bytes_of_ends(members));
  cut = nullptr;
}

void keep_last(static_loops*& last, static_loops& other) noexcept {
  if (last == nullptr || other.last_used > last->last_used) last = &other;
}

}  // namespace

chosen static_loops::how() const noexcept { return choice != nullptr ? choice->usual() : chosen{}; }

/// One member, or half of them, are for loops that are no longer than those.
bool static_loops::carries_over() const noexcept {
  return how().number == learn::ways::shares || how().number == choosing::equal;
}

const std::uint64_t* static_loops::blocks(std::uint64_t* ends) const noexcept {
  if (standing.parts == nullptr) return nullptr;
  cut_by(standing.parts, members, iterations, ends);
  return ends;
}

static_loops* known_loops::find(const site* first, const site* only, std::uint64_t iterations) const noexcept {
  static_loops* best = nullptr;
  bool best_is_alike = false;
  for (static_loops* each = loops_; each != nullptr; each = each->next) {
    if (each->first != first || each->only != only) continue;
    if (each->iterations == iterations) return each;
    const bool alike = size_of(each->iterations) == size_of(iterations);
    if (best != nullptr && (alike < best_is_alike || (alike == best_is_alike && each->last_used <= best->last_used)))
      continue;
    best = each;
    best_is_alike = alike;
  }
  return best;
}

/// A place for another trip count.
static_loops* known_loops::take() noexcept {
  if (count_ < most) {
    auto* const made = slab_make<static_loops>();
    if (made == nullptr) return nullptr;
    made->next = loops_;
    loops_ = made;
    ++count_;
    return made;
  }
  static_loops* oldest = loops_;
  for (static_loops* each = loops_; each != nullptr; each = each->next) {
    if (each->last_used < oldest->last_used) oldest = each;
  }
  give_cut(oldest->cut, oldest->members);
  give_cut(oldest->trial, oldest->members);
  give_cut(oldest->last, oldest->members);
  oldest->members = 0;
  oldest->gain = oldest->loops = 0;
  oldest->last_how = {};
  oldest->elsewhere = oldest->doubtful = false;
  oldest->standing.keeps.set(nullptr);
  oldest->work = oldest->in_equal = oldest->in_shares = {};
  return oldest;
}

static_loops* known_loops::find_or_make(const dealt& from) noexcept {
  static_loops* const found = find(from.first, from.only, from.iterations);
  if (found != nullptr && found->iterations == from.iterations) return found;
  static_loops* const made = take();
  if (made == nullptr || made == found) return nullptr;
  made->first = from.first;
  made->only = from.only;
  made->iterations = from.iterations;
  made->keeps = found != nullptr ? found->keeps : nullptr;
  slab_copy(made->known, found != nullptr ? found->known : nullptr);
  slab_copy(made->choice, found != nullptr ? found->choice : nullptr);
  return made;
}

void known_loops::keep_what_was_found() noexcept {
  for (static_loops* each = loops_; each != nullptr; each = each->next) {
    if (each->keeps == nullptr) each->keeps = each->standing.keeps.get();
  }
}

bool known_loops::all_keep() const noexcept {
  for (const static_loops* each = loops_; each != nullptr; each = each->next) {
    if (each->keeps == nullptr) return false;
  }
  return loops_ != nullptr;
}

/// A region pays for each of its loops, whether it is dealt or not.
bool known_loops::choose_what_pays(std::uint64_t price_of_deal, std::uint64_t beside) noexcept {
  std::uint64_t gained = 0;
  std::uint64_t paid = beside;
  bool handed_out = false;
  for (static_loops* each = loops_; each != nullptr; each = each->next) {
    handed_out = handed_out || (each->how().is_handed_out() && each->keeps == nullptr);
    each->pays = each->keeps == nullptr && each->cut != nullptr && each->gain > price_of_deal;
    if (each->pays) gained += each->gain * each->loops;
    paid += price_of_deal * each->loops;
  }
  if (gained > paid) return true;
  for (static_loops* each = loops_; each != nullptr; each = each->next) each->pays = false;
  return handed_out;
}

bool known_loops::settle(std::uint64_t price_of_deal, std::uint64_t beside) noexcept {
  const bool unequal = choose_what_pays(price_of_deal, beside);
  for (static_loops* each = loops_; each != nullptr; each = each->next) put_up(*each);
  index();
  return unequal;
}

void known_loops::put_up(static_loops& of) noexcept {
  dealt& standing = of.standing;
  standing.first = of.first;
  standing.only = of.only;
  standing.iterations = of.iterations;
  standing.members = of.members;
  standing.how = of.how();
  standing.parts = of.pays ? of.cut : nullptr;
  standing.keeps.set(of.keeps);
  STEELYARD_ASSERT(standing.parts == nullptr || partition(standing.parts, of.members, whole),
                   "[I3] a cut holds each iteration once");
}

/// Of several places with loops of one trip count, the one that was used last. Where there is one place, what is known of it holds for
/// other trip counts, too. Of several, the trip count alone would not tell which it is.
void known_loops::index() noexcept {
  by_trip_ = {};
  by_size_ = {};
  static_loops* last = nullptr;
  bool one_place = true;
  for (static_loops* each = loops_; each != nullptr; each = each->next) {
    if (each->only != nullptr) continue;
    one_place = one_place && (last == nullptr || last->first == each->first);
    keep_last(last, *each);
    keep_last(by_size_[size_of(each->iterations)], *each);
    file(*each);
  }
  for (static_loops*& of_size : by_size_) {
    if (of_size == nullptr) of_size = last;
    if (of_size != nullptr && (!one_place || !of_size->carries_over())) of_size = nullptr;
  }
}

/// By its trip count.
void known_loops::file(static_loops& of) noexcept {
  static_loops** at = &by_trip_[place_of_trip(of.iterations)];
  while (*at != nullptr && (*at)->iterations != of.iterations) at = &(*at)->same_place;
  static_loops* const same = *at;
  if (same != nullptr && same->last_used >= of.last_used) return;
  of.same_place = same != nullptr ? same->same_place : nullptr;
  *at = &of;
}

}  // namespace steelyard::openmp
