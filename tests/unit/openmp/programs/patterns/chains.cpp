// SPDX-License-Identifier: Apache-2.0
// Loops of one region that rely on one partition, for OpenMP promises it: a thread reads without waiting what it has written in
// the loop before.
#include "pattern.hpp"

namespace patterns {
namespace {

void end(outcome& of, const numbers& result, std::uint64_t wrong) {
  of.add_all(result);
  of.add(wrong);
}

void simple(outcome& of) {
  const long n = size.n;
  numbers a(n), b(n), c(n);
  std::uint64_t wrong = 0;
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for nowait
      for (long i = 0; i < n; ++i) a[i] = of.noted(i) + static_cast<std::uint64_t>(round);
#pragma omp for nowait
      for (long i = 0; i < n; ++i) b[i] = a[i] * 3;
#pragma omp for nowait
      for (long i = 0; i < n; ++i) {
        c[i] += a[i] + b[i];
        if (of.foreign(i) != 0) {
#pragma omp atomic
          ++wrong;
        }
      }
    }
  }
  end(of, c, wrong);
}

/// Two chains in turns, of different lengths.
void two_lengths(outcome& of) {
  const long n = size.n, m = n / 3;
  numbers a(n), b(n), s(m), t(m);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for nowait
      for (long i = 0; i < n; ++i) a[i] = of.noted(i) + static_cast<std::uint64_t>(round);
#pragma omp for nowait
      for (long i = 0; i < m; ++i) s[i] = cost(3 * (m - i)) + static_cast<std::uint64_t>(round);
#pragma omp for nowait
      for (long i = 0; i < n; ++i) b[i] += a[i];
#pragma omp for nowait
      for (long i = 0; i < m; ++i) t[i] += s[i];
    }
  }
  of.add_all(t);
  end(of, b, 0);
}

/// The same number of iterations counted in every way.
void every_counter(outcome& of) {
  const long n = size.n;
  const int rows = static_cast<int>(n / 20);
  numbers a(n);
  std::uint64_t wrong = 0;
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
      std::uint64_t foreign = 0;
#pragma omp for nowait
      for (int i = 0; i < static_cast<int>(n); ++i) a[i] += of.noted(i);
#pragma omp for nowait
      for (unsigned i = static_cast<unsigned>(n); i > 0; --i) foreign += of.foreign(n - static_cast<long>(i));
#pragma omp for nowait
      for (long long i = -5; i < -5 + 3LL * n; i += 3) foreign += of.foreign((i + 5) / 3);
#pragma omp for nowait
      for (unsigned long i = ~0UL - static_cast<unsigned long>(n); i < ~0UL; ++i)
        foreign += of.foreign(static_cast<long>(i + static_cast<unsigned long>(n) + 1));
#pragma omp for collapse(2) nowait
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < 20; ++j) foreign += of.foreign(i * 20 + j);
      }
#pragma omp for simd nowait
      for (long i = 0; i < n; ++i) a[i] ^= 1;
#pragma omp for nowait
      for (auto at = a.begin(); at < a.end(); ++at) foreign += of.foreign(at - a.begin());
#pragma omp atomic
      wrong += foreign;
    }
  }
  end(of, a, wrong);
}

/// A region with the time loop inside, run a few times: its partition holds across barriers, single and critical.
void time_inside(outcome& of) {
  const long n = size.n;
  numbers now(n), next(n);
  std::uint64_t wrong = 0;
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
      std::uint64_t foreign = 0;
#pragma omp for
      for (long i = 0; i < n; ++i) of.note(i);
      for (int step = 0; step < 4; ++step) {
#pragma omp for
        for (long i = 1; i < n - 1; ++i) next[i] = now[i - 1] + cost(i) + now[i + 1];
#pragma omp for nowait
        for (long i = 0; i < n; ++i) now[i] = next[i];
#pragma omp for nowait
        for (long i = 0; i < n; ++i) foreign += of.foreign(i) + (now[i] == next[i] ? 0 : 1);
#pragma omp barrier
#pragma omp single
        next[0] += static_cast<std::uint64_t>(step);
      }
#pragma omp critical
      wrong += foreign;
    }
  }
  end(of, now, wrong);
}

