// SPDX-License-Identifier: Apache-2.0
#include "recording.hpp"

#include <chrono>
#include <numeric>

#include "binary_file.hpp"

namespace cows {

namespace {

constexpr binary_file::kind magic = {'c', 'o', 'w', 's', 'c', 'o', 's', '2'};

struct record {
  std::uint32_t site;
  std::uint32_t instance;
  cost::kind known;
  std::uint32_t ordinal;
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

double ticks_of_reading() {
  std::vector<std::uint64_t> seen(1001);
  for (auto& ticks : seen) {
    const auto began = steelyard::support::ticks();
    ticks = steelyard::support::ticks() - began;
  }
  std::nth_element(seen.begin(), seen.begin() + 500, seen.end());
  return static_cast<double>(seen[500]);
}

void recorder::begin_run() {
  if (run_++ == 1) counted_ = seen_;
  seen_.assign(seen_.size(), 0);
  added_ = 0;
}

void recorder::add(unsigned site, cost::kind what, std::vector<double>& costs) {
  if (site >= seen_.size()) {
    seen_.resize(site + 1);
    instances_.resize(site + 1);
  }
  const auto instance = seen_[site]++;
  const auto ordinal = added_++;
  if (run_ == 1) return;
  for (double& cost : costs) cost *= nanoseconds_per_tick();
  const figures now{steelyard::cost::limit(costs, members_), std::accumulate(costs.begin(), costs.end(), 0.0)};
  auto& known = instances_[site];
  if (instance == known.size()) known.push_back(now);
  known[instance] = {std::min(known[instance].limit, now.limit), std::min(known[instance].work, now.work)};
  if (is_kept(site, instance)) {
    merge({site, instance, what, std::vector<float>(costs.begin(), costs.end()), ordinal});
  }
}

bool recorder::is_kept(unsigned site, std::uint32_t instance) const {
  const std::uint64_t count = counted_[site];
  const auto share = [&](std::uint64_t i) { return i * kept_ / count; };
  return kept_ != 0 && (instance == 0 || share(instance) != share(instance - 1));
}

void recorder::merge(recorded_loop loop) {
  const auto same = [&](const recorded_loop& other) {
    return other.site == loop.site && other.instance == loop.instance;
  };
  const auto known = std::find_if(loops_.begin(), loops_.end(), same);
  if (known == loops_.end()) {
    loops_.push_back(std::move(loop));
    return;
  }
  const auto least = [](float a, float b) { return std::min(a, b); };
  std::transform(loop.costs.begin(), loop.costs.end(), known->costs.begin(), known->costs.begin(), least);
}

double recorder::limit() const {
  double sum = 0;
  for (const auto& site : instances_) {
    for (const auto& each : site) sum += each.limit / 1e9;
  }
  return sum;
}

double recorder::work() const {
  double sum = 0;
  for (const auto& site : instances_) {
    for (const auto& each : site) sum += each.work / 1e9;
  }
  return sum;
}

void write_costs(const std::string& path, const std::vector<recorded_loop>& loops) {
  binary_file file(path, "wb");
  file.begin(magic, loops.size());
  for (const auto& loop : loops) {
    const record head{loop.site, loop.instance, loop.known, loop.ordinal, loop.costs.size()};
    file.write(&head, 1);
    file.write(loop.costs.data(), loop.costs.size());
  }
  file.close();
}

std::vector<recorded_loop> read_costs(const std::string& path) {
  binary_file file(path, "rb");
  std::vector<recorded_loop> loops(file.records(magic, "holds no recorded costs: make it with cows-serial --record"));
  for (auto& loop : loops) {
    record head{};
    file.read(&head, 1);
    if (head.iterations > graph::id_limit) throw graph::input_error(path + ": is damaged: record it anew");
    loop = {head.site, head.instance, head.known, std::vector<float>(head.iterations), head.ordinal};
    file.read(loop.costs.data(), loop.costs.size());
  }
  return loops;
}

}  // namespace cows
