/* SPDX-License-Identifier: Apache-2.0 */
/* A program without OpenMP that opens plugins with it, as an interpreter does: the
 * runtime is not in the global scope. */
#define _GNU_SOURCE
#include "host.h"

#include <pthread.h>

static void turns_local(void) { plugin_turns(RTLD_NOW | RTLD_LOCAL); }
static void turns_lazy(void) { plugin_turns(RTLD_LAZY | RTLD_LOCAL); }
static void turns_global(void) { plugin_turns(RTLD_NOW | RTLD_GLOBAL); }

static void* use_in_thread(void* handle) {
  use_plugin(handle, "called by a thread");
  return NULL;
}

static void from_threads(void) {
  pthread_t threads[4];
  void* handle = open_plugin("plugin_a.so", RTLD_NOW | RTLD_LOCAL);
  for (int t = 0; t < 4; t++) {
    pthread_create(&threads[t], NULL, use_in_thread, handle);
  }
  for (int t = 0; t < 4; t++) {
    pthread_join(threads[t], NULL);
  }
  if (handle != NULL) {
    dlclose(handle);
  }
}

static const struct test_case cases[] = {
    {"plugin-local", turns_local}, {"plugin-lazy", turns_lazy},     {"plugin-threads", from_threads},
    {"plugin-pair", plugin_pair},  {"plugin-global", turns_global},
};

int main(int argc, char** argv) { return RUN_CASES(argc, argv, cases); }
