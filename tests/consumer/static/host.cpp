// SPDX-License-Identifier: Apache-2.0
// A program that has its own copy of the library and loads plug-ins with theirs.   host PLUG_IN…
#include <dirent.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <set>

#include "work.hpp"

namespace {

void nothing(void*) {}

struct loaded {
  void* handle;
  const plug_in* its;
};

loaded load(const char* path) {
  void* const handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);  // the names it shows are shown to all
  if (handle == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return {};
  }
  const auto entry = reinterpret_cast<const plug_in* (*)()>(dlsym(handle, "its_plug_in"));
  return {handle, entry != nullptr ? entry() : nullptr};
}

/// Also within each other: plug-ins call the program's loops and tasks, and the program theirs.
bool works(const plug_in& other) {
  auto ours = [](void*) {
    if (work(nothing, nullptr) != 5) std::abort();
  };
  auto theirs = [](void* context) {
    if (static_cast<const plug_in*>(context)->work(nothing, nullptr) != 5) std::abort();
  };
  return other.work(ours, nullptr) == 5 && work(theirs, const_cast<plug_in*>(&other)) == 5;
}

long threads_of_process() {
  long count = 0;
  DIR* const all = opendir("/proc/self/task");
  while (const dirent* each = readdir(all)) count += each->d_name[0] != '.' ? 1 : 0;
  closedir(all);
  return count;
}

bool works_in_child(const std::vector<loaded>& plug_ins) {
  const pid_t child = fork();
  if (child == 0) {
    bool well = work(nothing, nullptr) == 5;
    for (const auto& [handle, its] : plug_ins) well = well && works(*its);
    _exit(well ? 0 : 1);
  }
  int status = 1;
  return waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<loaded> plug_ins;
  std::set<const void*> copies{reinterpret_cast<const void*>(&steelyard_loop_run)};
  for (int i = 1; i < count; ++i) {
    plug_ins.push_back(load(arguments[i]));
    if (plug_ins.back().its == nullptr) return 1;
    copies.insert(plug_ins.back().its->library);
  }
  bool well = work(nothing, nullptr) == 5;
  for (const auto& [handle, its] : plug_ins) well = works(*its) && well;
  well = works_in_child(plug_ins) && well;
  const long threads = threads_of_process();
  for (const auto& [handle, its] : plug_ins) dlclose(handle);
  // Their threads are still there, and so must be the code that they run.
  usleep(50'000);
  std::printf("%zu copies, %ld threads, %s\n", copies.size(), threads, well ? "well" : "WRONG");
  return well ? 0 : 1;
}
