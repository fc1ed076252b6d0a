/* SPDX-License-Identifier: Apache-2.0 */
/* Opening the plugins that lie beside the program. */
#ifndef CONFORMANCE_HOST_H
#define CONFORMANCE_HOST_H

#include "harness.h"

#include <dlfcn.h> /* RTLD_NOLOAD and RTLD_NODELETE need _GNU_SOURCE */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* libgomp crashes when it is unloaded under its idle workers, so it stays, as it does in
 * an interpreter with several OpenMP modules. */
static inline void keep_runtime(void) {
  static const char* const names[] = {"libgomp.so.1", "libomp.so.5"};
  for (int k = 0; k < 2; k++) {
    (void)dlopen(names[k], RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  }
}

static inline void* open_plugin(const char* name, int mode) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
  if (length <= 0) {
    fail("cannot read /proc/self/exe");
    return NULL;
  }
  path[length] = 0;
  char* slash = strrchr(path, '/');
  snprintf(slash + 1, 64, "%s", name);
  void* handle = dlopen(path, mode);
  EXPECT(handle != NULL, "dlopen: %s", dlerror());
  keep_runtime();
  return handle;
}

static inline void call_plugin(void* handle, const char* name, const char* what) {
  int (*check)(void) = NULL;
  if (handle == NULL) {
    return;
  }
  *(void**)&check = dlsym(handle, name);
  if (check == NULL) {
    fail("%s: no %s", what, name);
    return;
  }
  int bad = check();
  EXPECT(bad == 0, "%s: %d iterations did not run once", what, bad);
}

static inline void use_plugin(void* handle, const char* what) { call_plugin(handle, "plugin_check", what); }

/* Opened, used, closed, over and over, two objects taking turns at the same place. */
static inline void plugin_turns(int mode) {
  for (int turn = 0; turn < 12; turn++) {
    void* handle = open_plugin(turn % 3 == 2 ? "plugin_b.so" : "plugin_a.so", mode);
    use_plugin(handle, "one at a time");
    if (handle != NULL) {
      dlclose(handle);
    }
  }
}

static inline void plugin_pair(void) {
  void* a = open_plugin("plugin_a.so", RTLD_NOW | RTLD_LOCAL);
  void* b = open_plugin("plugin_b.so", RTLD_NOW | RTLD_LOCAL);
  for (int turn = 0; turn < 4; turn++) {
    use_plugin(a, "both open, the first");
    use_plugin(b, "both open, the second");
  }
  if (a != NULL) {
    dlclose(a);
  }
  use_plugin(b, "the first closed");
  if (b != NULL) {
    dlclose(b);
  }
}

#endif
