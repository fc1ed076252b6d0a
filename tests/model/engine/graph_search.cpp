// SPDX-License-Identifier: Apache-2.0
#include "graph_search.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace steelyard::model {
namespace {

/// Of two events, x was there when e was added, or leads to the write that revisits.
bool was_there(const event& x, const event& e, const clock& leading) noexcept {
  return x.stamp <= e.stamp || before(x, leading);
}

event_name read_name(std::istringstream& field) {
  event_name name;
  char dot = 0;
  field >> name.thread >> dot >> name.index;
  return name;
}

}  // namespace

void graph_search::begin_run() {
  path_.clear();
  waits_.clear();
  last_stamp_ = 0;
  for (const auto& s : script_) last_stamp_ = std::max(last_stamp_, s.stamp);
}

bool graph_search::next_path() {
  if (open_.empty()) return false;
  script_ = std::move(open_.back());
  open_.pop_back();
  return true;
}

void graph_search::took(graph_step made) {
  last_stamp_ = std::max(last_stamp_, made.stamp);
  path_.push_back(made);
}

void graph_search::alternative(graph_step other) {
  if (alone_) return;
  auto& fresh = open_.emplace_back(path_);
  fresh.push_back(other);
}

bool graph_search::maximal_read(const memory& graph, const event& e, const clock& leading) const {
  const auto& source = graph.at(e.source);
  if (!was_there(source, e, leading)) return false;
  const auto& writes = graph.place(e.location).order;
  const auto waiting = std::find_if(waits_.begin(), waits_.end(), [&](const auto& w) { return &graph.at(w.first) == &e; });
  for (auto p = static_cast<std::size_t>(source.position) + 1; p < writes.size(); ++p) {
    const auto& newer = graph.at(writes[p]);
    if (&newer == &e || !was_there(newer, e, leading)) continue;
    if (waiting == waits_.end() || waiting->second(newer.written)) return false;
  }
  return true;
}

bool graph_search::maximal(const memory& graph, int id, const clock& leading) const {
  const auto& e = graph.at(id);
  if (e.location < 0) return true;
  if (e.reads() && !maximal_read(graph, e, leading)) return false;
  if (!e.writes) return true;
  for (const int other : graph.place(e.location).accesses) {
    const auto& x = graph.at(other);
    if (other == id || !was_there(x, e, leading)) continue;
    if (x.source == id || (x.writes && x.position > e.position)) return false;
  }
  return true;
}

bool graph_search::may_drop(const memory& graph, const graph_step& read, const clock& leading) const {
  return std::all_of(path_.begin(), path_.end(), [&](const graph_step& s) {
    const bool dropped = s.stamp >= read.stamp && !before(graph.at(s.event), leading);
    return !dropped || maximal(graph, s.event, leading);
  });
}

void graph_search::revisit(const memory& graph, const graph_step& read, graph_step write, const clock& leading,
                           event_name after) {
  auto& fresh = open_.emplace_back();
  for (const auto& s : path_) {
    if (s.stamp < read.stamp || before(graph.at(s.event), leading)) fresh.push_back(s);
  }
  write.after = after;
  fresh.push_back(write);
  auto again = read;
  again.source = {write.thread, graph.now(write.thread).at[write.thread] + 1};
  again.after = {};
  fresh.push_back(again);
}

void graph_search::offer(const memory& graph, int place, const graph_step& write, const clock& leading,
                         const std::vector<event_name>& after) {
  if (alone_) return;
  for (const auto& read : path_) {
    const auto& e = graph.at(read.event);
    if (e.location != place || !e.reads() || before(e, leading)) continue;
    if (!may_drop(graph, read, leading)) continue;
    for (const auto& predecessor : after) {
      const auto& p = graph.at(graph.find(predecessor.thread, predecessor.index));
      // The predecessor may be among what is dropped.
      if (p.stamp < read.stamp || before(p, leading)) revisit(graph, read, write, leading, predecessor);
    }
  }
}

std::string graph_search::text() const {
  std::string result = "g";
  for (const auto& s : path_) {
    result += ',' + std::to_string(s.thread);
    if (s.source.index != 0) result += '<' + std::to_string(s.source.thread) + '.' + std::to_string(s.source.index);
    if (s.after.index != 0) result += '>' + std::to_string(s.after.thread) + '.' + std::to_string(s.after.index);
  }
  return result;
}

void graph_search::replay(const std::string& path) {
  alone_ = true;
  std::istringstream text(path);
  std::string part;
  std::getline(text, part, ',');
  while (std::getline(text, part, ',')) {
    std::istringstream field(part);
    graph_step s;
    field >> s.thread;
    for (char mark = 0; field >> mark;) (mark == '<' ? s.source : s.after) = read_name(field);
    s.stamp = static_cast<std::uint32_t>(script_.size()) + 1;
    script_.push_back(s);
  }
}

}  // namespace steelyard::model
