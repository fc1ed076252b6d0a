// SPDX-License-Identifier: Apache-2.0
// cows-serial: the kernels without threads; with --limit or --record, what their iterations cost.
#include "program.hpp"
#include "recording.hpp"

namespace {

int record(const cows::request& wanted, const cows::named_graph& given, long members, long keep, const char* file) {
  cows::recorder recorder(static_cast<std::uint32_t>(members), file != nullptr ? static_cast<std::uint64_t>(keep) : 0);
  cows::request four = wanted;
  four.repeat = 4;  // the first run counts the loops
  const int status = cows::measure(four, given, [&] { return cows::recording_loops(given.graph, recorder); });
  std::printf("limit %.9f s for %ld members, work %.9f s\n", recorder.limit(), members, recorder.work());
  if (file != nullptr) cows::write_costs(file, recorder.loops());
  return status;
}

int run(int argc, char** argv) {
  cows::request wanted;
  long members = 0, keep = 8;
  const char* file = nullptr;
  wanted.parse(
      argc, argv, "A COWS kernel, serial",
      {argument_number("--limit", "times the iterations; the least time that so many members need", 1, 65536, &members),
       argument_text("--record", "FILE", "writes what the iterations cost, for cows-replay", &file),
       argument_number("--keep", "runs of each loop to write, spread evenly (default 8)", 1, 1000, &keep)});
  const auto given = cows::read_graph(wanted.graph);
  if (members != 0 || file != nullptr) return record(wanted, given, members != 0 ? members : 32, keep, file);
  return cows::measure(wanted, given, [&] { return cows::serial_loops(given.graph); });
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
