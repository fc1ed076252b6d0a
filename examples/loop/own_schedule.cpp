// SPDX-License-Identifier: Apache-2.0
// Schedules of your own: a chunk rule, and one that steals.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <steelyard/loop.hpp>
#include <steelyard/own_schedule.hpp>

/// A third of a thread's part of what is left.
struct thirds {
  static constexpr const char* name = "thirds";
  static constexpr const char* summary = "a shared counter, a third of a P-th of the rest at a time";
  explicit thirds(const steelyard::loop_shape& loop) noexcept : parts(3 * std::uint64_t{loop.members}) {}
  [[nodiscard]] std::uint64_t size(std::uint64_t rest) const noexcept { return rest / parts; }
  std::uint64_t parts;
};

/// Equal blocks; who has run its own takes the next iteration of the next block that has some.
class neighbours {
 public:
  static constexpr const char* name = "neighbours";
  static constexpr const char* summary = "equal blocks; who has run its own helps with the next ones";

  /// A counter for each member stands behind the object.
  static std::size_t bytes(const steelyard::loop_shape& loop) noexcept {
    return sizeof(neighbours) + loop.members * sizeof(block);
  }
  explicit neighbours(const steelyard::loop_shape& loop) noexcept : loop_(loop) {
    for (std::uint32_t m = 0; m < loop.members; ++m) ::new (blocks() + m) block{{begin(m)}};
  }
  steelyard::loop_step next(std::uint32_t member) noexcept {
    for (std::uint32_t k = 0; k < loop_.members; ++k) {
      const auto victim = (member + k) % loop_.members;
      auto& at = blocks()[victim].next;
      const auto end = begin(victim + 1);
      if (at.load(std::memory_order_relaxed) >= end) continue;
      const auto first = at.fetch_add(1, std::memory_order_relaxed);
      if (first < end) return {first, 1, 1};
    }
    return {0, 0, 1};
  }
  [[nodiscard]] std::uint64_t remaining(std::uint32_t member) const noexcept {
    const auto at = blocks()[member].next.load(std::memory_order_relaxed);
    return at < begin(member + 1) ? begin(member + 1) - at : 0;
  }

 private:
  struct alignas(64) block {
    std::atomic<std::uint64_t> next;
  };
  [[nodiscard]] block* blocks() const noexcept { return reinterpret_cast<block*>(const_cast<neighbours*>(this) + 1); }
  [[nodiscard]] std::uint64_t begin(std::uint32_t member) const noexcept {
    const auto share = loop_.iterations / loop_.members;
    const auto more = loop_.iterations % loop_.members;
    return share * member + (member < more ? member : more);
  }
  alignas(64) steelyard::loop_shape loop_;
};

int main() {
  steelyard::add_schedule<thirds>();
  steelyard::add_schedule<neighbours>();
  for (const char* const schedule : {"thirds", "thirds,64", "neighbours"}) {
    std::atomic<long> sum{0};
    steelyard::parallel_for(0L, 10'000L, [&](long k) { sum += k; }, {.schedule = schedule, .always_parallel = true});
    std::printf("%s: %ld\n", schedule, sum.load());
    if (sum != 49'995'000) return 1;
  }
  return 0;
}
