// SPDX-License-Identifier: Apache-2.0
// dataflow-tbb: a flow graph, a node for each task. Edges to a node that has run would be in vain, so all are made first.
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <deque>
#include <unordered_map>
#include <vector>

#include "kernels.hpp"

namespace {

using namespace dataflow_kernels;
using node = tbb::flow::continue_node<tbb::flow::continue_msg>;

struct graph {
  struct place {
    node* writer = nullptr;
    std::vector<node*> readers;  // since then
  };

  tbb::flow::graph all;
  std::deque<node> nodes;
  std::vector<node*> ready;
  std::unordered_map<const void*, place> places;

  template <class Task>
  void add(const Task& task) {
    nodes.emplace_back(all, [task](const tbb::flow::continue_msg&) { task(); });
  }
  bool order(const place& after) {
    if (after.writer == nullptr) return false;
    tbb::flow::make_edge(*after.writer, nodes.back());
    return true;
  }
  // True: there is something before.
  template <class A>
  bool order_by(const A& access) {
    if constexpr (is_read<A>) {
      place& at = places[address_of(access)];
      at.readers.push_back(&nodes.back());
      return order(at);
    } else if constexpr (is_change<A>) {
      place& at = places[address_of(access)];
      const bool waits = order(at) || !at.readers.empty();
      for (node* const each : at.readers) tbb::flow::make_edge(*each, nodes.back());
      at.readers.clear();
      at.writer = &nodes.back();
      return waits;
    } else {
      return false;
    }
  }
};

class nodes {
 public:
  template <class T>
  using shared = object<T>;
  static constexpr std::uint64_t most_in_flight = 0;
  static constexpr bool begins_in_run = false;

  template <class F>
  void run(F f) {
    graph here;
    its_ = &here;
    f();
    for (node* const each : here.ready) each->try_put({});
    here.all.wait_for_all();
  }
  template <class F, class... A>
  void fork(F f, const A&... accesses) {
    its_->add(task_of(f, accesses...));
    if (!(0 | ... | static_cast<int>(its_->order_by(accesses)))) its_->ready.push_back(&its_->nodes.back());
  }

 private:
  graph* its_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  wanted.parse(argc, argv, "A dataflow kernel on oneTBB");
  const tbb::global_control most(tbb::global_control::max_allowed_parallelism,
                                 static_cast<std::size_t>(wanted.threads));
  tbb::task_arena arena(static_cast<int>(wanted.threads));
  return arena.execute([&] {
    nodes flow;
    return dataflow_kernels::run(wanted, flow);
  });
}
