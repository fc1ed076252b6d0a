// SPDX-License-Identifier: Apache-2.0
#include "openmp/measure/knowledge.hpp"

#include <memory>

#include "openmp/host/slab.hpp"
#include "openmp/measure/best_schedule.hpp"
#include "openmp/program/settings.hpp"
#include "remember/known_module.hpp"

namespace steelyard::openmp {
namespace {

using remember::known_module;

/// What is known of the module that a site is in, read at the first time; nullptr: nothing can be.
known_module* known_of(const site& at) noexcept {
  if (at.in == nullptr || !config.knowledge.is_named()) return nullptr;
  known_module* known = at.in->knowledge.load(sync::acquire, sync::site{"K1"});
  if (known != nullptr) return known->has_name() ? known : nullptr;
  auto* const fresh = slab_make<known_module>();
  if (fresh == nullptr) return nullptr;
  fresh->read(config.knowledge, at.address - 1);
  if (at.in->knowledge.compare_exchange(known, fresh, sync::release, sync::acquire, sync::site{"K2"})) {
    known = fresh;
  } else {
    std::destroy_at(fresh);
    slab_give(fresh, sizeof *fresh);
  }
  return known->has_name() ? known : nullptr;
}

void gather(const module& of, known_module::findings& found) noexcept {
  for (site* at = first_site(); at != nullptr; at = at->next) {
    if (at->in != &of) continue;
    each_lesson(*at, [&](const learn::lesson& what, std::uint64_t granule) {
      found.add({at->offset, at->api->name, granule, what});
    });
  }
}

/// What this process knows of a module; nullptr: nothing that it might write.
const known_module* known_here(const module& of) noexcept {
  const known_module* const known = of.knowledge.load(sync::acquire, sync::site{"K1"});
  return known != nullptr && known->is_of_this_process() ? known : nullptr;
}

/// False: nothing can be written there.
bool keep(const module& of) noexcept {
  const known_module* const known = known_here(of);
  if (known == nullptr) return true;
  known_module::findings found;
  gather(of, found);
  return known->keep(config.knowledge, of.path, found);
}

bool has_something_to_keep() noexcept {
  for (const module* each = first_module(); each != nullptr; each = each->next) {
    if (known_here(*each) != nullptr) return true;
  }
  return false;
}

}  // namespace

void recall(const site& at, std::uint64_t granules, std::uint64_t granule, std::uint32_t members,
            learn::automatic& chooser) noexcept {
  const known_module* const known = known_of(at);
  if (known != nullptr) known->recall({at.offset, at.api->name, granule, {}}, granules, members, chooser);
}

void keep_knowledge() noexcept {
  static sync::real::atomic<bool> kept{};
  if (!config.knowledge.writes || !has_something_to_keep()) return;
  if (kept.exchange(true, sync::relaxed, sync::site{"K4"})) return;
  for (const module* each = first_module(); each != nullptr && keep(*each);) each = each->next;
}

}  // namespace steelyard::openmp
