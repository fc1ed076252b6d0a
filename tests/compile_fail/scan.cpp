// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <list>
#include <steelyard/loop.hpp>
#include <string>
#include <vector>

using steelyard::parallel_scan;

struct no_copy {
  no_copy() = default;
  no_copy(no_copy&&) = default;
  no_copy& operator=(no_copy&&) = default;
};

void right(std::vector<int>& numbers, std::vector<double>& sums) {
  const auto add = [](double a, double b) { return a + b; };
  parallel_scan(numbers.begin(), numbers.end(), sums.begin(), 0.0, add);
  parallel_scan(numbers.data(), numbers.data() + 2, sums.data(), 0.0, steelyard::order::fixed, {.threads = 2});
}

#if CASE == 1  // parallel_scan: in, end and out are random-access iterators
void wrong(std::list<int>& numbers) { parallel_scan(numbers.begin(), numbers.end(), numbers.begin(), 0); }
#elif CASE == 2  // parallel_scan: the type of identity cannot be copied, or has no default constructor
void wrong(std::vector<no_copy>& all) { parallel_scan(all.begin(), all.end(), all.begin(), no_copy{}); }
#elif CASE == 3  // parallel_scan: an element of the input does not become the type of identity
void wrong(std::vector<std::string>& words, std::vector<int>& sizes) {
  parallel_scan(words.begin(), words.end(), sizes.begin(), 0);
}
#elif CASE == 4  // parallel_scan: an element of the output cannot be assigned one of the type of identity
void wrong(std::vector<int>& sizes, std::vector<no_copy>& out) {
  parallel_scan(sizes.begin(), sizes.end(), out.begin(), 0);
}
#elif CASE == 5  // parallel_scan: combine cannot be called with two of the type of identity
void wrong(std::vector<int>& sizes) {
  parallel_scan(sizes.begin(), sizes.end(), sizes.begin(), 0, [](int a) { return a; });
}
#elif CASE == 6  // parallel_scan: behind end comes out, where the results begin, and then identity
void wrong(std::vector<int>& sizes) { parallel_scan(sizes.begin(), sizes.end(), 0); }
#elif CASE == 7  // parallel_scan: it takes iterators, not a container
void wrong(std::vector<int>& sizes) { parallel_scan(sizes, sizes, 0); }
#elif CASE == 8  // parallel_scan: identity is an integer, so the input loses its fractions; write 0.0
void wrong(std::vector<double>& all) { parallel_scan(all.begin(), all.end(), all.begin(), 0); }
#elif CASE == 9  // parallel_scan: it takes three iterators and identity: in, end, out, 0.0
void wrong(std::vector<int>& sizes) { parallel_scan(sizes, sizes); }
#endif
