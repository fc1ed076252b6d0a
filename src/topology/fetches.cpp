// SPDX-License-Identifier: Apache-2.0
#include "topology/fetches.hpp"

#include <bit>
#include <string>
#include <thread>

#include "topology/sampling.hpp"

namespace steelyard::topology {
namespace {

constexpr sync::site here{"calibrate"};

struct alignas(support::line_size) counter {
  sync::real::atomic<std::uint64_t> value;
};

void fetch_fixed(counter& of) { of.value.fetch_add(1, sync::relaxed, here); }

void fetch_guided(counter& of) {
  auto seen = of.value.load(sync::relaxed, here);
  while (!of.value.compare_exchange(seen, seen + 1, sync::relaxed, sync::relaxed, here)) {
  }
}

/// One thread on each of these cores fetches; a sample of the first counts while the last was seen running.
template <class Fetch>
std::optional<cost> crowd(std::chrono::nanoseconds budget, const std::vector<int>& cores, Fetch fetch) {
  counter shared{};
  lone_word stop{};
  lone_word beat{};
  std::optional<cost> found;
  const auto sample = [&] { return batch(256, [&] { fetch(shared); }); };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < cores.size(); ++i) {
    others.emplace_back([&, i] {
      pin(cores[i]);
      for (std::uint32_t turn = 1; stop.value.load(sync::acquire, here) == 0; ++turn) {
        if (i + 1 == cores.size()) beat.value.store(turn, sync::relaxed, here);
        batch(16, [&] { fetch(shared); });
      }
    });
  }
  std::thread self([&] {
    pin(cores[0]);
    found = measure(budget, [&] { return cores.size() == 1 ? sample() : while_running(beat, sample); });
    stop.value.store(1, sync::release, here);
  });
  self.join();
  for (auto& each : others) each.join();
  return found;
}

}  // namespace

std::size_t fetch_rows() { return 2 * static_cast<std::size_t>(std::bit_width(usable_processors().size())); }

std::vector<measurement> calibrate_fetches(std::chrono::nanoseconds budget_of_row) {
  const auto usable = usable_processors();
  std::vector<measurement> rows;
  const auto add = [&](const char* name, const char* what, std::size_t threads, auto fetch) {
    const std::vector<int> cores(usable.begin(), usable.begin() + static_cast<std::ptrdiff_t>(threads));
    const auto took = crowd(budget_of_row, cores, fetch);
    const auto count = std::to_string(threads);
    rows.push_back({name + count, what + count + (threads == 1 ? " thread" : " threads"), took,
                    took ? "" : "the cores are too busy"});
  };
  for (std::size_t threads = 1; threads <= usable.size(); threads *= 2) {
    add("fetch_fixed_", "fetch a chunk of a fixed size, ", threads, fetch_fixed);
    add("fetch_guided_", "fetch a guided chunk, ", threads, fetch_guided);
  }
  return rows;
}

}  // namespace steelyard::topology
