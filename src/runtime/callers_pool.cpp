// SPDX-License-Identifier: Apache-2.0
#include "runtime/callers_pool.hpp"

#include <pthread.h>
#include <unistd.h>

#include <cstdlib>

#include "runtime/environment.hpp"
#include "sync/forks.hpp"

namespace steelyard::runtime {
namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local steelyard_pool* in_use = nullptr;

steelyard_pool& pool_of_process();

/// Never destroyed: its workers sleep until the process has ended, and loops may run in destructors. But where the main
/// thread ends before the process (pthread_exit), they end too, or the process never would.
steelyard_pool* made_for_process() {
  auto* const made = new steelyard_pool(threads_of_process() - 1);
  measure_if_told(*made);
  if (measures_spans()) std::atexit([] { report_work_and_span(pool_of_process()); });
  pthread_key_t key{};
  if (gettid() == getpid() &&
      pthread_key_create(&key, [](void* pool) { static_cast<steelyard_pool*>(pool)->threads.retire(); }) == 0) {
    pthread_setspecific(key, made);
  }
  return made;
}

steelyard_pool& pool_of_process() {
  static constinit sync::made_once<steelyard_pool*> own;
  return *own.get(made_for_process);
}

/// The one that the calling thread is in; nullptr: none.
steelyard_pool* pool_here() noexcept {
  if (in_use != nullptr) return in_use;
  auto* const its = pool::of_this_worker();
  return its != nullptr ? static_cast<steelyard_pool*>(its->context) : nullptr;
}

}  // namespace

steelyard_pool& pool_for(const steelyard_pool* named) {
  auto* its = named != nullptr ? const_cast<steelyard_pool*>(named) : pool_here();
  if (its == nullptr) its = &pool_of_process();
  its->threads.renew();
  return *its;
}

pool_in_use::pool_in_use(steelyard_pool& pool) noexcept
    : before_(in_use), aside_(pool.threads.its_tasks(), pool_here() != nullptr && pool_here() != &pool) {
  in_use = &pool;
}
pool_in_use::~pool_in_use() { in_use = before_; }

}  // namespace steelyard::runtime
