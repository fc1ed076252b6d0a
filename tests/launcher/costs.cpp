// SPDX-License-Identifier: Apache-2.0
// The same in C++: templates, ranges, iterators, methods, lambdas. See costs.c.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr int nodes = 1000;

template <class Id>
class graph {
 public:
  explicit graph(Id n) : first_(n + 1), to_() {
    for (Id i = 0; i < n; ++i) {
      for (Id k = 0; k < (i < 20 ? 400 : i % 5); ++k) to_.push_back((i + k) % n);
      first_[i + 1] = static_cast<Id>(to_.size());
    }
  }
  [[nodiscard]] Id degree(Id of) const { return first_[of + 1] - first_[of]; }
  [[nodiscard]] const Id* begin(Id of) const { return to_.data() + first_[of]; }
  [[nodiscard]] const Id* end(Id of) const { return to_.data() + first_[of + 1]; }
  [[nodiscard]] long sum() const {
    std::vector<long> out(nodes);
    // stated
#pragma omp parallel for
    for (Id i = 0; i < nodes; ++i) {
      for (Id k = first_[i]; k < first_[i + 1]; ++k) out[i] += to_[k] % 7;
    }
    return total(out);
  }
  static long total(const std::vector<long>& of) {
    long all = 0;
    for (std::size_t i = 0; i < of.size(); ++i) all += of[i] * static_cast<long>(i % 11);
    return all;
  }

 private:
  std::vector<Id> first_;
  std::vector<Id> to_;
};

template <class Id, class Real>
long scattered(const graph<Id>& g, const std::vector<Real>& factor) {
  std::vector<long> out(nodes);
  // stated
#pragma omp parallel for
  for (Id i = 0; i < nodes; ++i) {
    for (const Id* at = g.begin(i); at < g.end(i); ++at) out[i] += *at + static_cast<long>(factor[i]);
  }
  return graph<Id>::total(out);
}

/// Rows of an index, each seen over a temporary that holds numbers of the type of what is sorted.
class rows {
  class row {
    int at_;
    int** index_;

   public:
    row(int at, int** index) : at_(at), index_(index) {}
    [[nodiscard]] int* begin() const { return index_[at_]; }
    [[nodiscard]] int* end() const { return index_[at_ + 1]; }
  };
  std::vector<int> numbers_;
  std::vector<int*> index_;
  int** first_ = nullptr;

 public:
  rows() {
    std::vector<int> lengths;
    for (int i = 0; i < nodes; ++i) lengths.push_back(i < 20 ? 300 : i % 4);
    for (int i = 0; i < nodes; ++i) {
      for (int k = 0; k < lengths[i]; ++k) numbers_.push_back((i + 7 * k) % 101);
    }
    index_.push_back(numbers_.data());
    for (int i = 0; i < nodes; ++i) index_.push_back(index_.back() + lengths[i]);
    first_ = index_.data();
  }
  [[nodiscard]] row of(int i) const { return row(i, first_); }
};

long sorted(const rows& all) {
  std::vector<long> out(nodes);
  // stated
#pragma omp parallel for
  for (int i = 0; i < nodes; ++i) {
    int* first = all.of(i).begin();
    int* last = all.of(i).end();
    std::sort(first, last);
    out[i] = first == last ? 0 : *first + 3 * *(last - 1);
  }
  return graph<int>::total(out);
}

long ranges(const std::vector<std::vector<int>>& lists) {
  long all = 0;
  // stated
#pragma omp parallel for reduction(+ : all)
  for (const auto& each : lists) {
    for (int one : each) all += one;
  }
  return all;
}

long copies(const std::vector<std::string>& words) {
  long all = 0;
  // unknown
#pragma omp parallel for reduction(+ : all)
  for (std::string each : words) {
    for (std::size_t k = 0; k < each.size(); ++k) all += each[k];
  }
  return all;
}

long iterators(const std::vector<std::vector<int>>& lists) {
  long all = 0;
  // stated
#pragma omp parallel for reduction(+ : all)
  for (auto at = lists.begin(); at != lists.end(); ++at) {
    for (std::size_t k = 0; k < at->size(); ++k) all += (*at)[k];
  }
  return all;
}

/// What an iterator writes is what the costs would be read from.
long written(std::vector<int> lengths) {
  long all = 0;
  auto first = lengths.begin();
  // unknown
#pragma omp parallel for reduction(+ : all)
  for (int i = 0; i < nodes; ++i) {
    first[i] = i % 4;
    for (int k = 0; k < lengths[i]; ++k) all += k;
  }
  return all;
}

long in_lambda(const graph<int>& g) {
  std::vector<long> out(nodes);
  const auto run = [&out, &g](int from) {
  // stated
#pragma omp parallel for
    for (int i = from; i < nodes; ++i) {
      for (int k = 0; k < g.degree(i); ++k) out[i] += k;
    }
  };
  run(3);
  return graph<int>::total(out);
}

/// The second instantiation writes what the first only reads.
template <class Mark>
long differing(std::vector<Mark>& marks, const int* lengths) {
  long all = 0;
  Mark* const to = marks.data();
  // unknown
#pragma omp parallel for reduction(+ : all)
  for (int i = 0; i < nodes; ++i) {
    Mark* at = i % 2 == 0 ? to : const_cast<Mark*>(reinterpret_cast<const Mark*>(lengths));
    if (at == to) at[i] = Mark(1);
    for (int k = 0; k < lengths[i]; ++k) all += k;
  }
  return all;
}

}  // namespace

int main() {
  const graph<int> g(nodes);
  const graph<long> wide(nodes);
  std::vector<std::vector<int>> lists;
  for (int i = 0; i < nodes; ++i) lists.emplace_back(i < 30 ? 500 : i % 3, i);
  std::printf("%ld %ld\n", g.sum(), wide.sum());
  std::printf("%ld %ld\n", scattered(g, std::vector<double>(nodes, 2)), scattered(wide, std::vector<float>(nodes, 3)));
  std::printf("%ld %ld %ld\n", ranges(lists), copies(std::vector<std::string>(nodes, "word")), iterators(lists));
  std::printf("%ld\n", sorted(rows()));
  std::printf("%ld %ld\n", written(std::vector<int>(nodes, 2)), in_lambda(g));
  std::vector<int> ints(nodes);
  std::vector<short> shorts(nodes);
  std::vector<int> lengths(nodes, 5);
  std::printf("%ld %ld\n", differing(ints, lengths.data()), differing(shorts, lengths.data()));
  return 4;
}
