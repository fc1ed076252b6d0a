// SPDX-License-Identifier: Apache-2.0
// cows-steelyard: parallel_for of the library, under the schedule given.
#include <map>
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
  void for_each(unsigned site, const Cost& cost, Body&& body) {
    ++count;
    steelyard::parallel_for(vertex{0}, graph_->vertex_count(), body, options_for(site, cost));
  }

  std::uint64_t count = 0;

 private:
  template <class Cost>
  static auto of_vertices(const Cost& cost) {
    return [cost](std::uint64_t v) { return static_cast<double>(cost.of(static_cast<vertex>(v))); };
  }

  // What a loop is told beside the schedule: the costs of its iterations, kept for the site's next run. Schedules that do
  // not ask about costs do not read them.
  steelyard::loop_options options_for(unsigned site, cows::cost::equal) { return with(site, steelyard::costs::equal); }
  steelyard::loop_options options_for(unsigned site, const cows::cost::degree& cost) {
    return with(site, [&] { return steelyard::costs(of_vertices(cost)); });
  }
  steelyard::loop_options options_for(unsigned site, const cows::cost::guarded& cost) {
    return with(site, [&] { return steelyard::costs::guarded(of_vertices(cost)); });
  }

  template <class Make>
  steelyard::loop_options with(unsigned site, const Make& make) {
    auto& kept = costs_[site];
    if (!kept) kept.reset(new steelyard::costs(make()));
    auto options = options_;
    options.cost = *kept;
    return options;
  }

  const csr* graph_;
  steelyard::loop_options options_;
  std::map<unsigned, std::unique_ptr<steelyard::costs>> costs_;  // of each site
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
               {argument_text("--schedule", "NAME[,CHUNK]", "a schedule of `steelyard schedules`", &schedule),
                argument_flag("--always-parallel", "shares also loops that are faster alone", &always_parallel)});
  require_schedule(schedule);
  const auto given = cows::read_graph(wanted.graph);
  const steelyard::pool pool(static_cast<std::uint32_t>(wanted.threads));
  steelyard::loop_options options;
  options.schedule = schedule;
  options.on = &pool;
  options.always_parallel = always_parallel != 0;
  return cows::measure(wanted, given, [&] { return steelyard_loops(given.graph, options); });
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
