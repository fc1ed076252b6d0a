// SPDX-License-Identifier: Apache-2.0
#include "loop/remembered.hpp"

#include <unistd.h>

#include <cstdio>
#include <new>

#include "loop/place_in_use.hpp"
#include "loop/settings.hpp"
#include "remember/known_module.hpp"
#include "support/loaded_object.hpp"
#include "sync/forks.hpp"

namespace steelyard::loop {

/// A module whose code runs iterations; never freed.
struct module_in_use {
  module_in_use* next = nullptr;
  std::uintptr_t bias = 0;  ///< address in memory minus address in the file
  bool is_program = false;  ///< not a library
  char path[4096] = {};
  remember::known_module known;
};

namespace {

constinit sync::real::atomic<module_in_use*> modules{};

const remember::folder& folder() {
  static constinit sync::made_once<remember::folder> known;
  return known.get([] {
    remember::folder told;
    const char* const wrong = remember::read(environ, told);
    if (wrong != nullptr) {
      remember::say_once("STEELYARD_KNOWLEDGE=%.80s %s; it is ignored", wrong, remember::why_no_folder(wrong));
    }
    return told;
  });
}

/// Not by strcmp: ThreadSanitizer in a program sees what libc does for a library that it does not see into.
bool is_same(const char* a, const char* b) noexcept {
  for (; *a != '\0' && *a == *b; ++a) ++b;
  return *a == *b;
}

/// nullptr: it is nobody's, or there is no memory. Of two threads that meet a module first at the same time each may have a record of it.
const module_in_use* module_of(std::uintptr_t address) noexcept {
  const auto* const object = support::object_of(address);
  if (object == nullptr) return nullptr;
  const bool is_program = support::is_program(*object);
  auto* const first = modules.load(sync::acquire, sync::site{"S5"});
  for (auto* known = first; known != nullptr; known = known->next) {
    if (known->bias != object->l_addr || known->is_program != is_program) continue;
    if (is_program || is_same(known->path, object->l_name)) return known;
  }
  auto* const fresh = new (std::nothrow) module_in_use;
  if (fresh == nullptr) return nullptr;
  fresh->bias = object->l_addr;
  fresh->is_program = is_program;
  char room[4096];
  std::snprintf(fresh->path, sizeof fresh->path, "%s", support::path_of(*object, room));
  fresh->known.read(folder(), address);
  fresh->next = first;
  while (!modules.compare_exchange(fresh->next, fresh, sync::release, sync::acquire, sync::site{"S6"})) {
  }
  return fresh;
}

/// The process ends: what it has found is written. Not by `_exit`.
[[gnu::destructor]] void keep_what_was_learnt() noexcept {
  const auto* each = modules.load(sync::acquire, sync::site{"S5"});
  for (bool goes_on = each != nullptr && folder().writes; goes_on && each != nullptr; each = each->next) {
    if (!each->known.is_of_this_process()) continue;
    remember::known_module::findings found;
    each_free_place([&](const place& at) {
      if (at.best.where().module() != each) return;
      at.best.each_lesson([&](const learn::lesson& what) {
        found.add({at.best.where().offset(), learn::library_loops, 1, what});
      });
    });
    goes_on = each->known.keep(folder(), each->path, found);
  }
}

}  // namespace

void remembered_place::look_up() noexcept {
  is_looked_up_ = true;
  if (!folder().is_named()) return;
  const auto address = reinterpret_cast<std::uintptr_t>(code_);
  module_ = module_of(address);
  if (module_ != nullptr && !module_->known.has_name()) module_ = nullptr;
  if (module_ != nullptr) offset_ = address - module_->bias;
}

bool remembered_place::recall(std::uint64_t n, std::uint32_t members, learn::automatic& chooser) noexcept {
  if (!is_looked_up_) look_up();
  return module_ != nullptr && module_->known.recall({offset_, learn::library_loops, 1, {}}, n, members, chooser);
}

}  // namespace steelyard::loop
