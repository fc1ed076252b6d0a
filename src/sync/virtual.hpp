// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sync/access.hpp"

namespace steelyard::sync {

/// Is told of every access of the member that acts, in its order.
class access_listener {
 public:
  virtual void read(const void* location) noexcept = 0;
  virtual void write(const void* location) noexcept = 0;
  /// A read-modify-write, whether it changes the value or not.
  virtual void update(const void* location) noexcept = 0;
  /// Its line is fetched to be written soon, and nobody waits for it yet.
  virtual void will_write(const void* location) noexcept = 0;
  /// A fence: what was read before is there.
  virtual void settle() noexcept = 0;

 protected:
  ~access_listener() = default;
};

/// What the driver of virtual time sets and reads.
struct meter {
  std::uint32_t actor = 0;      ///< the member that acts
  std::uint64_t accesses = 0;   ///< so far
  std::uint64_t transfers = 0;  ///< accesses to a location last written by another member
  access_listener* listener = nullptr;
};

/// The door to a machine that is not there: plain values, one member at a time, in virtual time. The driver says which
/// member acts; every access is counted, and one that touches a location last written by another member is counted as
/// a transfer, which the driver may charge. A location stands for its line.
struct virtual_time {
  [[nodiscard]] static meter& now() noexcept { return meter_; }

  template <class T>
  class atomic {
   public:
    constexpr atomic() noexcept = default;
    explicit constexpr atomic(T initial) noexcept : value_(initial) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    void will_write() const noexcept {
      if (meter_.listener != nullptr) meter_.listener->will_write(this);
    }
    [[nodiscard]] T load(order, site) const noexcept {
      touch();
      if (meter_.listener != nullptr) meter_.listener->read(this);
      return value_;
    }
    void store(T desired, order, site) noexcept {
      if (meter_.listener != nullptr) meter_.listener->write(this);
      own() = desired;
    }
    T exchange(T desired, order, site) noexcept {
      const T found = value_;
      own_to_update() = desired;
      return found;
    }
    T fetch_add(T amount, order, site) noexcept {
      const T found = value_;
      own_to_update() = static_cast<T>(found + amount);
      return found;
    }
    bool compare_exchange(T& expected, T desired, order, order, site) noexcept {
      auto& value = own_to_update();
      const bool same = value == expected;
      (same ? value : expected) = same ? desired : value;
      return same;
    }

   private:
    static constexpr std::uint32_t nobody = ~0U;

    void touch() const noexcept {
      ++meter_.accesses;
      if (writer_ != meter_.actor && writer_ != nobody) ++meter_.transfers;
    }
    T& own() noexcept {
      touch();
      writer_ = meter_.actor;
      return value_;
    }

    T& own_to_update() noexcept {
      if (meter_.listener != nullptr) meter_.listener->update(this);
      return own();
    }

    T value_{};
    std::uint32_t writer_ = nobody;  ///< what was there when the loop opened is in nobody's cache, and free
  };

  static void fence(order, site) noexcept {
    ++now().accesses;
    if (now().listener != nullptr) now().listener->settle();
  }
  static void light_fence(site) noexcept {}
  static bool membarrier(site) noexcept { return true; }
  static void prepare_membarrier() noexcept {}
  static void pause() noexcept {}
  static constexpr std::uint32_t turns_before_help = 0;  ///< calls happen at one instant: nobody answers meanwhile
  static void relax(std::uint32_t) noexcept {}

  /// A word that members sleep on; in virtual time nobody does.
  class futex : public atomic<std::uint32_t> {
   public:
    using atomic<std::uint32_t>::atomic;
    void wait(std::uint32_t, site) noexcept {}
    void wake(std::uint32_t, site) noexcept {}
  };

 private:
  static constinit inline thread_local meter meter_{};  ///< of the driver on this thread
};

}  // namespace steelyard::sync
