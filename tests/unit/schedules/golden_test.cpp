// SPDX-License-Identifier: Apache-2.0
// What schedules hand out, against the vectors of tests/golden; that directory's README.md says how they are written.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "loop_run.hpp"
#include "schedules/given_shares.hpp"
#include "schedules/loop_record.hpp"

namespace steelyard::schedules::testing {
namespace {

struct vector_of_chunks {
  shape loop;
  std::vector<member> callers;
  std::vector<double> costs;         ///< empty: none
  std::vector<std::uint64_t> takes;  ///< what an iteration takes each member; empty: nobody is told
  std::uint64_t fetch = 0;           ///< what being handed a chunk takes
  loop_record record;
  std::string weights;  ///< empty: none are given
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

/// `weights w,w,…`, `takes t… h`: what they are given, and what they are told.
bool read_told(const std::string& word, std::istringstream& words, vector_of_chunks& into) {
  if (word == "weights") words >> into.weights;
  if (word == "takes") {
    into.takes.resize(into.loop.members);
    for (auto& ticks : into.takes) words >> ticks;
    words >> into.fetch;
  }
  return word == "weights" || word == "takes";
}

/// `loop N P c [contiguous] [all_arrive] [times …] [speeds …] [weights …] [takes …] [costs t…] [callers m…]`
vector_of_chunks read_loop(std::istringstream words) {
  vector_of_chunks read;
  words >> read.loop.iterations >> read.loop.members >> read.loop.chunk;
  bool in_costs = false;
  for (std::string word; words >> word;) {
    if (read_record(word, words, read) || read_told(word, words, read)) continue;
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

/// A schedule's name as that of a file, and of a test.
std::string file_of(std::string name) {
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}
std::string test_of(std::string file) {
  std::replace(file.begin(), file.end(), '-', '_');
  return file;
}

std::vector<vector_of_chunks> read_golden(const std::string& name) {
  std::ifstream file(std::string(STEELYARD_GOLDEN) + "/" + name + ".txt");
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

/// As `in_turn`, where the schedule is told what each chunk took before its member asks again.
std::vector<handed_out> in_turn_told(loop_run& run, const vector_of_chunks& of) {
  std::vector<handed_out> chunks;
  std::vector<step> last(of.loop.members);
  for (auto callers = of.callers; !callers.empty();) {
    std::erase_if(callers, [&](member m) {
      if (last[m].count != 0) run.completed(m, last[m], {last[m].count * of.takes[m], of.fetch});
      last[m] = run.next(m);
      if (!last[m].done()) chunks.push_back({m, last[m]});
      return last[m].done();
    });
  }
  return chunks;
}

/// The files in tests/golden, without `.txt`.
std::vector<std::string> files() {
  std::vector<std::string> all;
  for (const auto& each : std::filesystem::directory_iterator(STEELYARD_GOLDEN)) {
    if (each.path().extension() == ".txt") all.push_back(each.path().stem().string());
  }
  std::sort(all.begin(), all.end());
  return all;
}

class golden : public ::testing::TestWithParam<std::string> {};

TEST_P(golden, vectors_are_what_the_schedule_hands_out) {
  const auto rows = all();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [](const auto& r) { return file_of(r.about.name) == GetParam(); });
  ASSERT_NE(row, rows.end()) << "no schedule has this file";
  const auto vectors = read_golden(GetParam());
  EXPECT_FALSE(vectors.empty());
  for (const auto& of : vectors) {
    auto loop = of.loop;
    loop.known.record = &of.record;
    given_shares weights;
    if (!of.weights.empty()) {
      EXPECT_EQ(given_shares::parse_weights(of.weights, weights), shares_error::none) << "the vector itself";
      loop.known.weights = &weights;
    }
    EXPECT_TRUE(of.costs.empty() || of.costs.size() == loop.iterations) << "the vector itself";
    auto run = of.costs.empty() ? loop_run(*row, loop) : loop_run(*row, loop, of.costs);
    EXPECT_EQ(of.takes.empty() ? in_turn(run, of.callers) : in_turn_told(run, of), of.expected)
        << row->about.name << " N " << loop.iterations << " P " << loop.members << " c " << loop.chunk;
    EXPECT_TRUE(covers(of.expected, loop.iterations)) << "the vector itself";
  }
}

INSTANTIATE_TEST_SUITE_P(of, golden, ::testing::ValuesIn(files()),
                         [](const auto& file) { return test_of(file.param); });

}  // namespace
}  // namespace steelyard::schedules::testing
