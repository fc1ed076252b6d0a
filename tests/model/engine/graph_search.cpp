// SPDX-License-Identifier: Apache-2.0
#include "graph_search.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace steelyard::model {
namespace {

/// The write x was there when a step of this stamp was made, or leads to the write that revisits.
bool was_there(const event& x, std::uint32_t stamp, const clock& leading) noexcept {
  return x.write_stamp <= stamp || before(x, leading);
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

bool graph_search::maximal_read(const memory& graph, const graph_step& s, const clock& leading) const {
  const auto& e = graph.at(s.event);
  const auto& source = graph.at(e.source);
  if (!was_there(source, s.stamp, leading)) return false;
  const auto& writes = graph.place(e.location).order;
  const auto waiting = std::find_if(waits_.begin(), waits_.end(), [&](const auto& w) { return w.first == s.event; });
  for (auto p = static_cast<std::size_t>(source.position) + 1; p < writes.size(); ++p) {
    const auto& newer = graph.at(writes[p]);
    if (writes[p] == s.event || !was_there(newer, s.stamp, leading)) continue;
    if (waiting == waits_.end() || waiting->second(newer.written)) return false;
  }
  return true;
}

bool graph_search::maximal_write(const memory& graph, const graph_step& s, const clock& leading) {
  const auto& e = graph.at(s.event);
  for (const int other : graph.place(e.location).accesses) {
    const auto& x = graph.at(other);
    const bool reader_was_there = x.stamp <= s.stamp || before(x, leading);
    if (x.source == s.event && reader_was_there) return false;
    if (x.writes && x.position > e.position && was_there(x, s.stamp, leading)) return false;
  }
  return true;
}

bool graph_search::maximal(const memory& graph, const graph_step& s, const clock& leading) const {
  const auto& e = graph.at(s.event);
  if (e.location < 0) return true;
  return e.reads() && !s.completes ? maximal_read(graph, s, leading) : maximal_write(graph, s, leading);
}

bool graph_search::may_drop(const memory& graph, const graph_step& read, const clock& leading) const {
  return std::all_of(path_.begin(), path_.end(), [&](const graph_step& s) {
    const bool dropped = s.stamp >= read.stamp && !before(graph.at(s.event), leading);
    return !dropped || maximal(graph, s, leading);
  });
}

void graph_search::revisit(const memory& graph, const graph_step& read, const std::vector<graph_step>& write,
                           const clock& leading, event_name after, event_name source) {
  auto& fresh = open_.emplace_back();
  for (const auto& s : path_) {
    if (s.stamp < read.stamp || before(graph.at(s.event), leading)) fresh.push_back(s);
  }
  fresh.insert(fresh.end(), write.begin(), write.end());
  if (write.size() == 1 && !write.front().completes) fresh.back().after = after;
  auto again = read;
  again.source = source;
  fresh.push_back(again);
}

void graph_search::offer(const memory& graph, int place, const std::vector<graph_step>& write, const clock& leading,
                         const std::vector<event_name>& after) {
  if (alone_) return;
  // The second half of a read-modify-write is the event that its first half has made already.
  const auto& last = write.back();
  const bool made = write.size() == 1 && last.completes;
  const event_name source{last.thread, graph.now(last.thread).at[last.thread] + (made ? 0 : 1)};
  for (const auto& read : path_) {
    const auto& e = graph.at(read.event);
    if (read.completes || e.location != place || !e.reads() || before(e, leading)) continue;
    if (!may_drop(graph, read, leading)) continue;
    for (const auto& predecessor : after) {
      const auto& p = graph.at(graph.find(predecessor.thread, predecessor.index));
      // The predecessor may be among what is dropped.
      if (p.write_stamp < read.stamp || before(p, leading)) revisit(graph, read, write, leading, predecessor, source);
    }
  }
}

std::string graph_search::text() const {
  std::string result = "g";
  for (const auto& s : path_) {
    result += ',' + std::to_string(s.thread);
    if (s.completes) result += '+';
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
    for (char mark = 0; field >> mark;) {
      if (mark == '+') {
        s.completes = true;
      } else {
        (mark == '<' ? s.source : s.after) = read_name(field);
      }
    }
    s.stamp = static_cast<std::uint32_t>(script_.size()) + 1;
    script_.push_back(s);
  }
}

}  // namespace steelyard::model
