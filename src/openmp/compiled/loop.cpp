// SPDX-License-Identifier: Apache-2.0
// Loops of programs that the compile launcher has made: each member asks the table for its parts (compiled.md).
#include <algorithm>
#include <cstdio>

#include "openmp/compiled/costs.hpp"
#include "openmp/compiled/names.hpp"
#include "openmp/compiled/same_function.hpp"
#include "openmp/compiled/table.hpp"
#include "openmp/host/export.hpp"
#include "openmp/kmp/names.hpp"
#include "openmp/loop/loop.hpp"
#include "openmp/measure/costs.hpp"
#include "openmp/omp/queries.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/shares/static_loop.hpp"
#include "schedules/deal.hpp"

namespace steelyard::openmp::compiled {

// They call nothing, so there is no name but the one that tells a runtime from other libraries.
constinit abi api{2, "compiled", "omp_get_level", nullptr, 0};

/// The record of a loop, which stands for its call.
site& record_of(const loop& source) noexcept {
  void* const key = const_cast<loop*>(&source + 1);
  if (site* const known = site_in_slot(key); known != nullptr) return *known;
  char place[4096];
  std::snprintf(place, sizeof place, ";%.4000s;;%d;0;;", source.file, source.line);
  return *find_site(reinterpret_cast<std::uintptr_t>(key), api, place);
}

namespace {

/// What schedule(static) gives the member.
void give_equal_block(part& to, std::uint64_t iterations, std::uint32_t members, std::uint32_t number) noexcept {
  if (number >= members) return;
  const schedules::deal::block<std::uint64_t> own(iterations, members, number);
  to.begin = own.first;
  to.end = own.first + own.count;
}

/// Without a member's part in a region that we know.
void give_unseen(part& to, std::uint64_t iterations, int number, const runtime::queries& asks) noexcept {
  give_equal_block(to, iterations, static_cast<std::uint32_t>(asks.num_threads()), static_cast<std::uint32_t>(number));
}

/// The loop over the members around this one is none of the program's: Clang has its runtime deal it.
void forget_loop_over_members(implicit_task& in) noexcept {
  if (in.loop.from != source::observed || in.loop.at->api != &kmp::api) return;
  in.loop.at->is_over_members.set(true);
  in.loop.from = source::none;
}

/// Whether that is in the loop's own function. To find it takes as long as all else here: it is noted.
bool is_own(const void* question, site& at, const void* caller, bool may_be_new) noexcept {
  for (auto& own : at.own_questions) {
    if (own.get() == question) return true;
  }
  if (!may_be_new || !is_same_function(question, caller)) return false;
  at.own_questions[at.own_questions[0].get() == nullptr ? 0 : 1].set(question);
  return true;
}

/// GCC asks for thread numbers to deal such a loop, right in the function that then begins with this one: two questions, at two places. A single one
/// may be that of a function that ends with it, whose call has become a jump: it looks as if it came from here.
void forgive_questions(implicit_task& in, site& at, const loop& source, const void* caller) noexcept {
  if ((source.flags & asks) != 0) return;
  const bool are_both = in.questions[0] != nullptr && in.questions[1] != nullptr;
  for (const void*& question : in.questions) {
    if (question != nullptr && is_own(question, at, caller, are_both)) question = nullptr;
  }
}

/// The member has begun with a static loop of one share.
void begin_share(part& to, implicit_task& in, site& at, const loop& source, std::uint64_t iterations) noexcept {
  share mine = openmp::own_block("static", false);
  if ((source.flags & keeps_blocks) != 0) {
    note_own_blocks(in);
    mine.kept = "a value may be carried from one iteration to the next";
  } else if (config.static_loops) {
    mine = find_share(in, at, iterations);
  }
  const bool is_asked = at.forced.schedule != nullptr;
  if (source.kind == any_schedule && is_asked && !tells_shares(at.forced)) mine.kept = grouping_would_change;
  if (mine.is_told) {
    to.begin = mine.block.first;
    to.end = mine.block.end;
  } else {
    give_equal_block(to, iterations, in.members, in.number);
  }
  if (config.reporting)
    enter_static(in, {&at, clause::fixed, 0, true, {0, 1, iterations, iterations}}, mine.kept, mine.only_here);
  begin_block(in, mine);
  if ((source.flags & reduces) != 0) note_reduction(in, false);
}

/// Or with one that any schedule may hand out.
void begin_any(part& to, implicit_task& in, const loop& source, const request& wanted) noexcept {
  if (!may_be_balanced(wanted.loop.iterations, in.members)) {
    give_equal_block(to, wanted.loop.iterations, in.members, in.number);
    if (config.reporting) enter_static(in, wanted, few_iterations, true);
    return;
  }
  const decision how = decide(wanted, in);
  if (how.schedule != nullptr) {
    if (asks_for_costs(how.schedule)) note_flags(*wanted.at, source);
    enter(in, wanted, how);
    to.more = asking;
    return;
  }
  observe(in, wanted, how.reason);
  give_equal_block(to, wanted.loop.iterations, in.members, in.number);
}

bool is_of_any_schedule(const loop& source) noexcept { return source.kind == any_schedule && !keeps_grouping(source); }

request request_of(site& at, const loop& source, std::uint64_t iterations) noexcept {
  const bool any = is_of_any_schedule(source);
  const auto granule = static_cast<std::uint64_t>(std::max(source.granule, 0));
  return {&at, any ? clause::unwritten : clause::fixed, any ? granule : 0, !any, {0, 1, iterations, iterations}};
}

void begin_active(part& to, const loop& source, std::uint64_t iterations, int number, const void* caller) noexcept {
  site& at = record_of(source);
  const request wanted = request_of(at, source, iterations);
  implicit_task& in = current_implicit_task();
  if (!seen(in, *at.native)) {
    hide(in, wanted, is_of_any_schedule(source));
    return give_unseen(to, iterations, number, at.native->asks);
  }
  if (self.taken == &in.loop) leave(in);  // a cancelled loop ends without a last `next`
  if (in.members == 0) learn_team(in);
  if (static_cast<std::uint32_t>(number) >= in.members) return;
  STEELYARD_ASSERT(static_cast<std::uint32_t>(number) == in.number,
                   "compiled.md: members begin with their own numbers");
  to.known = &in;
  to.more = own_block;
  forget_loop_over_members(in);
  if (config.shares) forgive_questions(in, at, source, caller);
  if (is_of_any_schedule(source)) {
    begin_any(to, in, source, wanted);
  } else {
    begin_share(to, in, at, source, iterations);
  }
}

void begin(part* to, const loop* source, std::uint64_t iterations, int number, const void* from) noexcept {
  *to = {};
  if (config.active) {
    begin_active(*to, *source, iterations, number, from);
  } else {
    give_unseen(*to, iterations, number, native_queries(source));
  }
  if (to->more == asking) return;
  if (to->begin != to->end) {
    to->last = to->end == iterations ? 1 : 0;
    if (to->more == nothing) to->more = block;
  } else if (to->more == own_block) {
    to->more = through;
  }
}

/// The member is through with its block.
int end(part& of, implicit_task& in) noexcept {
  of.more = nothing;
  end_block(in);
  if (in.loop.from == source::observed) leave(in);
  return 0;
}

int next(part* of) noexcept {
  auto& in = *static_cast<implicit_task*>(of->known);
  if (of->more == own_block) {
    of->more = through;
    return 1;
  }
  if (of->more == through) return end(*of, in);
  range got;
  if (!hand_out(in.loop, got, in.number)) {
    of->more = nothing;
    leave(in);
    return 0;
  }
  of->begin = got.first;
  of->end = got.first + got.count;
  of->last = of->end == in.loop.loop.iterations ? 1 : 0;
  return 1;
}

int member() noexcept { return native_queries(__builtin_return_address(0)).thread_num(); }
int members() noexcept { return native_queries(__builtin_return_address(0)).num_threads(); }

}  // namespace
}  // namespace steelyard::openmp::compiled

using namespace steelyard::openmp;

extern "C" constinit const compiled::table steelyard_table_1 [[gnu::visibility("default"), gnu::used]] = {
    compiled::member,      compiled::members,    compiled::begin,     compiled::next,
    compiled::begin_costs, compiled::next_costs, compiled::end_costs, compiled::asks_now};
