// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <list>
#include <steelyard/loop.hpp>
#include <stop_token>
#include <string>
#include <vector>

using steelyard::loop_options;
using steelyard::parallel_for;

void right() {
  steelyard::pool mine(2);
  const std::stop_source source;
  const auto body = [](int) {};
  auto mutable_body = [text = std::string()](int) mutable { text += '.'; };
  int array[10] = {};
  std::list<int> list;
  parallel_for(0, 10L, body, {.schedule = "idws", .chunk = 4, .on = &mine, .threads = 2, .stop = source.get_token()});
  parallel_for(0, 10, mutable_body, {});
  parallel_for(array, array + 10, body, {.cost = [](std::uint64_t i) { return double(i); }, .always_parallel = true});
  parallel_for(array, body, {.progress = [](std::uint64_t, std::uint64_t) {}});
  parallel_for(list.begin(), list.end(), mutable_body, {.cost = std::vector<double>(10)});
}

#if CASE == 1  // has no non-static data member named 'shedule' | field designator 'shedule' does not refer to any field
loop_options wrong() { return loop_options{.shedule = "idws"}; }
#elif CASE == 2   // -Werror: designator order for field | field 'threads' will be initialized after field 'schedule'
void wrong() {
  parallel_for(0, 10, [](int) {}, {.threads = 2, .schedule = "idws"});
}
#elif CASE == 3   // parallel_for: an option has the wrong type: .schedule is a const char*
void wrong(const std::string& name) {
  parallel_for(0, 10, [](int) {}, {.schedule = name});
}
#elif CASE == 4   // parallel_for: an option has the wrong type
void wrong() {
  parallel_for(0, 10, [](int) {}, {.cost = [](std::string) { return 1.0; }});
}
#elif CASE == 5   // parallel_for: an option has the wrong type
void wrong(const steelyard::pool& mine) {
  std::vector<int> numbers;
  parallel_for(numbers, [](int) {}, {.on = mine});
}
#elif CASE == 6   // parallel_for: an option has the wrong type
void wrong(const std::stop_source& source) {
  std::list<int> numbers;
  parallel_for(numbers.begin(), numbers.end(), [](int) {}, {.stop = source});
}
#elif CASE == 7   // parallel_for: an option has the wrong type
void wrong() {
  parallel_for(0, 10, [](int) {}, {.progress = [](std::string) {}});
}
#elif CASE == 8   // parallel_for: behind the body come loop_options
void wrong() {
  std::vector<int> numbers;
  parallel_for(
      numbers, [](int) {}, "idws");
}
#elif CASE == 9   // -Werror: - | temporary whose address is used as value of member of local variable
bool wrong() {
  const loop_options options{.cost = [](std::uint64_t i) { return double(i); }};
  return parallel_for(
      0, 10, [](int) {}, options);
}
#elif CASE == 10  // parallel_for: an option has the wrong type
void wrong() {
  parallel_for(0, 10, [](int) {}, {.chunk = "4"});
}
#elif CASE == 11  // parallel_for: an option has the wrong type
void wrong() {
  parallel_for(0, 10, [](int) {}, {.shares = 50.0});
}
#endif
