// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace steelyard::support {

/// The loader's record of the object that holds `address`; nullptr: none does. Takes no lock where libc allows it (glibc 2.35): a
/// library's constructor may wait for other threads while the one that loads it holds the loader's lock.
[[nodiscard]] inline const link_map* object_of(std::uintptr_t address) noexcept {
#if __GLIBC_PREREQ(2, 35)
  dl_find_object found{};
  return _dl_find_object(reinterpret_cast<void*>(address), &found) == 0 ? found.dlfo_link_map : nullptr;
#else
  Dl_info about{};
  link_map* map = nullptr;
  return dladdr1(reinterpret_cast<void*>(address), &about, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0
             ? map
             : nullptr;
#endif
}

/// Whether that is the running program, whose path the loader's list leaves empty.
[[nodiscard]] inline bool is_program(const link_map& object) noexcept {
  return object.l_name == nullptr || *object.l_name == '\0';
}

/// Its path. That of the running program is put into `room`.
template <std::size_t Size>
[[nodiscard]] const char* path_of(const link_map& object, char (&room)[Size]) noexcept {
  if (!is_program(object)) return object.l_name;
  const ssize_t length = readlink("/proc/self/exe", room, Size - 1);
  room[length > 0 ? length : 0] = '\0';
  return room;
}

}  // namespace steelyard::support
