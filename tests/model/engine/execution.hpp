// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "chooser.hpp"
#include "fiber.hpp"
#include "graph_search.hpp"
#include "memory.hpp"
#include "mutation.hpp"

namespace steelyard::model {

/// What the threads of one execution share; made anew for each. The constructor runs before the threads and happens
/// before all they do, `finish` after they ended. Threads must own no heap memory: an execution may stop anywhere.
class world {
 public:
  world() = default;
  virtual ~world() = default;
  world(const world&) = delete;
  world& operator=(const world&) = delete;
  virtual void run(unsigned thread) = 0;
  virtual void finish() {}
};

/// How executions are told apart.
enum class strategy {
  /// Each consistent execution graph once (graph_search.hpp). The cheapest; knows no signals and no membarrier.
  graphs,
  /// Each order of the threads' steps, except where it leads to a graph that was seen already.
  interleavings,
};

struct rules {
  strategy how = strategy::graphs;
  /// Interleavings: only those with at most so many switches away from a thread that could go on. -1: all.
  int bound = -1;
  unsigned steps = 2000;             ///< more operations than that are called a livelock
  const mutation* mutant = nullptr;  ///< the edit to apply
  std::set<access>* seen = nullptr;  ///< where to note every access
  bool forget = false;               ///< interleavings: visit graphs again (random paths)
};

enum class verdict { complete, discarded, failed };

/// One execution at a time of a world: its threads as fibers, its memory, its rules. The door forwards to `current()`.
class execution {
 public:
  using factory = std::function<std::unique_ptr<world>()>;

  execution(rules given, unsigned threads);
  execution(const execution&) = delete;
  execution& operator=(const execution&) = delete;

  /// The strategy decides which of the two guides it asks.
  verdict run(chooser& answers, graph_search& search, const factory& make);

  [[nodiscard]] static execution& current() noexcept;
  [[nodiscard]] const memory& graph() const noexcept { return memory_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  [[nodiscard]] const std::string& outcome() const noexcept { return outcome_; }

  /// The number of the thread that acts.
  [[nodiscard]] unsigned running() const noexcept { return running_; }

  // The operations of the door; `place` is what `construct` returned for the object at `address`.
  int construct(const void* address, unsigned extent, unsigned bytes, std::uint64_t value);
  std::uint64_t load(int place, const void* address, order how, const char* site);
  void store(int place, const void* address, std::uint64_t value, order how, const char* site);
  std::uint64_t exchange(int place, const void* address, std::uint64_t value, order how, const char* site);
  std::uint64_t fetch_add(int place, const void* address, std::uint64_t amount, order how, const char* site);
  bool compare_exchange(int place, const void* address, std::uint64_t& expected, std::uint64_t desired, order success,
                        order failure, const char* site);
  void fence(order how, const char* site);
  void light_fence(const char* site);
  void membarrier(const char* site);
  void pause();

  // For worlds.
  std::uint64_t await(int place, const void* address, order how, const char* site,
                      const std::function<bool(std::uint64_t)>& good);
  void on_signal(std::function<void()> handler);
  void signal(unsigned thread);
  int construct_data(const void* address, unsigned bytes);
  void access_data(int cell, const void* address, bool write);
  [[noreturn]] void fail(const std::string& message);
  void note_outcome(const std::string& text) { outcome_ = text; }

 private:
  enum class state : std::uint8_t { ready, parked, spinning, finished };
  struct member {
    state is = state::ready;
    int place = -1;           ///< parked: where it waits for a write
    std::size_t seen = 0;     ///< the writes that were there
    std::uint32_t stamp = 0;  ///< of its last operation
    bool completing = false;  ///< between the two halves of a read-modify-write
    bool in_handler = false;
    bool pure = true;  ///< nothing but reads since the last pause
    std::function<void()> handler;
    std::vector<int> sent;                      ///< signals that have not arrived
    std::vector<std::pair<int, int>> reads;     ///< since the last pause: place, write
    std::vector<std::pair<int, int>> previous;  ///< between the last two pauses
  };
  struct cell {
    const char* address;
    unsigned bytes;
    bool live;
    int write;
    std::vector<int> reads;
  };

  using allowed = std::function<bool(int)>;
  enum : int { nobody = -1, stopped = -2 };

  static void enter_member(void* self);
  static void enter_setup(void* self);
  static void enter_finish(void* self);

  void reset();
  void run_threads();
  void begin_threads();
  [[nodiscard]] bool is_main() const noexcept { return running_ == main_thread; }
  [[nodiscard]] member& me() noexcept { return members_[running_]; }
  [[nodiscard]] bool enabled(unsigned thread) const;
  int pick();
  int pick_interleaving(const std::vector<unsigned>& ready, bool stays);
  void step();
  void deliver_signals();
  void deliver(std::size_t which);
  void hand_over();
  void park(int place);
  void conclude();
  [[noreturn]] void stop(verdict how);

  [[nodiscard]] event make(operation what, order how, const char* site, int place) const;
  const mutation* enter(operation what, order how, order failure, const char* site);
  void reach(int place, const void* address);
  [[nodiscard]] bool searching() const noexcept { return rules_.how == strategy::graphs && !is_main(); }
  int select(int place, const allowed& good);
  int select_in_graph(int place, const allowed& good);
  int select_position(int place, order how);
  void offer_update(int place, order how, const allowed& good);
  int update(event e, int write, std::uint64_t value);
  void offer_store(int place);
  void options_of(int place, const allowed& good);
  int made(int id);
  void needs_interleavings();
  [[nodiscard]] event_name name_of_event(int id) const { return {memory_.at(id).thread, memory_.at(id).index}; }
  [[nodiscard]] graph_step next_step() const;
  [[nodiscard]] std::string describe(int id) const;

  std::uint64_t raw_load(int place, order how, const char* site);
  void raw_store(int place, std::uint64_t value, order how, const char* site);
  std::uint64_t raw_update(operation what, int place, std::uint64_t operand, order how, const char* site);

  rules rules_;
  unsigned threads_;
  memory memory_;
  std::array<fiber, max_threads> fibers_;
  std::array<member, max_threads> members_;
  std::vector<cell> cells_;
  std::unique_ptr<world> world_;
  const factory* make_ = nullptr;
  chooser* answers_ = nullptr;
  graph_search* search_ = nullptr;
  graph_step step_;  ///< the operation under way
  unsigned running_ = main_thread;
  int turn_ = nobody;
  bool starting_ = false;
  bool over_ = false;
  verdict verdict_ = verdict::complete;
  unsigned steps_ = 0;
  int spent_ = 0;  ///< of rules_.bound
  clock light_fences_;
  clock membarriers_;
  // Members, not locals: a fiber may be left while it uses them.
  std::vector<int> options_;
  std::vector<event_name> names_;
  std::vector<unsigned> ready_;
  std::string message_;
  std::string outcome_;
  std::unordered_set<std::uint64_t> visited_;
};

}  // namespace steelyard::model
