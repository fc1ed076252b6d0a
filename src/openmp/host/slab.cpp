// SPDX-License-Identifier: Apache-2.0
#include "openmp/host/slab.hpp"

#include <sys/mman.h>

#include <bit>
#include <cstdint>
#include <new>

#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/arena.hpp"
#include "sync/free_list.hpp"
#include "sync/real.hpp"

namespace steelyard::openmp {
namespace {

using list = sync::free_list<sync::real>;

// A block is its list header, in a line of its own, and a payload of 2^(smallest_log + class) bytes.
constexpr std::size_t header = support::line_size;
constexpr unsigned smallest_log = 9;
constexpr unsigned largest_log = 30;
constexpr std::size_t most_at_once = std::size_t{128} * 1024;

constinit list free_blocks[largest_log - smallest_log + 1];
constinit sync::arena<sync::real> never_used(std::size_t{32} * 1024);

unsigned log_of(std::size_t bytes) noexcept {
  const auto log = static_cast<unsigned>(std::bit_width(bytes - (bytes != 0 ? 1 : 0)));
  return log < smallest_log ? smallest_log : log;
}

list::block* block_of(void* payload) noexcept {
  return reinterpret_cast<list::block*>(static_cast<std::byte*>(payload) - header);
}

void* payload_of(list::block* block) noexcept { return reinterpret_cast<std::byte*>(block) + header; }

/// Fresh memory; nullptr: there is none. All its pages at once cost less than one by one, and what is learnt at a join is not to wait for them.
void* mapped(std::size_t bytes) noexcept {
  const int at_once = bytes <= most_at_once ? MAP_POPULATE : 0;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | at_once, -1, 0);
  return memory != MAP_FAILED ? memory : nullptr;
}

/// A large block has a mapping of its own.
list::block* fresh_block(unsigned log) noexcept {
  const std::size_t bytes = header + (std::size_t{1} << log);
  void* const memory = bytes <= never_used.most() ? never_used.take(bytes, mapped) : mapped(bytes);
  return memory != nullptr ? ::new (memory) list::block : nullptr;
}

}  // namespace

void* slab_take(std::size_t bytes) noexcept {
  const unsigned log = log_of(bytes);
  if (log > largest_log) return nullptr;
  list::block* block = free_blocks[log - smallest_log].take();
  if (block == nullptr) block = fresh_block(log);
  return block != nullptr ? payload_of(block) : nullptr;
}

void slab_give(void* memory, std::size_t bytes) noexcept {
  STEELYARD_ASSERT(log_of(bytes) <= largest_log && reinterpret_cast<std::uintptr_t>(memory) % header == 0,
                   "slab.hpp: what is given back was taken here");
  if (memory != nullptr) free_blocks[log_of(bytes) - smallest_log].push(block_of(memory));
}

}  // namespace steelyard::openmp
