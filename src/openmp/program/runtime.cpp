// SPDX-License-Identifier: Apache-2.0
#include "openmp/program/runtime.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "openmp/host/slab.hpp"
#include "openmp/host/text.hpp"
#include "openmp/program/records.hpp"
#include "openmp/program/settings.hpp"

namespace steelyard::openmp {
namespace {

/// As an object that is loaded, or one of those it is linked with, defines it.
void* symbol_in(const char* path, const char* name) noexcept {
  void* const object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (object == nullptr) return nullptr;
  void* const found = dlsym(object, name);
  dlclose(object);  // the reference only: it is in use, so it stays loaded
  return found;
}

/// The function `name` as `caller` would be bound to it, were this library absent and it not in the global scope.
void* local(const char* name, const void* caller) noexcept {
  Dl_info about{};
  if (dladdr(caller, &about) == 0 || about.dli_fname == nullptr) return nullptr;
  if (void* const local = symbol_in(about.dli_fname, name); local != nullptr) return local;
  // A plugin's library that is not linked with the runtime finds it through the plugin, which we do not know.
  const char* const any = loaded_runtime();
  return any != nullptr ? symbol_in(any, name) : nullptr;
}

/// What ld.so does about a symbol that no library defines, had this library not stood in for it.
[[noreturn]] void missing() noexcept {
  say("an OpenMP function was called, but no OpenMP runtime is loaded; link the program with -fopenmp");
  _exit(127);
}

constexpr runtime make_absent() noexcept {
  runtime nothing;
  nothing.asks = {[] { return 0; }, [] { return 1; }, [](int) { return 1; }, [](int) { return 0; }};
  nothing.level = [] { return 0; };
  for (function& entry : nothing.entries) entry = missing;
  return nothing;
}

constinit runtime absent = make_absent();

/// What an object does not define that stands in front of the runtime, as a tracer does for some functions, the runtime does.
template <class Function>
void bind(Function*& pointer, void* handle, const char* name) noexcept {
  void* found = dlsym(handle, name);
  if (found == nullptr) found = dlsym(RTLD_NEXT, name);
  if (found != nullptr) pointer = reinterpret_cast<Function*>(found);
}

runtime* new_record(abi& which) noexcept {
  if (!which.first_used.exchange(true, sync::relaxed, sync::site{"T4"})) return &which.first;
  void* const memory = slab_take(sizeof(runtime));
  return memory != nullptr ? ::new (memory) runtime : nullptr;
}

runtime* open_runtime(abi& which, const char* path, void* handle) noexcept {
  runtime* const found = new_record(which);
  if (found == nullptr) return nullptr;
  found->path = path;
  found->handle = handle;
  found->asks = queries_in(handle);
  bind(found->level, handle, "omp_get_level");
  // Its own, or none: that of another runtime waits for another team.
  found->barrier = reinterpret_cast<void (*)()>(dlsym(handle, "GOMP_barrier"));
  bind(found->get_schedule, handle, "omp_get_schedule");
  for (std::size_t slot = 0; slot < which.name_count; ++slot) bind(found->entries[slot], handle, which.names[slot]);
  return found;
}

}  // namespace

runtime::queries queries_in(void* handle) noexcept {
  runtime::queries found = absent.asks;
  bind(found.thread_num, handle, "omp_get_thread_num");
  bind(found.num_threads, handle, "omp_get_num_threads");
  bind(found.team_size, handle, "omp_get_team_size");
  bind(found.ancestor_thread_num, handle, "omp_get_ancestor_thread_num");
  return found;
}

void let_strangers_answer() noexcept { absent.asks = queries_in(RTLD_NEXT); }

const char* loaded_runtime() noexcept {
  const char* path = nullptr;
  const auto look = [](dl_phdr_info* info, std::size_t, void* found) noexcept {
    const char* const slash = info->dlpi_name != nullptr ? std::strrchr(info->dlpi_name, '/') : nullptr;
    const char* const name = slash != nullptr ? slash + 1 : info->dlpi_name;
    if (name == nullptr) return 0;
    for (const char* const known : {"libgomp", "libomp", "libiomp"}) {
      if (std::strncmp(name, known, std::strlen(known)) != 0) continue;
      *static_cast<const char**>(found) = info->dlpi_name;
      return 1;
    }
    return 0;
  };
  dl_iterate_phdr(look, static_cast<void*>(&path));
  return path;
}

namespace {

/// Where the first call comes before the settings are read, calls look for their caller for good.
void note_only(abi& which, runtime* found) noexcept {
  which.only.store(found, sync::release, sync::site{"T3b"});
  const auto store_direct = [&](need why) {
    which.direct[static_cast<std::size_t>(why)].store(found, sync::release, sync::site{"T3b"});
  };
  if (config.is_read && !config.active) store_direct(need::anything);
  if (config.is_read && !config.reporting) store_direct(need::reports);
}

}  // namespace

runtime* runtime_of(abi& which, const void* caller) noexcept {
  void* const global = dlsym(RTLD_NEXT, which.marker);
  void* const marker = global != nullptr ? global : local(which.marker, caller);
  Dl_info about{};
  if (marker == nullptr || dladdr(marker, &about) == 0 || about.dli_fname == nullptr) return &absent;
  // Keeps the runtime loaded: its functions are remembered per call site.
  void* const handle = dlopen(about.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return &absent;
  const auto alike = [&](const runtime& known) { return known.handle == handle; };
  for (runtime* known = which.known.load(sync::acquire, sync::site{"T2c"}); known != nullptr; known = known->next) {
    if (alike(*known)) return known;
  }
  runtime* const fresh = open_runtime(which, about.dli_fname, handle);
  if (fresh == nullptr) return &absent;
  runtime* const agreed = push<sync::real>(which.known, fresh, alike);
  if (agreed != fresh && fresh != &which.first) slab_give(fresh, sizeof(runtime));
  if (global != nullptr && agreed->next == nullptr) note_only(which, agreed);
  return agreed;
}

const runtime* first_runtime(const abi& which) noexcept { return which.known.load(sync::acquire, sync::site{"T2c"}); }

}  // namespace steelyard::openmp
