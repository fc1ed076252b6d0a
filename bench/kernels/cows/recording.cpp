// SPDX-License-Identifier: Apache-2.0
#include "recording.hpp"

#include <chrono>
#include <cstring>
#include <numeric>

#include "binary_file.hpp"

namespace cows {

namespace {

constexpr char magic[8] = {'c', 'o', 'w', 's', 'c', 'o', 's', '1'};

struct record {
  std::uint32_t site;
  std::uint32_t instance;
  std::uint64_t iterations;
};

double nanoseconds_per_tick() {
  static const double known = [] {
    using clock = std::chrono::steady_clock;
    const auto began = clock::now();
    const auto first = steelyard::support::ticks();
    while (clock::now() - began < std::chrono::milliseconds(20)) {
    }
    const auto ticks = static_cast<double>(steelyard::support::ticks() - first);
    return std::chrono::duration<double, std::nano>(clock::now() - began).count() / ticks;
  }();
  return known;
}

}  // namespace

double recorded_loop::work() const { return std::accumulate(costs.begin(), costs.end(), 0.0); }

double ticks_of_reading() {
  std::vector<std::uint64_t> seen(1001);
  for (auto& ticks : seen) {
    const auto began = steelyard::support::ticks();
    ticks = steelyard::support::ticks() - began;
  }
  std::nth_element(seen.begin(), seen.begin() + 500, seen.end());
  return static_cast<double>(seen[500]);
}

void recorder::add(unsigned site, std::vector<double>& costs) {
  for (double& cost : costs) cost *= nanoseconds_per_tick();
  limit_ += steelyard::cost::limit(costs, members_) / 1e9;
  work_ += std::accumulate(costs.begin(), costs.end(), 0.0) / 1e9;
  if (site >= instances_.size()) instances_.resize(site + 1);
  recorded_loop loop{site, instances_[site]++, {}};
  if (kept_ == 0) return;
  loop.costs.resize(costs.size());
  std::transform(costs.begin(), costs.end(), loop.costs.begin(), [](double cost) { return static_cast<float>(cost); });
  keep(std::move(loop));
}

void recorder::keep(recorded_loop loop) {
  const auto same_site = [&](const recorded_loop& other) { return other.site == loop.site; };
  if (static_cast<std::size_t>(std::count_if(loops_.begin(), loops_.end(), same_site)) < kept_) {
    loops_.push_back(std::move(loop));
    return;
  }
  const auto of_site = [&](const recorded_loop& a, const recorded_loop& b) {
    if (same_site(a) != same_site(b)) return same_site(a);
    return a.work() < b.work();
  };
  const auto least = std::min_element(loops_.begin(), loops_.end(), of_site);
  if (least->work() < loop.work()) *least = std::move(loop);
}

void write_costs(const std::string& path, const std::vector<recorded_loop>& loops) {
  binary_file file(path, "wb");
  const std::uint64_t count = loops.size();
  file.write(magic, sizeof magic);
  file.write(&count, 1);
  for (const auto& loop : loops) {
    const record head{loop.site, loop.instance, loop.costs.size()};
    file.write(&head, 1);
    file.write(loop.costs.data(), loop.costs.size());
  }
  file.close();
}

std::vector<recorded_loop> read_costs(const std::string& path) {
  binary_file file(path, "rb");
  char found[sizeof magic];
  file.read(found, sizeof found);
  std::uint64_t count = 0;
  file.read(&count, 1);
  if (std::memcmp(found, magic, sizeof magic) != 0 || count > 1000000)
    throw graph::input_error(path + ": holds no recorded costs: make it with cows-serial --record");
  std::vector<recorded_loop> loops(count);
  for (auto& loop : loops) {
    record head{};
    file.read(&head, 1);
    if (head.iterations > graph::id_limit) throw graph::input_error(path + ": is damaged: record it anew");
    loop = {head.site, head.instance, std::vector<float>(head.iterations)};
    file.read(loop.costs.data(), loop.costs.size());
  }
  return loops;
}

}  // namespace cows
