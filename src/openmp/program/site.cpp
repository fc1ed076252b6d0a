// SPDX-License-Identifier: Apache-2.0
#include "openmp/program/site.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "openmp/host/slab.hpp"
#include "openmp/program/loops_file.hpp"
#include "openmp/program/plug_ins.hpp"
#include "openmp/program/records.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/program/thread_locals.hpp"
#include "support/loaded_object.hpp"

extern "C" [[gnu::visibility("hidden")]] const char __ehdr_start;  // NOLINT: where the linker says that this begins

namespace steelyard::openmp {

constinit sync::real::atomic<site*> slots[std::size_t{1} << slot_bits];

namespace {

constinit sync::real::atomic<site*> sites{};
constinit sync::real::atomic<module*> modules{};

// When memory is gone: the record of this thread's last new site, which is on no list.
constinit thread_local site nowhere [[gnu::tls_model("initial-exec")]]{};

const char* copied(const char* text) noexcept {
  if (text == nullptr) return nullptr;
  const std::size_t size = std::strlen(text) + 1;
  auto* const copy = static_cast<char*>(slab_take(size));
  if (copy != nullptr) std::memcpy(copy, text, size);
  return copy;
}

module* module_of(std::uintptr_t address) noexcept {
  const link_map* const map = support::object_of(address);
  if (map == nullptr) return nullptr;
  const bool is_program = support::is_program(*map);
  const auto alike = [&](const module& known) {
    return known.bias == map->l_addr && known.is_program == is_program &&
           (is_program || std::strcmp(known.path, map->l_name) == 0);
  };
  for (module* known = modules.load(sync::acquire, sync::site{"T2c"}); known != nullptr; known = known->next) {
    if (alike(*known)) return known;
  }
  char program[4096];
  void* const memory = slab_take(sizeof(module));
  const char* const kept = copied(support::path_of(*map, program));
  if (memory == nullptr || kept == nullptr) return nullptr;
  auto* const fresh =
      ::new (memory) module{kept, map->l_addr, nullptr, is_program, config.shares && uses_thread_locals(address), {}};
  return push<sync::real>(modules, fresh, alike);
}

bool is_of(const abi& api, const runtime& one) noexcept {
  for (const runtime* each = first_runtime(api); each != nullptr; each = each->next) {
    if (each == &one) return true;
  }
  return false;
}

/// Where calls from `in` go. All calls of one object go to one runtime, so only its first asks the loader: that is the
/// call that forks the region, unless a region's loop is in another object than the region.
/// A region's body may end in a call that returns to this library: that is its region's runtime's.
runtime* native_of(module* in, abi& api, std::uintptr_t address) noexcept {
  const bool is_ours = in != nullptr && in->bias == reinterpret_cast<std::uintptr_t>(&__ehdr_start);
  if (const runtime* const here = is_ours ? innermost_runtime() : nullptr; here != nullptr) {
    if (is_of(api, *here)) return const_cast<runtime*>(here);
    return runtime_of(api, reinterpret_cast<const void*>(here->level));
  }
  if (api.name_count == 0) {
    // A loop that calls no runtime is of the one that its region has.
    if (runtime* const here = innermost_runtime(); here != nullptr) return here;
  }
  runtime* found = in != nullptr ? in->native[api.number].load(sync::acquire, sync::site{"T3"}) : nullptr;
  if (found != nullptr) return found;
  found = runtime_of(api, reinterpret_cast<void*>(address));
  if (in != nullptr && found->path != nullptr) in->native[api.number].store(found, sync::release, sync::site{"T3"});
  return found;
}

bool is_in(const module* in, const runtime& native) noexcept {
  return in != nullptr && native.path != nullptr && std::strcmp(in->path, native.path) == 0;
}

site* make_site(std::uintptr_t address, abi& api, const char* ident) noexcept {
  if (first_site() == nullptr) expect_forks();
  module* const in = module_of(address);
  const std::uint64_t offset = in != nullptr ? address - in->bias - 1 : address - 1;
  // Also from before an object was unloaded; one that is loaded at several addresses in turn has a record for each.
  const auto alike = [&](const site& known) { return known.address == address && known.in == in && known.api == &api; };
  for (site* known = first_site(); known != nullptr; known = known->next) {
    if (alike(*known)) return known;
  }
  void* const memory = slab_take(sizeof(site));
  site* const fresh = memory != nullptr ? ::new (memory) site : &nowhere;
  fresh->address = address;
  fresh->api = &api;
  fresh->native = native_of(in, api, address);
  fresh->in = in;
  fresh->is_of_runtime = is_in(in, *fresh->native);
  fresh->offset = offset;
  load_plug_ins();
  const loop_rule* const rule = find_rule(in != nullptr ? in->path : nullptr, offset, ident);
  fresh->forced = rule != nullptr ? rule->choice : config.all;
  fresh->by_rule = rule != nullptr;
  if (memory == nullptr) return fresh;
  fresh->ident = copied(ident);
  site* const agreed = push<sync::real>(sites, fresh, alike);
  if (agreed != fresh) {
    if (fresh->ident != nullptr) slab_give(const_cast<char*>(fresh->ident), std::strlen(fresh->ident) + 1);
    slab_give(fresh, sizeof(site));
  }
  return agreed;
}

}  // namespace

site* first_site() noexcept { return sites.load(sync::acquire, sync::site{"T2c"}); }

const module* first_module() noexcept { return modules.load(sync::acquire, sync::site{"T2c"}); }

site* find_site(std::uintptr_t address, abi& api, const char* ident) noexcept {
  // Sites that share a slot sit in its neighbours; the last of them is replaced when all are full.
  const std::size_t first = slot_of(address);
  std::size_t place = first;
  for (std::size_t way = 0; way < slot_ways; ++way) {
    place = (first + way) % (sizeof slots / sizeof slots[0]);
    site* const known = slots[place].load(sync::acquire, sync::site{"T1"});
    if (known == nullptr) break;
    if (known->address == address) return known;
  }
  site* const record = make_site(address, api, ident);
  if (record != &nowhere) slots[place].store(record, sync::release, sync::site{"T1"});
  return record;
}

void forget_addresses() noexcept {
  for (auto& slot : slots) slot.store(nullptr, sync::release, sync::site{"T1"});
}

void clear_statistics() noexcept {
  for (site* s = first_site(); s != nullptr; s = s->next) {
    s->last.set(fate::none);
    for (statistic* value :
         {&s->instances,       &s->iterations,      &s->chunks,      &s->steals,       &s->members,       &s->wall_ns,
          &s->busy_ns,         &s->span_ns,         &s->work_ns,     &s->limit_low_ns, &s->limit_high_ns, &s->own_ns,
          &s->inner_ns,        &s->regions,         &s->region_ns,   &s->region_loops, &s->region_own_ns, &s->stretches,
          &s->stretch_busy_ns, &s->stretch_span_ns, &s->avoidable_ns}) {
      value->clear();
    }
  }
}

}  // namespace steelyard::openmp
