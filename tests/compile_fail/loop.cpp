// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <list>
#include <steelyard/loop.hpp>
#include <string>
#include <vector>

using steelyard::parallel_for;
using steelyard::parallel_reduce;

struct no_copy {
  no_copy() = default;
  no_copy(no_copy&&) = default;
  no_copy& operator=(no_copy&&) = default;
};

void right() {
  std::vector<int> numbers(10);
  const steelyard::extent ten{0, 10};
  steelyard::loop_options options;
  parallel_for(0, 10, [](int) {});
  parallel_for(0, 10L, [](auto) {}, {.threads = 2});
  parallel_for(
      0, 10, [](auto) {}, options);
  parallel_for(numbers.begin(), numbers.end(), [](int&) {}, {.threads = 2});
  parallel_for(
      numbers.data(), numbers.data() + 10, [](int) {}, options);
  parallel_for(
      ten, ten, [](auto, auto) {}, options);
  parallel_for(ten, {0, 4}, [](auto, auto) {}, {.threads = 2});
  parallel_for(
      ten, ten, ten, [](auto, auto, auto) {}, options);
  parallel_for({0, 4}, {0, 4}, {0, 4}, [](auto, auto, auto) {});
  parallel_for(numbers, [](int&) {}, {.threads = 2});
  parallel_for(std::list<int>(10), [](int) {});
  static_cast<void>(parallel_reduce(numbers.begin(), numbers.end(), 0) +
                    parallel_reduce(numbers.begin(), numbers.end(), 0, steelyard::order::fixed, {.threads = 2}));
  const auto one = [](auto) { return 1; };
  static_cast<void>(parallel_reduce(0, 10, 0, one) + parallel_reduce(0, 10U, 0, one, options));
  static_cast<void>(parallel_reduce(0, 10, 0, one, steelyard::order::fixed, {.threads = 2}));
  static_cast<void>(parallel_reduce(0, 10, 0, one, std::plus<>{}, {.threads = 2}, steelyard::order::fixed));
  static_cast<void>(parallel_reduce(0, 10, 0, one, std::plus<>{}, steelyard::order::fixed, {.threads = 2}));
  static_cast<void>(parallel_reduce(0, 10, 0, one, options, steelyard::order::fixed));
  steelyard::parallel_scan(numbers.begin(), numbers.end(), numbers.begin(), 0);
  steelyard::parallel_scan(numbers.begin(), numbers.end(), numbers.begin(), 0, steelyard::order::fixed, options);
  steelyard::parallel_scan(numbers.begin(), numbers.end(), numbers.begin(), 0, options, steelyard::order::fixed);
  steelyard::parallel_scan(numbers.begin(), numbers.end(), numbers.begin(), 0, std::plus<>{}, steelyard::order::fixed);
  steelyard::parallel_scan(numbers.begin(), numbers.end(), numbers.begin(), 0, std::plus<>{}, options);
}