/// The number of iterations changes from region to region, down and up again, as grids of a multi-grid solver do.
void levels(outcome& of) {
  numbers a(size.n), b(size.n);
  std::uint64_t wrong = 0;
  for (int round = 0; round < size.rounds; ++round) {
    for (int level = 0; level < 9; ++level) {
      const long n = size.n >> (level < 5 ? level : 8 - level);
#pragma omp parallel
      {
#pragma omp for nowait
        for (long i = 0; i < n; ++i) a[i] = cost(i) + static_cast<std::uint64_t>(level + 10 * round);
#pragma omp for nowait
        for (long i = 0; i < n; ++i) {
          if (a[i] != cost(i) + static_cast<std::uint64_t>(level + 10 * round)) {
#pragma omp atomic
            ++wrong;
          }
          b[i] += a[i];
        }
      }
    }
  }
  of.add_all(b);
  of.add(wrong);
}

/// One iteration less in each region, as in an elimination. More numbers than records are kept of.
void shrinking(outcome& of) {
  const long n = size.n / 4;
  numbers a(n, 1), row(n);
  for (int round = 0; round < size.rounds; ++round) {
    for (long k = 0; k < n; ++k) {
#pragma omp parallel
      {
#pragma omp for nowait
        for (long i = k; i < n; ++i) row[i] = a[i] * 7 + cost(i - k) % 5;
#pragma omp for nowait
        for (long i = k; i < n; ++i) a[i] += row[i] ^ static_cast<std::uint64_t>(k);
      }
    }
  }
  of.add_all(a);
}

/// A chain that only some instances have.
void sometimes(outcome& of) {
  const long n = size.n;
  numbers a(n), b(n);
  for (int round = 0; round < 2 * size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for nowait
      for (long i = 0; i < n; ++i) a[i] = of.noted(i) + static_cast<std::uint64_t>(round);
      if (round % 3 == 2) {
#pragma omp for nowait
        for (long i = 0; i < n; ++i) b[i] += a[i];
      }
    }
  }
  end(of, b, 0);
}

/// A chain whose last loop adds floating-point numbers: all of it keeps its blocks.
void ends_in_sum(outcome& of) {
  const long n = size.n;
  std::vector<double> a(n);
  for (int round = 0; round < size.rounds; ++round) {
    double sum = 0;
#pragma omp parallel
    {
#pragma omp for nowait
      for (long i = 0; i < n; ++i) {
        of.note(i);
        a[i] = part(i);
      }
#pragma omp for reduction(+ : sum)
      for (long i = 0; i < n; ++i) sum += a[i];
    }
    of.sum += sum;
  }
}

/// The same, in regions of another length each time: none of them was seen before.
void sums_of_all_lengths(outcome& of) {
  std::vector<double> a(size.n);
  for (int round = 0; round < size.rounds; ++round) {
    for (long n = size.n; n > size.n / 2; n -= 11) {
      double sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (long i = 0; i < n; ++i) sum += part(i);
      of.sum += sum;
    }
  }
}

/// A sum that only some instances have.
void sums_sometimes(outcome& of) {
  const long n = size.n;
  std::vector<double> a(n, 1);
  double sum = 0;
  for (int round = 0; round < 6 * size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for
      for (long i = 0; i < n; ++i) a[i] += part(i);
      if (round < 2) {
#pragma omp for reduction(+ : sum)
        for (long i = 0; i < n / 2; ++i) sum += a[i];
      }
    }
  }
  for (const double each : a) sum += each;
  of.sum = sum;
}

/// What was first touched by a thread it uses later, in other regions.
void first_touch(outcome& of) {
  const long n = size.n;
  numbers a(n);
#pragma omp parallel for
  for (long i = 0; i < n; ++i) a[i] = static_cast<std::uint64_t>(i);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for
      for (long i = 0; i < n; ++i) a[i] += of.noted(i);
    }
  }
  end(of, a, 0);
}

}  // namespace

const std::vector<pattern> chains = {
    {"chain", simple},
    {"chain_two_lengths", two_lengths},
    {"chain_every_counter", every_counter},
    {"chain_time_inside", time_inside},
    {"chain_levels", levels},
    {"chain_shrinking", shrinking},
    {"chain_sometimes", sometimes},
    {"chain_ends_in_sum", ends_in_sum},
    {"sums_of_all_lengths", sums_of_all_lengths},
    {"sums_sometimes", sums_sometimes},
    {"first_touch", first_touch},
};

}  // namespace patterns
