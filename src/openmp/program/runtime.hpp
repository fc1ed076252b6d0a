// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "sync/real.hpp"

namespace steelyard::openmp {

/// A function of a runtime whose type the caller of `entry` states.
using function = void (*)();

/// One OpenMP runtime library of this process, found through a caller that is bound to it. A process may hold several
/// (a Python wheel's renamed libgomp beside the system's). Never unloaded once found.
class runtime {
 public:
  const char* path = nullptr;
  runtime* next = nullptr;

  /// What tells a thread which it is.
  struct queries {
    int (*thread_num)() = nullptr;
    int (*num_threads)() = nullptr;
    int (*team_size)(int level) = nullptr;
    int (*ancestor_thread_num)(int level) = nullptr;
  };
  queries asks;
  int (*level)() = nullptr;
  void (*get_schedule)(int* kind, int* chunk) = nullptr;

  /// The runtime's own function, as `Function*`; `slot` numbers the names of one table (see gomp/names.hpp,
  /// kmp/names.hpp). nullptr when this runtime lacks it.
  template <class Function>
  [[nodiscard]] Function* entry(std::size_t slot) const noexcept {
    return reinterpret_cast<Function*>(entries[slot]);
  }

  static constexpr std::size_t most_entries = 96;
  function entries[most_entries] = {};
  void* handle = nullptr;
  void (*barrier)() = nullptr;  ///< of the innermost team; libomp has one by GCC's name, too
};

/// What a call of the ABI is looked at for: whatever is set (`settings::active`), or reports (`settings::reporting`).
enum class need : std::uint8_t { anything, reports };

/// What tells the runtimes of one ABI apart from other libraries: a function each has, and the names of its table.
struct abi {
  std::size_t number;  ///< 0 … 2
  const char* name;    ///< "gomp", "kmp" or "compiled"
  const char* marker;  ///< e.g. "GOMP_parallel"
  const char* const* names;
  std::size_t name_count;
  sync::real::atomic<runtime*> known{};  ///< the runtimes found so far; grows at the front
  sync::real::atomic<runtime*> only{};   ///< that of every caller; nullptr: they differ, or nobody has called yet
  /// The same, while calls that are looked at for a `need` have nothing to do here; else nullptr (forward.hpp).
  sync::real::atomic<runtime*> direct[2]{};
  runtime first = {};  ///< the record of the first one: needs no memory
  sync::real::atomic<bool> first_used{};
};

/// The runtime that calls from `caller` would reach without this library: by the global scope first, then by the
/// caller's own libraries. One that ends the process with a clear line when there is none (weak references); that one
/// has no path. Takes locks of the dynamic loader: once per object and ABI.
[[nodiscard]] runtime* runtime_of(abi& which, const void* caller) noexcept;

/// The same if every caller reaches that one: it is in the global scope, and was found first. Else nullptr.
[[nodiscard, gnu::always_inline]] inline runtime* only_runtime(const abi& which) noexcept {
  return which.only.load(sync::acquire, sync::site{"T3b"});
}

/// The same, where calls that are looked at for `why` have nothing to do here.
[[nodiscard, gnu::always_inline]] inline runtime* direct_runtime(const abi& which, need why) noexcept {
  return which.direct[static_cast<std::size_t>(why)].load(sync::acquire, sync::site{"T3b"});
}

/// Calls of one function that runtimes make themselves, and that need nothing of this library: the last one that was entered. All of
/// them go to one runtime.
class own_calls {
 public:
  [[nodiscard, gnu::always_inline]] bool come_from(const void* caller) const noexcept {
    return from_.load(sync::acquire, sync::site{"T3c"}) == reinterpret_cast<std::uintptr_t>(caller);
  }
  template <class Function>
  [[nodiscard, gnu::always_inline]] Function* native() const noexcept {
    return reinterpret_cast<Function*>(native_.load(sync::relaxed, sync::site{"T3d"}));
  }
  void note(std::uintptr_t caller, function goes_to) noexcept {
    native_.store(goes_to, sync::relaxed, sync::site{"T3d"});
    from_.store(caller, sync::release, sync::site{"T3c"});
  }

 private:
  sync::real::atomic<std::uintptr_t> from_{};
  sync::real::atomic<function> native_{};
};

/// The path of an OpenMP runtime that is loaded in this process, by its name; nullptr: none.
[[nodiscard]] const char* loaded_runtime() noexcept;

/// Those that an object, or what RTLD_NEXT stands for, defines.
[[nodiscard]] runtime::queries queries_in(void* handle) noexcept;

/// Where no runtime is known, a library of stubs may answer these, or a runtime of another name. Before there are threads.
void let_strangers_answer() noexcept;

/// Iterates over the runtimes found so far.
[[nodiscard]] const runtime* first_runtime(const abi& which) noexcept;

}  // namespace steelyard::openmp
