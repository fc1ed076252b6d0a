// SPDX-License-Identifier: Apache-2.0
#include "openmp/program/plug_ins.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "openmp/host/slab.hpp"
#include "openmp/host/text.hpp"
#include "openmp/program/settings.hpp"
#include "schedules/plug_in.hpp"
#include "sync/real.hpp"

namespace steelyard::openmp {
namespace {

/// Who loads them: nobody yet, a thread, by an address that is its own, or nobody any more.
constinit sync::real::atomic<const void*> loader{};
constexpr const void* done = &config;

void load(schedules::choice& named, const char* where) noexcept {
  if (named.file.empty()) return;
  const auto file = named.file;
  const auto loaded = schedules::load_choice(file);
  named = loaded.value;
  if (loaded.value.schedule != nullptr) return;
  auto& line = config.new_warning();
  std::snprintf(line, sizeof line, "%s%.*s %s", where, static_cast<int>(std::min<std::size_t>(file.size(), 80)),
                file.data(), loaded.wrong);
  say("%s; it is ignored", line);
}

}  // namespace

schedules::choice to_be_loaded(const schedules::choice& named) noexcept {
  auto file = named.file;
  if (file.empty()) return named;
  char folder[4096];
  std::size_t before = 0;
  if (file.front() != '/') {
    while (file.starts_with("./")) file.remove_prefix(2);
    if (getcwd(folder, sizeof folder) == nullptr) return {};
    before = std::strlen(folder);
    folder[before++] = '/';  // in place of its end
  }
  auto* const path = static_cast<char*>(slab_take(before + file.size()));
  if (path == nullptr) return {};
  std::copy(file.begin(), file.end(), std::copy_n(folder, before, path));
  schedules::choice kept = named;
  kept.file = {path, before + file.size()};
  config.has_plug_ins = true;
  return kept;
}

void load_plug_ins() noexcept {
  if (!config.has_plug_ins) return;
  const void* const mine = &errno;
  const void* found = nullptr;
  if (loader.compare_exchange(found, mine, sync::acquire, sync::acquire, sync::site{"T6"})) {
    load(config.all, "STEELYARD_SCHEDULE=");
    for (std::size_t i = 0; i < config.rule_count; ++i) load(config.rules[i].choice, "loops file: ");
    loader.store(done, sync::release, sync::site{"T7"});
    return;
  }
  for (std::uint32_t turn = 0; found != done && found != mine; ++turn) {
    sync::real::relax(turn);
    found = loader.load(sync::acquire, sync::site{"T6"});
  }
}

}  // namespace steelyard::openmp
