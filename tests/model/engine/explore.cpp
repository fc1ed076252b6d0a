// SPDX-License-Identifier: Apache-2.0
#include "explore.hpp"

#include <cstdio>
#include <cstdlib>

namespace steelyard::model {
namespace {

/// Path of `name=path` in the environment, when it names this scenario.
std::optional<std::string> replay_path(const std::string& name) {
  const char* const given = std::getenv("STEELYARD_MODEL_REPLAY");
  if (given == nullptr) return {};
  const std::string text(given);
  const auto split = text.rfind('=');
  if (split == std::string::npos || text.substr(0, split) != name) return {};
  return text.substr(split + 1);
}

bool is_graph(const std::string& path) { return !path.empty() && path[0] == 'g'; }

/// What decides in the executions of one exploration.
struct guides {
  chooser answers;
  graph_search search;
  bool graphs;
  std::uint64_t most;  ///< executions

  guides(const options& how, const std::optional<std::string>& replayed)
      : answers(how.random != 0 ? chooser::random(how.seed) : chooser::all()),
        graphs(how.random == 0 && how.how == strategy::graphs), most(how.random != 0 ? how.random : how.limit) {
    if (!replayed) return;
    graphs = is_graph(*replayed);
    if (graphs) {
      search.replay(*replayed);
    } else {
      answers = chooser::replay(*replayed);
    }
  }

  bool next_path() { return graphs ? search.next_path() : answers.next_path(); }
  [[nodiscard]] std::string path() const { return graphs ? search.text() : answers.path(); }
};

void count(result& found, const execution& run, verdict how, bool graphs) {
  if (how == verdict::discarded) {
    ++found.discarded;
    return;
  }
  ++found.executions;
  if (!run.outcome().empty()) found.outcomes.insert(run.outcome());
  if (graphs) found.graphs.insert(run.graph().fingerprint());
}

}  // namespace

result explore(const scenario& what, const options& how) {
  const auto replayed = how.mutant == nullptr ? replay_path(what.name) : std::nullopt;
  guides by(how, replayed);
  const bool forget = how.random != 0 || replayed.has_value();
  execution run(
      {by.graphs ? strategy::graphs : strategy::interleavings, how.bound, how.steps, how.mutant, how.seen, forget},
      what.threads);
  result found;
  do {
    const auto verdict_of_run = run.run(by.answers, by.search, what.make);
    if (replayed) std::fprintf(stderr, "%s\n%s", what.name.c_str(), trace_of(run.graph()).c_str());
    if (verdict_of_run == verdict::failed) {
      found.failed = {run.message(), trace_of(run.graph()), what.name + "=" + by.path()};
      return found;
    }
    count(found, run, verdict_of_run, how.count_graphs);
    if (found.executions + found.discarded >= by.most) return found;
  } while (by.next_path());
  found.exhausted = !replayed;
  return found;
}

namespace {

std::string numbered(char letter, int value) {
  std::string text(1, letter);
  return text += std::to_string(value);
}

std::string thread_name(unsigned thread) {
  return thread == main_thread ? "main" : numbered('T', static_cast<int>(thread));
}

std::string number(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 4096 ? "%llu" : "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string value_of(const memory& graph, const event& e) {
  std::string text;
  if (e.what == operation::signal) return "to " + thread_name(static_cast<unsigned>(e.written));
  if (e.what == operation::compare_exchange && !e.writes) text = "failed ";
  if (e.reads() && e.location >= 0) text += number(e.read);
  if (e.writes) text += (e.reads() ? " -> " : "") + number(e.written);
  if (e.reads()) text += "  from #" + std::to_string(e.source) + " by " + thread_name(graph.at(e.source).thread);
  return text;
}

}  // namespace

std::string trace_of(const memory& graph) {
  std::string text = "     #  thread  operation         object  order    site                      value\n";
  for (std::size_t i = 0; i < graph.events().size(); ++i) {
    const auto& e = graph.events()[i];
    if (e.what == operation::begin || e.what == operation::end) continue;
    const bool ordered = e.what <= operation::fence && e.what != operation::construct;
    const auto object = e.location >= 0 ? numbered('x', e.location) : std::string();
    char line[160];
    std::snprintf(line, sizeof line, "  %4zu  %-6s  %-16s  %-6s  %-7s  %-24s  ", i, thread_name(e.thread).c_str(),
                  name_of(e.what), object.c_str(), ordered ? name_of(e.how) : "", e.site);
    text += line + value_of(graph, e) + "\n";
  }
  return text;
}

}  // namespace steelyard::model
