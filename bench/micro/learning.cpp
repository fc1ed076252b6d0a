// SPDX-License-Identifier: Apache-2.0
// How exactly the costs of a loop are learnt, on the kernels of the paper (Cammarota, Nicolau & Veidenbaum, "Just in time load
// balancing", table 3): learning [SIZE] [MEMBERS]: prints a line for each kernel: its name; the error in percent of learning as
// published, equation 4: two instances on one thread, the second with the clock read behind each iteration; the same of learning by
// blocks: what an instance on one thread takes beside the sum of what the members' blocks take in the next one; and in how many percent of the
// iterations the boundaries of both differ at most. SIZE: of matrices, 1024; the vectors of the adjoint convolution have 100 times as many.
// Links src/learn.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "learn/serial_costs.hpp"
#include "learn/shares.hpp"
#include "support/ticks.hpp"

namespace {

using steelyard::learn::serial_costs;
using steelyard::learn::shares;
using steelyard::support::ticks;

using matrix = std::vector<double>;

matrix filled(std::size_t n) {
  matrix all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = 1 + static_cast<double>(i % 7) / 8;
  return all;
}

/// A row of a product.
struct product {
  static constexpr const char* name = "matmul";
  explicit product(std::size_t n) : size(n), a(filled(n * n)), b(filled(n * n)), c(n * n) {}
  [[nodiscard]] std::uint64_t iterations() const { return size; }
  void operator()(std::uint64_t i) {
    for (std::size_t k = 0; k < size; ++k) {
      for (std::size_t j = 0; j < size; ++j) c[i * size + j] += a[i * size + k] * b[k * size + j];
    }
  }
  std::size_t size;
  matrix a, b, c;
};

/// A row of an elimination whose pivot is in the middle.
struct elimination {
  static constexpr const char* name = "gauss-jordan";
  explicit elimination(std::size_t n) : size(n), pivot(n / 2), a(filled(n * n)) {}
  [[nodiscard]] std::uint64_t iterations() const { return size; }
  void operator()(std::uint64_t i) {
    if (i == pivot) return;
    const double factor = a[i * size + pivot] / (static_cast<double>(size) * a[pivot * size + pivot]);
    for (std::size_t j = pivot; j < size; ++j) a[i * size + j] -= factor * a[pivot * size + j];
  }
  std::size_t size, pivot;
  matrix a;
};

/// An element of an adjoint convolution.
struct convolution {
  static constexpr const char* name = "adjoint";
  explicit convolution(std::size_t n) : size(100 * n), a(filled(size)), b(filled(size)), c(size) {}
  [[nodiscard]] std::uint64_t iterations() const { return size; }
  void operator()(std::uint64_t i) {
    double sum = 0;
    for (std::size_t k = i; k < size; ++k) sum += a[k] * b[k - i];
    c[i] += sum;
  }
  std::size_t size;
  matrix a, b, c;
};

template <class Kernel>
std::uint64_t time_of(Kernel& run, std::uint64_t first, std::uint64_t end) {
  const auto began = ticks();
  for (auto i = first; i < end; ++i) run(i);
  return ticks() - began;
}

/// By blocks.
constexpr int instances = 5;

template <class Kernel>
void learn(std::size_t size, std::uint32_t members) {
  Kernel run(size);
  const auto n = run.iterations();
  time_of(run, 0, n);  // caches and pages

  serial_costs serial;
  static_cast<void>(serial.begin(n));
  const auto total = time_of(run, 0, n);
  serial.took(total);
  static_cast<void>(serial.begin(n));
  for (auto [i, before] = std::pair(std::uint64_t{0}, ticks()); i < n; ++i) {
    run(i);
    const auto now = ticks();
    serial.took_next(now - before);
    before = now;
  }
  serial.took_all();
  const auto published = std::make_unique<shares>();
  published->teach(serial.spread());

  const auto ours = std::make_unique<shares>();
  std::vector<std::uint64_t> ends(members), took(members), theirs(members);
  for (std::uint32_t m = 0; m < members; ++m) ends[m] = n * (m + 1) / members;
  double error = 0;
  for (int instance = 0; instance < instances; ++instance) {
    // The paper's two instances follow one another: what caches hold then is the same for both.
    const auto whole = instance + 1 == instances ? time_of(run, 0, n) : total;
    std::uint64_t all = 0;
    for (std::uint32_t m = 0; m < members; ++m) all += took[m] = time_of(run, m == 0 ? 0 : ends[m - 1], ends[m]);
    error = 100 * std::abs(static_cast<double>(all) - static_cast<double>(whole)) / static_cast<double>(whole);
    ours->learn(n, members, ends.data(), took.data());
    ours->deal(n, members, ends.data());
  }
  published->deal(n, members, theirs.data());
  double apart = 0;
  for (std::uint32_t m = 0; m < members; ++m) {
    apart = std::max(apart, std::abs(static_cast<double>(ends[m]) - static_cast<double>(theirs[m])));
  }
  std::printf("%s %.3f %.3f %.3f\n", Kernel::name, serial.error(), error, 100 * apart / static_cast<double>(n));
}

}  // namespace

int main(int count, char** words) {
  const std::size_t size = count > 1 ? std::strtoul(words[1], nullptr, 10) : 1024;
  const auto members = static_cast<std::uint32_t>(count > 2 ? std::strtoul(words[2], nullptr, 10) : 4);
  if (size < 2 || size > 16'384 || members < 2 || members > shares::most_members || members > size) {
    std::fprintf(stderr, "learning: SIZE is a whole number from 2 to 16384, MEMBERS one from 2 to SIZE and 512\n");
    return 2;
  }
  learn<product>(size, members);
  learn<elimination>(size, members);
  learn<convolution>(size, members);
}
