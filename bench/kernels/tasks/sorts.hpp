// SPDX-License-Identifier: Apache-2.0
// Quicksort and mergesort of random numbers, a task for each part, however small, unless a cutoff is given: parts of so many
// elements and fewer are one task's. Sixteen and fewer are sorted by insertion, always, as serial programs do.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "calls.hpp"
#include "work.hpp"

namespace task_kernels {

inline constexpr std::ptrdiff_t few = 16;
inline constexpr std::size_t merged_at_once = 8192;  // by one task

template <class Tasks>
void quick_sort(double* first, double* last, std::ptrdiff_t cutoff) {
  if (last - first <= few) return work::sort_few(first, last);
  if (last - first <= cutoff) return quick_sort<calls>(first, last, 0);
  double* const middle = work::partition(first, last);
  Tasks::both([=] { quick_sort<Tasks>(first, middle, cutoff); }, [=] { quick_sort<Tasks>(middle, last, cutoff); });
}

// Of two sorted parts. Where the middle of the larger one belongs in the other one, both are cut.
template <class Tasks>
void merge_parts(const double* a, std::size_t of_a, const double* b, std::size_t of_b, double* into) {
  if (of_a + of_b <= merged_at_once) return work::merge(a, of_a, b, of_b, into);
  if (of_a < of_b) return merge_parts<Tasks>(b, of_b, a, of_a, into);
  const std::size_t at = of_a / 2, there = static_cast<std::size_t>(std::lower_bound(b, b + of_b, a[at]) - b);
  Tasks::both([=] { merge_parts<Tasks>(a, at, b, there, into); },
              [=] { merge_parts<Tasks>(a + at, of_a - at, b + there, of_b - there, into + at + there); });
}

// Of n elements at `data`, into `spare` if wanted; the other of the two is overwritten.
template <class Tasks>
void merge_sort(double* data, double* spare, std::ptrdiff_t n, bool into_spare, std::ptrdiff_t cutoff) {
  if (n <= few) {
    work::sort_few(data, data + n);
    if (into_spare) std::copy(data, data + n, spare);
    return;
  }
  if (n <= cutoff) return merge_sort<calls>(data, spare, n, into_spare, 0);
  const std::ptrdiff_t half = n / 2;
  Tasks::both([=] { merge_sort<Tasks>(data, spare, half, !into_spare, cutoff); },
              [=] { merge_sort<Tasks>(data + half, spare + half, n - half, !into_spare, cutoff); });
  double* const from = into_spare ? data : spare;
  merge_parts<Tasks>(from, static_cast<std::size_t>(half), from + half, static_cast<std::size_t>(n - half),
                     into_spare ? spare : data);
}

class sorting {
 public:
  sorting(std::int64_t size, std::int64_t cut_off)
      : data(static_cast<std::size_t>(size)), cutoff(cut_off), input_(data) {
    std::uint64_t counter = 0;
    for (double& each : input_) each = work::uniform(counter++);
    sorted_ = input_;
    std::sort(sorted_.begin(), sorted_.end());
  }
  void prepare() { data = input_; }
  [[nodiscard]] bool is_right() const { return data == sorted_; }
  [[nodiscard]] std::int64_t result() const {
    std::uint64_t all = 0;
    for (const double each : data) all = all * 31 + std::bit_cast<std::uint64_t>(each);
    return static_cast<std::int64_t>(all);
  }

 protected:
  std::vector<double> data;
  std::ptrdiff_t cutoff;

 private:
  std::vector<double> input_, sorted_;
};

struct quicksort : sorting {
  using sorting::sorting;
  template <class Tasks>
  void solve() {
    quick_sort<Tasks>(data.data(), data.data() + data.size(), cutoff);
  }
};

class mergesort : public sorting {
 public:
  mergesort(std::int64_t size, std::int64_t cut_off) : sorting(size, cut_off), spare_(data) {}
  template <class Tasks>
  void solve() {
    merge_sort<Tasks>(data.data(), spare_.data(), static_cast<std::ptrdiff_t>(data.size()), false, cutoff);
  }

 private:
  std::vector<double> spare_;
};

}  // namespace task_kernels
