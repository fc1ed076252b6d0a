// SPDX-License-Identifier: Apache-2.0
// cows-steelyard: parallel_for of the library, under the schedule given.
#include <memory>
#include <stdexcept>
#include <string>

#include <steelyard/loop.hpp>

#include "program.hpp"

namespace {

using cows::csr;
using cows::vertex;

class steelyard_loops {
 public:
  steelyard_loops(const csr& graph, const steelyard::loop_options& options) : graph_(&graph), options_(options) {}

  template <class Cost, class Body>
  void for_each(unsigned, const Cost& cost, Body&& body) {
    ++count;
    auto options = options_;
    options.cost = costs_of(cost);
    steelyard::parallel_for(vertex{0}, graph_->vertex_count(), body, options);
  }

  // Of the loops that have costs.
  double overhead() const { return degree_ ? degree_->overhead() : 0; }
  double known() const { return degree_ ? degree_->known() : 0; }

  std::uint64_t count = 0;

 private:
  template <class Cost>
  static auto of_vertices(const Cost& cost) {
    return [cost](std::uint64_t v) { return static_cast<double>(cost.of(static_cast<vertex>(v))); };
  }

  // What a loop is told beside the schedule: the costs of its iterations. Loops of equal costs share them, and their prefix
  // sums, until the kernel has ended. Schedules that do not ask about costs do not read them.
  const steelyard::costs& costs_of(cows::cost::equal) {
    static const steelyard::costs costs = steelyard::costs::equal();
    return costs;
  }
  const steelyard::costs& costs_of(const cows::cost::degree& cost) {
    if (!degree_) degree_.reset(new steelyard::costs(of_vertices(cost)));
    return *degree_;
  }
  const steelyard::costs& costs_of(const cows::cost::guarded& cost) {
    if (!guarded_) guarded_.reset(new steelyard::costs(steelyard::costs::guarded(of_vertices(cost))));
    return *guarded_;
  }

  const csr* graph_;
  steelyard::loop_options options_;
  std::unique_ptr<steelyard::costs> degree_, guarded_;
};

void require_schedule(const char* text) {
  const char* const wrong = steelyard_schedule_parse(text, nullptr);
  if (wrong != nullptr) throw graph::input_error("--schedule " + std::string(text) + " " + wrong);
}

int run(int argc, char** argv) {
  cows::request wanted;
  const char* schedule = "steal";
  int always_parallel = 0;
  wanted.parse(argc, argv, "A COWS kernel on Steelyard",
               {argument_text("--schedule", "NAME[:FORM][,CHUNK]", "a schedule of `steelyard schedules`", &schedule),
                argument_flag("--always-parallel", "shares also loops that are faster alone", &always_parallel)});
  require_schedule(schedule);
  const auto given = cows::read_graph(wanted.graph);
  const steelyard::pool pool(static_cast<std::uint32_t>(wanted.threads));
  steelyard::loop_options options;
  options.schedule = schedule;
  options.on = &pool;
  options.always_parallel = always_parallel != 0;
  const int failed = cows::measure(wanted, given, [&] { return steelyard_loops(given.graph, options); });
  std::printf("counter steals: %.3f\n", static_cast<double>(pool.steals()) / static_cast<double>(wanted.repeat));
  return failed;
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
