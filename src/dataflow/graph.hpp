// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/node.hpp"
#include "sync/real.hpp"

#include <steelyard/detail/dataflow_core.h>

namespace steelyard::dataflow {

using task_node = runtime::node<sync::real>;

/// Finds which tasks have to wait for which, from what they access, told in the order of the program: a reader waits for the
/// last writer; a writer for the last writer and for those who have read since; tasks with the same cumulative operation
/// for what was before the first of them. Parts of arrays conflict where they overlap.
///
/// O(1) for an access to an object, or to a part that has been accessed before, and for each task it waits for. Else O(n) where n
/// parts lie in the neighbourhood: in some squares of a grid that becomes finer where many parts lie. What a later write covers
/// is forgotten, and so is what only tasks that have ended have accessed: memory for as many places as tasks that have not
/// ended access, twice over. Used under a lock; tasks may end meanwhile.
class graph {
 public:
  graph();
  ~graph();
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

  enum class verdict { ready, waits, no_memory };
  /// The next task. ready: it may run; waits: who ends the last one that it waits for is told (task_node::end). no_memory: as if
  /// it had not been added.
  [[nodiscard]] verdict add(task_node& task, std::span<const steelyard_access> its) noexcept;

  /// The same for tasks none of which has begun: only lists those that it has to wait for. May throw std::bad_alloc.
  void list(task_node& task, std::span<const steelyard_access> its, std::vector<task_node*>& into);

  /// All have ended.
  void clear() noexcept;

  /// How many objects and parts it knows of, and links it has room for.
  struct extent {
    std::size_t places, links;
  };
  [[nodiscard]] extent size() const noexcept;

 private:
  /// Which part of what. rows STEELYARD_WHOLE: all of an object.
  struct key {
    const void* of;
    std::uint64_t row, column, rows, columns;
    std::uint64_t rest = 0;  ///< not 0: what later writes have left of a part, by a number of its own
    bool operator==(const key&) const = default;
  };
  struct hash {
    std::size_t operator()(const key& of) const noexcept;
  };

  /// Tasks; those that have ended may be missing.
  class nodes {
   public:
    [[nodiscard]] std::size_t size() const noexcept { return few_ + more_.size(); }
    /// Room for `count` more, those that have ended gone. May throw.
    void make_room(std::size_t count);
    void add(task_node& task) noexcept;
    void add_all(const nodes& from) noexcept;
    void clear() noexcept;
    [[nodiscard]] bool have_ended() const noexcept;
    template <class F>
    void for_each(F f) const;

   private:
    static constexpr std::size_t fewest = 2;
    task_node* first_[fewest];
    std::size_t few_ = 0;
    std::vector<task_node*> more_;
  };

  struct place;
  using located = std::pair<const key, place>;

  /// What tasks have accessed.
  struct place {
    nodes writers;  ///< the last one, or those who cumulate by `operation`
    nodes readers;  ///< since then
    nodes before;   ///< whom those who cumulate wait for
    std::uintptr_t operation = STEELYARD_READ;
    std::uint64_t used = 0;  ///< by which task last
    // Of a part.
    std::vector<located*> overlapping;
    std::uint64_t seen = 0;  ///< in which search it was found last
    std::size_t number = 0;  ///< in `all`, where it comes last
    bool is_wide = false;

    [[nodiscard]] bool has_ended() const noexcept;
  };

  struct square {
    std::uint64_t row, column;
    bool operator==(const square&) const = default;
  };
  struct square_hash {
    std::size_t operator()(const square& of) const noexcept;
  };
  struct array {
    std::uint64_t unit_rows, unit_columns;
    std::unordered_map<square, std::vector<located*>, square_hash> grid;
    std::vector<located*> wide;  ///< that would be in too many squares
    std::vector<located*> all;
  };
  struct area;  ///< squares of a grid

  /// What a task does with a place.
  struct use {
    located* at;
    std::uintptr_t how;
  };
  using uses = use[STEELYARD_MOST_ACCESSES];
  [[nodiscard]] std::span<use> find_all(std::span<const steelyard_access> its, uses& into);
  static std::size_t count_before(std::span<const use> its);
  [[nodiscard]] located& find(const steelyard_access& what);
  void find_overlapping(located& part);
  static void refine(array& in, const key& like);
  void cover(located& written) noexcept;
  void shrink(located& part, const key& to) noexcept;
  void forget(located& gone) noexcept;
  void sweep() noexcept;
  template <class F>
  static void for_each_before(const place& at, std::uintptr_t how, F f);
  static void make_room(place& at, std::uintptr_t how, std::size_t times);
  void note(std::span<const use> its, task_node& task) noexcept;
  void provide_links(std::size_t count);

  /// Memory for links, and how many of them are in use.
  struct links {
    std::unique_ptr<std::byte[]> memory;
    std::size_t room = 0;
    std::size_t used = 0;

    [[nodiscard]] task_node::edge* at(std::size_t which) const noexcept;
    [[nodiscard]] bool have_ended() const noexcept;
  };

  std::unordered_map<key, place, hash> places_;
  std::unordered_map<const void*, array> arrays_;
  std::uint64_t searches_ = 0;
  std::uint64_t tasks_ = 0;
  std::uint64_t rests_ = 0;
  std::size_t sweep_at_ = fewest_to_sweep;
  std::vector<links> links_;
  std::size_t filling_ = 0;  ///< which of them

  static constexpr std::size_t fewest_to_sweep = 256;
};

}  // namespace steelyard::dataflow
