// SPDX-License-Identifier: Apache-2.0
#include "golden.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "loop_run.hpp"
#include "schedules/loop_record.hpp"

namespace steelyard::schedules::testing {
namespace {

struct vector_of_chunks {
  shape loop;
  std::vector<member> callers;
  std::vector<double> costs;  ///< empty: none
  loop_record record;
  std::vector<handed_out> expected;
};

/// `cost` or `costxtimes`
void read_cost(const std::string& word, std::vector<double>& into) {
  std::istringstream text(word);
  char mark = 0;
  double cost = 0;
  std::size_t times = 1;
  text >> cost >> mark >> times;
  into.insert(into.end(), times, cost);
}

/// `times mean deviation hand_over`, `speeds s…`, of each member: what earlier instances have shown.
bool read_record(const std::string& word, std::istringstream& words, vector_of_chunks& into) {
  if (word == "times") words >> into.record.mean >> into.record.deviation >> into.record.hand_over;
  if (word == "speeds") {
    into.record.members = into.loop.members;
    for (member m = 0; m < into.loop.members; ++m) {
      words >> into.record.of.at(m).iterations;
      into.record.of.at(m).ticks = 1;
    }
  }
  return word == "times" || word == "speeds";
}

/// `loop N P c [contiguous] [all_arrive] [times …] [speeds …] [costs t…] [callers m…]`
vector_of_chunks read_loop(std::istringstream words) {
  vector_of_chunks read;
  words >> read.loop.iterations >> read.loop.members >> read.loop.chunk;
  bool in_costs = false;
  for (std::string word; words >> word;) {
    if (read_record(word, words, read)) continue;
    if (in_costs && word != "callers") read_cost(word, read.costs);
    if (word == "contiguous") read.loop.front_end.contiguous = true;
    if (word == "all_arrive") read.loop.front_end.all_arrive = true;
    if (word == "costs") in_costs = true;
    if (word == "callers") {
      for (member m = 0; words >> m;) read.callers.push_back(m);
    }
  }
  if (read.callers.empty()) read.callers = everybody(read.loop.members);
  return read;
}

/// `m:first,count,stride`, or `count` or `countxtimes`: the next contiguous chunks, the callers taking turns.
void read_chunk(const std::string& word, vector_of_chunks& into) {
  std::istringstream text(word);
  char mark = 0;
  if (word.find(':') != std::string::npos) {
    handed_out chunk{};
    text >> chunk.who >> mark >> chunk.what.first >> mark >> chunk.what.count >> mark >> chunk.what.stride;
    into.expected.push_back(chunk);
    return;
  }
  std::uint64_t count = 0;
  std::uint64_t times = 1;
  text >> count >> mark >> times;
  for (; times > 0; --times) {
    const auto first = into.expected.empty() ? 0 : into.expected.back().what.first + into.expected.back().what.count;
    into.expected.push_back({into.callers[into.expected.size() % into.callers.size()], {first, count, 1}});
  }
}

std::vector<vector_of_chunks> read_golden(const std::string& name) {
  auto file_name = name;
  std::replace(file_name.begin(), file_name.end(), ':', '_');
  std::ifstream file(std::string(STEELYARD_GOLDEN) + "/" + file_name + ".txt");
  EXPECT_TRUE(file.is_open()) << name;
  std::vector<vector_of_chunks> all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) {
      if (word == "loop") {
        all.push_back(read_loop(std::move(words)));
        break;
      }
      read_chunk(word, all.back());
    }
  }
  return all;
}

}  // namespace

void matches_golden_vectors(const std::string& name) {
  const auto vectors = read_golden(name);
  EXPECT_FALSE(vectors.empty());
  for (const auto& [told, callers, costs, record, expected] : vectors) {
    auto loop = told;
    loop.known.record = &record;
    EXPECT_TRUE(costs.empty() || costs.size() == loop.iterations) << "the vector itself";
    auto run = costs.empty() ? loop_run(name, loop) : loop_run(name, loop, costs);
    EXPECT_EQ(in_turn(run, callers), expected)
        << name << " N " << loop.iterations << " P " << loop.members << " c " << loop.chunk;
    EXPECT_TRUE(covers(expected, loop.iterations)) << "the vector itself";
  }
}

}  // namespace steelyard::schedules::testing
