// SPDX-License-Identifier: Apache-2.0
// The drop-in's side of a rewritten program, as far as its loops tell costs (src/openmp/compiled/costs.md), for one thread.
#include <algorithm>

#include "openmp/compiled/bins.hpp"
#include "told.hpp"

// Of the unit that the launcher has rewritten.
extern "C" [[gnu::visibility("hidden")]] const steelyard::openmp::compiled::table* volatile steelyard_hooks;

namespace cows {

namespace {

namespace compiled = steelyard::openmp::compiled;

std::vector<told_loop> heard_loops;
std::vector<const compiled::loop*> sites;
const std::uint64_t* begun = nullptr;

std::uint32_t number_of(const compiled::loop* source) {
  const auto known = std::find(sites.begin(), sites.end(), source);
  const auto number = known - sites.begin();
  if (known == sites.end()) sites.push_back(source);
  return static_cast<std::uint32_t>(number);
}

int asked(const compiled::loop* source, std::uint64_t iterations) {
  told_loop loop;
  loop.site = number_of(source);
  loop.ordinal = static_cast<std::uint32_t>(*begun - 1);
  loop.equal = (source->flags & compiled::costs_are_equal) != 0;
  loop.guarded = (source->flags & compiled::costs_are_guarded) != 0;
  loop.terms = static_cast<std::uint32_t>(std::clamp(source->terms, 0, compiled::most_terms));
  loop.iterations = iterations;
  loop.constants = {source->seed, source->seeds[0], source->seeds[1], source->seeds[2]};
  heard_loops.push_back(loop);
  return loop.terms > 0 && iterations != 0;
}

int begin(compiled::costs* to, const compiled::loop* source, std::uint64_t iterations, std::uint64_t) {
  *to = {};
  to->bin_behind = steelyard::schedules::profile::bins;
  compiled::begin_bins(*to, *source, iterations, heard_loops.back().numbers);
  return 1;
}

void next(compiled::costs* of) {
  told_loop& loop = heard_loops.back();
  compiled::next_bin(*of, loop.iterations, loop.numbers);
}

void end(compiled::costs*) {}

// Not asked here: the program leaves its loops to the runtime, so they ask for no part.
constexpr compiled::table hooks{[] { return 0; }, [] { return 1; }, nullptr, nullptr, begin, next, end, asked};

}  // namespace

listener::listener(const std::uint64_t& loops) {
  begun = &loops;
  heard_loops.clear();
  sites.clear();
  steelyard_hooks = &hooks;
}

listener::~listener() { steelyard_hooks = nullptr; }

const std::vector<told_loop>& listener::heard() const { return heard_loops; }

}  // namespace cows
