// SPDX-License-Identifier: Apache-2.0
// Loops of C++: iterators, templates, lambdas, members. As loops.c, it prints what it computed and which thread ran what.
#include <omp.h>

#include <cstddef>
#include <cstdio>
#include <deque>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr int n = 101;
std::vector<int> owner(n, -1);
std::vector<double> value(n, 0);
thread_local int own = 0;

void show(const char* name) {
  std::printf("%s:", name);
  for (const int each : owner) std::printf(" %d", each);
  double sum = 0;
  for (std::size_t i = 0; i < value.size(); ++i) sum += value[i] * static_cast<double>(i + 1);
  std::printf(" sum %.17g\n", sum);
  owner.assign(n, -1);
  value.assign(n, 0);
}

void run(std::size_t at) {
  owner[at] = omp_get_thread_num();
  value[at] += static_cast<double>(at);
}

template <class T, int Step>
T total(const std::vector<T>& of) {
  T sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (typename std::vector<T>::size_type i = 0; i < of.size(); i += Step) {
    sum += of[i];
    run(i);
  }
  return sum;
}

/// Loops whose type depends on an argument.
template <class Iterator>
void fill(Iterator first, Iterator last) {
#pragma omp parallel for
  for (Iterator at = first; at < last; ++at) *at = static_cast<double>(at - first) + omp_get_thread_num();
#pragma omp parallel for
  for (auto at = last - 1; at >= first; at -= 2) *at += 1;
}

class grid {
 public:
  explicit grid(int side) : side_(side), cells_(static_cast<std::size_t>(side * side)) {}
  void relax() {
    const auto weight = [this](int x, int y) { return x * side_ + y; };
#pragma omp parallel for collapse(2) default(shared)
    for (int x = 0; x < side_; ++x) {
      for (int y = side_ - 1; y >= 0; --y) {
        cells_[static_cast<std::size_t>(weight(x, y))] += x - y;
      }
    }
#pragma omp parallel
    {
#pragma omp for
      for (auto cell = cells_.begin(); cell != cells_.end(); ++cell) *cell *= 2;
#pragma omp for nowait
      for (int x = 0; x < side_; ++x) cells_[static_cast<std::size_t>(x)] += 1;
    }
  }
  [[nodiscard]] double sum() const { return std::accumulate(cells_.begin(), cells_.end(), 0.0); }

 private:
  int side_;
  std::vector<double> cells_;
};

template <class Body>
void each(std::size_t count, Body body) {
#pragma omp parallel for
  for (std::size_t i = 0; i < count; ++i) body(i);
}

void lambdas() {
  each(n, [](std::size_t i) { run(i); });
  show("a lambda as the body");
  const auto in_lambda = [](auto count) {
#pragma omp parallel for
    for (decltype(count) i = 0; i < count; ++i) run(static_cast<std::size_t>(i));
  };
  in_lambda(n);
  in_lambda(static_cast<long>(n));
  show("a loop in a generic lambda");
  int base = 3;
  auto captured = [&base]() {
#pragma omp parallel for firstprivate(base)
    for (int i = base; i < n; ++i) value[static_cast<std::size_t>(i)] += base;
  };
  captured();
  show("a loop in a lambda");
}

namespace own_range {
struct numbers {
  std::vector<int> all;
};
std::vector<int>::iterator begin(numbers& of) { return of.all.begin(); }
std::vector<int>::iterator end(numbers& of) { return of.all.end(); }
}  // namespace own_range

void ranges() {
  std::vector<std::pair<int, double>> pairs(n, {1, 2});
  int array[] = {3, 1, 4, 1, 5, 9, 2, 6};
  own_range::numbers numbers{std::vector<int>(33, 7)};
#pragma omp parallel for
  for (auto& [whole, part] : pairs) {
    if (&whole == &pairs[3].first) continue;
    part += whole + omp_get_thread_num();
  }
#pragma omp parallel for schedule(static)
  for (int& each : array) each *= omp_get_thread_num() + 1;
#pragma omp parallel for
  for (auto&& each : numbers) each += omp_get_thread_num();
  for (std::size_t i = 0; i < pairs.size(); ++i) value[i] = pairs[i].second;
  for (std::size_t i = 0; i < 8; ++i) value[i] += array[i];
  for (std::size_t i = 0; i < 33; ++i) value[i] += 100 * numbers.all[i];
  show("ranges");
}

void containers() {
  std::deque<int> queue(57, 1);
#pragma omp parallel for
  for (auto at = queue.begin(); at < queue.end(); at += 5) *at += omp_get_thread_num();
  std::printf("deque %d\n", std::accumulate(queue.begin(), queue.end(), 0));
  std::vector<std::string> names(40);
#pragma omp parallel for
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = R"(raw " text )" + std::to_string(i);
    if (names[i].size() > 1000) throw names[i];
  }
  std::printf("%s\n", names[39].c_str());
  fill(value.begin(), value.end());
  fill(value.data(), value.data() + value.size());
  show("iterators of a template");
}

void of_a_thread() {
  std::vector<int> seen(n);
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) own = i;
#pragma omp for
    for (int i = 0; i < n; ++i) seen[static_cast<std::size_t>(i)] = own;
  }
  std::printf("thread_local %d\n", std::accumulate(seen.begin(), seen.end(), 0));
}

/// Lists of each thread, joined in the order of the threads, are in order only where shares are.
void lists_in_order() {
  std::map<int, std::vector<int>> lists;
#pragma omp parallel
  {
    std::vector<int> mine;
#pragma omp for
    for (int i = 0; i < n; ++i) {
      if (i % 3 == 0) mine.push_back(i);
    }
#pragma omp critical
    lists[omp_get_thread_num()] = mine;
  }
  for (const auto& [thread, list] : lists) {
    for (const int i : list) std::printf(" %d", i);
  }
  std::printf("\n");
}

/// Its address is asked for by its class.
struct hidden {
  int value = 0;
  hidden* operator&() { return nullptr; }
};
void hidden_addresses() {
  hidden last;
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < n; ++i) last.value = i;
  std::printf("last %d\n", last.value);
}

}  // namespace

int main() {
  omp_set_dynamic(0);
  std::vector<int> ints(n, 2);
  std::vector<float> floats(n, 0.1F);
  std::printf("%d\n", total<int, 1>(ints));
  show("a template");
  std::printf("%d\n", total<float, 3>(floats) > 3);
  show("another instantiation");
  grid board(9);
  board.relax();
  std::printf("grid %.17g\n", board.sum());
  lambdas();
  ranges();
  containers();
  of_a_thread();
  lists_in_order();
  hidden_addresses();
  return 4;
}
