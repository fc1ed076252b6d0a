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

chooser chooser_for(const options& how, const std::optional<std::string>& replayed) {
  if (replayed) return chooser::replay(*replayed);
  return how.random != 0 ? chooser::random(how.seed) : chooser::all();
}

}  // namespace

result explore(const scenario& what, const options& how) {
  const auto replayed = how.mutant == nullptr ? replay_path(what.name) : std::nullopt;
  auto answers = chooser_for(how, replayed);
  const auto strategy_used = how.random != 0 ? strategy::interleavings : how.how;
  execution run({strategy_used, how.bound, how.steps, how.mutant, how.seen, how.random != 0 || replayed.has_value()},
                what.threads);
  result found;
  do {
    const auto verdict_of_run = run.run(answers, what.make);
    if (replayed) std::fprintf(stderr, "%s\n%s", what.name.c_str(), trace_of(run.graph()).c_str());
    if (verdict_of_run == verdict::failed) {
      found.failed = {run.message(), trace_of(run.graph()), what.name + "=" + answers.path()};
      return found;
    }
    if (verdict_of_run == verdict::discarded) {
      ++found.discarded;
    } else {
      ++found.executions;
      if (!run.outcome().empty()) found.outcomes.insert(run.outcome());
      if (how.count_graphs) found.graphs.insert(run.graph().fingerprint());
    }
    const auto done = found.executions + found.discarded;
    if (done >= how.limit || (how.random != 0 && done >= how.random)) return found;
  } while (answers.next_path());
  found.exhausted = !replayed;
  return found;
}

namespace {

std::string thread_name(unsigned thread) { return thread == main_thread ? "main" : "T" + std::to_string(thread); }

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
    const auto object = e.location >= 0 ? "x" + std::to_string(e.location) : std::string();
    char line[160];
    std::snprintf(line, sizeof line, "  %4zu  %-6s  %-16s  %-6s  %-7s  %-24s  ", i, thread_name(e.thread).c_str(),
                  name_of(e.what), object.c_str(), ordered ? name_of(e.how) : "", e.site);
    text += line + value_of(graph, e) + "\n";
  }
  return text;
}

}  // namespace steelyard::model
