// SPDX-License-Identifier: Apache-2.0
#include "openmp/compiled/same_function.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace steelyard::openmp::compiled {
namespace {

/// The head of .eh_frame_hdr in the only form that linkers write: a table of all functions, sorted by where they begin, relative to
/// the head.
struct function_table {
  std::uint8_t version;
  std::uint8_t pointer_form, count_form, table_form;
  std::int32_t frames;
  std::uint32_t count;

  struct entry {
    std::int32_t begin;
    std::int32_t frame;
  };

  [[nodiscard]] bool is_known_form() const noexcept {
    constexpr std::uint8_t pointer = 0x1b;   // relative to itself, 4 bytes
    constexpr std::uint8_t number = 0x03;    // 4 bytes
    constexpr std::uint8_t relative = 0x3b;  // to the head, 4 bytes
    return version == 1 && pointer_form == pointer && count_form == number && table_form == relative;
  }
  /// Number of the function that holds an address, from 1; 0: it lies before all.
  [[nodiscard]] std::ptrdiff_t of(const void* address) const noexcept {
    const auto* const first = reinterpret_cast<const entry*>(this + 1);
    const std::int64_t at = static_cast<const char*>(address) - reinterpret_cast<const char*>(this);
    return std::upper_bound(first, first + count, at, [](std::int64_t a, const entry& e) { return a < e.begin; }) -
           first;
  }
};

}  // namespace

bool is_same_function(const void* one, const void* other) noexcept {
#if __GLIBC_PREREQ(2, 35)
  dl_find_object found{};
  if (_dl_find_object(const_cast<void*>(one), &found) != 0 || found.dlfo_eh_frame == nullptr) return false;
  if (other < found.dlfo_map_start || other >= found.dlfo_map_end) return false;
  const auto& all = *static_cast<const function_table*>(found.dlfo_eh_frame);
  if (!all.is_known_form()) return false;
  const std::ptrdiff_t number = all.of(one);
  return number != 0 && number == all.of(other);
#else
  return one == other;
#endif
}

}  // namespace steelyard::openmp::compiled
