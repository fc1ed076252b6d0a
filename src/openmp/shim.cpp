// SPDX-License-Identifier: Apache-2.0
// Where the process meets this library: load, unload of objects, and the ways a process ends.
#include <dlfcn.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "openmp/compiled/modules.hpp"
#include "openmp/compiled/names.hpp"
#include "openmp/host/export.hpp"
#include "openmp/host/sanitizers.hpp"
#include "openmp/measure/knowledge.hpp"
#include "openmp/omp/queries.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/program/site.hpp"
#include "openmp/report/report.hpp"
#include "openmp/shares/region_shares.hpp"
#include "openmp/team/passing.hpp"
#include "sync/real.hpp"

namespace steelyard::openmp {
namespace {

// Linked with -z initfirst: runs before libc has adopted the environment, so it works on the array it is given.
[[gnu::constructor]] void load(int, char**, char** environment) noexcept {
  start_sanitizers();
  read_settings(environment);
  config.is_read = true;
  // While there is one thread. With several the kernel may take ten milliseconds, in the first loop that some schedules open.
  if (config.active) sync::real::prepare_membarrier();
  find_queries();
  compiled::hook_modules(config.active ? &steelyard_table_1 : nullptr);
  begin_report();
}

// Not by _exit below, which may come from a handler on a small stack, or from a child of vfork.
[[gnu::destructor]] void unload() noexcept {
  write_report();
  keep_knowledge();
}

}  // namespace
}  // namespace steelyard::openmp

using namespace steelyard::openmp;

namespace {

/// How many objects this process has unloaded so far.
unsigned long long unloads() noexcept {
  unsigned long long count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<unsigned long long*>(out) = info->dlpi_subs;
        return 1;
      },
      &count);
  return count;
}

}  // namespace

// After an object is gone another may come to lie at its addresses. Most calls only drop a reference.
STEELYARD_EXPORT int dlclose(void* handle) {
  static int (*const native)(void*) = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_NEXT, "dlclose"));
  const unsigned long long before = first_site() != nullptr ? unloads() : 0;
  const int result = native != nullptr ? native(handle) : -1;
  if (first_site() != nullptr && unloads() != before) {
    forget_addresses();
    forget_bodies();
    forget_passes();
  }
  return result;
}

// Children of fork leave by _exit, past all destructors.
STEELYARD_EXPORT void _exit(int status) {
  write_report();
  for (;;) syscall(SYS_exit_group, status);
}

STEELYARD_EXPORT void _Exit(int status) { _exit(status); }