#if CASE == 1  // parallel_for: the body cannot be called with an index of the loop
void wrong() {
  parallel_for(0, 10, [](std::string) {});
}
#elif CASE == 2   // parallel_for: the body cannot be called with an index of the loop
void wrong() {
  parallel_for(0, 10, [](int, int) {}, {.schedule = "idws"});
}
#elif CASE == 3   // parallel_for: the body cannot be called with an index of the loop
void wrong() { parallel_for(0, 10, 5); }
#elif CASE == 4   // parallel_for: the body cannot be called with an element of the range
void wrong() {
  std::vector<std::string> words;
  parallel_for(words.begin(), words.end(), [](int) {});
}
#elif CASE == 5   // parallel_for: first and last are integers, or forward iterators of one type
void wrong() {
  std::istream_iterator<int> first, last;
  parallel_for(first, last, [](int) {});
}
#elif CASE == 6   // parallel_for: first and last are integers, or forward iterators of one type
void wrong() {
  parallel_for(0, 10.5, [](int) {});
}
#elif CASE == 7   // parallel_for: behind the body come loop_options
void wrong() {
  parallel_for(
      0, 10, [](int) {}, "idws");
}
#elif CASE == 8   // parallel_for: the body cannot be called with two indices
void wrong() {
  parallel_for({0, 10}, {0, 10}, [](int) {});
}
#elif CASE == 9   // parallel_for: the body cannot be called with three indices
void wrong() {
  parallel_for({0, 10}, {0, 10}, {0, 10}, [](int, int) {});
}
#elif CASE == 10  // parallel_reduce: the term cannot be called with an index of the loop
int wrong() {
  return parallel_reduce(0, 10, 0, [] { return 1; });
}
#elif CASE == 11  // parallel_reduce: a term does not become the type of identity
int wrong() {
  return parallel_reduce(0, 10, 0, [](int) { return std::string(); }, {.threads = 2});
}
#elif CASE == 12  // parallel_reduce: combine cannot be called with two of the type of identity
int wrong() {
  return parallel_reduce(
      0, 10, 0, [](int i) { return i; }, [](std::string, int) { return 0; });
}
#elif CASE == 13  // parallel_reduce: combine cannot be called with two of the type of identity
int wrong() {
  return parallel_reduce(
      0, 10, 0, [](int i) { return i; }, "idws");
}
#elif CASE == 14  // parallel_reduce: first and last are integers, or random-access iterators of one type
int wrong() {
  std::list<int> numbers;
  return parallel_reduce(numbers.begin(), numbers.end(), 0, [](int i) { return i; });
}
#elif CASE == 15  // parallel_reduce: the type of identity cannot be copied
void wrong() {
  static_cast<void>(parallel_reduce(0, 10, no_copy{}, [](int) { return no_copy{}; }));
}
#elif CASE == 16  // parallel_reduce: the term cannot be called with an index of the loop
int wrong() {
  return parallel_reduce(
      0, 10, 0, [](std::string) { return 1; }, steelyard::order::fixed);
}
#elif CASE == 17  // parallel_for: the body cannot be called with an element of the range
void wrong() {
  std::list<std::string> words;
  parallel_for(words, [](int) {});
}
#elif CASE == 18  // parallel_reduce: the term cannot be called with an index of the loop, or an element of the range
int wrong() {
  std::vector<int> numbers;
  return parallel_reduce(numbers.begin(), numbers.end(), 0, std::plus<>{});
}
#elif CASE == 19  // parallel_for: first and last are integers, or forward iterators of one type
void wrong() {
  std::vector<int> numbers;
  parallel_for(numbers.rbegin(), numbers.end(), [](int) {});
}
#elif CASE == 20  // parallel_reduce: behind identity comes the term, unless there are random-access iterators
int wrong() { return parallel_reduce(0, 10, 0); }
#elif CASE == 21  // parallel_reduce: behind combine come loop_options and steelyard::order
int wrong() {
  return parallel_reduce(
      0, 10, 0, [](int i) { return i; }, std::plus<>{}, "idws");
}
#elif CASE == 22  // parallel_reduce: a term does not become the type of identity
int wrong() {
  return parallel_reduce(0, 10, 0, [](int) {});
}
#elif CASE == 23  // parallel_for: the body comes before the options
void wrong() {
  parallel_for(0, 10, {.schedule = "idws"}, [](int) {});
}
#elif CASE == 24  // parallel_for: the body comes before the options
void wrong() {
  std::vector<int> numbers;
  parallel_for(numbers, {.schedule = "idws"}, [](int) {});
}
#elif CASE == 25  // parallel_for: behind the body come loop_options
void wrong() {
  parallel_for(
      0, 10, [](int) {}, "idws", 4);
}
#elif CASE == 26  // parallel_for: behind first and last comes the body; there is no step
void wrong() {
  parallel_for(0, 10, 2, [](int) {});
}
#elif CASE == 27  // parallel_for: behind first and last comes the body; there is no step, and two loops in one are
void wrong() {
  parallel_for(0, 10, 0, 20, [](int, int) {});
}
#elif CASE == 28  // parallel_for: one extent is no grid; write parallel_for(first, last, body)
void wrong() {
  parallel_for({0, 10}, [](auto) {});
}
#elif CASE == 29  // parallel_reduce: it takes iterators, not a container
int wrong(const std::vector<int>& numbers) { return parallel_reduce(numbers, 0); }
#elif CASE == 30  // parallel_reduce: it takes iterators, not a container
int wrong(std::vector<int>& numbers) {
  return parallel_reduce(numbers, 0, [](int x) { return x * x; });
}
#elif CASE == 31  // parallel_reduce: between last and the term comes identity
int wrong() {
  return parallel_reduce(0, 10, [](int i) { return i; });
}
#elif CASE == 32  // parallel_reduce: between last and the term comes identity
int wrong(const int& by) {
  return parallel_reduce(
      0, 10, [&](int i) { return i * by; }, std::plus<>{});
}
#elif CASE == 33  // parallel_reduce: identity is an integer, so the terms lose their fractions; write 0.0
double wrong() {
  return parallel_reduce(0, 10, 0, [](int i) { return 0.5 * i; });
}
#elif CASE == 34  // parallel_reduce: identity is an integer, so the terms lose their fractions
double wrong(const std::vector<double>& numbers) { return parallel_reduce(numbers.begin(), numbers.end(), 0); }
#elif CASE == 35  // parallel_for: behind first and last comes the body
void wrong() { parallel_for(0, 10); }
#elif CASE == 36  // parallel_for: behind the range comes the body
void wrong(std::vector<int>& numbers) { parallel_for(numbers); }
#endif
