// SPDX-License-Identifier: Apache-2.0
#include "loop/place_in_use.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

#include "sync/hand_over.hpp"
#include "sync/real.hpp"

namespace steelyard::loop {

/// Of one place; never freed.
struct place_record {
  explicit place_record(const void* key) noexcept : known(key) {}

  place known;  ///< of who uses it, but its key
  sync::real::atomic<bool> in_use{};
};

namespace {

constexpr std::size_t most_places = 1024;
constexpr std::size_t most_probes = 8;

constinit std::array<sync::real::atomic<place_record*>, most_places> table{};

std::size_t slot_of(const void* key) noexcept {
  return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(key) * 0x9E3779B97F4A7C15U) >> 54);
}

/// nullptr: there is no memory, or there are too many places.
place_record* record_of(const void* key) noexcept {
  place_record* fresh = nullptr;
  place_record* found = nullptr;
  for (std::size_t i = 0; i < most_probes; ++i) {
    auto& slot = table[(slot_of(key) + i) % most_places];
    found = slot.load(sync::acquire, sync::site{"S1"});
    if (found == nullptr) {
      if (fresh == nullptr) fresh = new (std::nothrow) place_record(key);
      if (fresh == nullptr) return nullptr;
      sync::hand_over(fresh);
      if (slot.compare_exchange(found, fresh, sync::release, sync::acquire, sync::site{"S2"})) return fresh;
    }
    if (found->known.key == key) break;
    found = nullptr;
  }
  delete fresh;
  return found;
}

/// Whether nobody else has it.
bool take(place_record& it) noexcept {
  if (it.in_use.exchange(true, sync::acquire, sync::site{"S3"})) return false;
  sync::receive(&it);
  return true;
}

void give_back(place_record& it) noexcept {
  sync::hand_over(&it);
  it.in_use.store(false, sync::release, sync::site{"S4"});
}

}  // namespace

place_in_use::place_in_use(const void* key) noexcept {
  place_record* const known = record_of(key);
  if (known != nullptr && take(*known)) held_ = known;
}

place_in_use::~place_in_use() {
  if (held_ != nullptr) give_back(*held_);
}

place* place_in_use::get() const noexcept { return held_ != nullptr ? &held_->known : nullptr; }

void each_free_place(void (*f)(void* to, const place& at), void* to) noexcept {
  for (auto& slot : table) {
    place_record* const known = slot.load(sync::acquire, sync::site{"S1"});
    if (known == nullptr || !take(*known)) continue;
    f(to, known->known);
    give_back(*known);
  }
}

}  // namespace steelyard::loop
