// SPDX-License-Identifier: Apache-2.0
// Values that a loop takes in and gives back: private copies, the last iteration's, reductions, and what one thread does for all.
#include <omp.h>

#include <algorithm>

#include "pattern.hpp"

namespace patterns {
namespace {

struct triple {
  long a = 0, b = 0, c = 0;
};

void last_private(outcome& of) {
  const long n = size.n;
  for (int round = 0; round < size.rounds; ++round) {
    long scalar = -1;
    int several = -1;
    std::uint64_t array[3] = {};
    triple object;
#pragma omp parallel
    {
#pragma omp for lastprivate(scalar, several, array, object)
      for (long i = 0; i < n; ++i) {
        const std::uint64_t value = of.noted(i);
        scalar = i;
        several = static_cast<int>(i) + round;
        array[0] = value;
        array[i % 2 + 1] = value + 1;
        array[2 - i % 2] = 0;
        object = {i, 2 * i, static_cast<long>(value % 1000)};
      }
    }
    for (const std::uint64_t each : array) of.add(each);
    for (const long each : {scalar, static_cast<long>(several), object.a, object.b, object.c})
      of.add(static_cast<std::uint64_t>(each));
  }
}

void first_and_last_private(outcome& of) {
  const long n = size.n;
  for (int round = 0; round < size.rounds; ++round) {
    std::uint64_t in = 5, both = static_cast<std::uint64_t>(round);
    std::uint64_t table[4] = {1, 2, 3, static_cast<std::uint64_t>(round)};
    numbers out(n);
#pragma omp parallel
    {
#pragma omp for firstprivate(in, table, both) lastprivate(both)
      for (long i = 0; i < n; ++i) {
        out[i] = in + table[i % 4] + of.noted(i);
        both = static_cast<std::uint64_t>(i);
      }
    }
    of.add_all(out);
    of.add(both);
  }
}

/// The last iteration that assigns it, whichever thread has that.
void last_private_conditional(outcome& of) {
  const long n = size.n;
  for (int round = 0; round < size.rounds; ++round) {
    long found = -1;
#pragma omp parallel for lastprivate(conditional : found)
    for (long i = 0; i < n; ++i) {
      if (cost(i) % 17 == static_cast<std::uint64_t>(round)) found = i;
    }
    of.add(static_cast<std::uint64_t>(found));
  }
}

void last_private_of_nests(outcome& of) {
  const int n = static_cast<int>(size.n / 20);
  for (int round = 0; round < size.rounds; ++round) {
    int i = 0, j = 0, k = 0, x = -1;
#pragma omp parallel for collapse(3) lastprivate(i, j, k, x)
    for (i = 0; i < n; i += 2) {
      for (j = 10; j > 0; --j) {
        for (k = 0; k < 4; ++k) x = i * 100 + j * 10 + k + static_cast<int>(cost(i * 20) % 7);
      }
    }
    for (const int each : {i, j, k, x}) of.add(static_cast<std::uint64_t>(each));
  }
}

/// Its value in an iteration follows from the iteration's number.
void linear(outcome& of) {
  const long n = size.n;
  numbers a(n);
  for (int round = 0; round < size.rounds; ++round) {
    long at = 7;
#pragma omp parallel for linear(at : 3)
    for (long i = 0; i < n; ++i) {
      a[i] = static_cast<std::uint64_t>(at) + cost(i);
      at += 3;
    }
    of.add(static_cast<std::uint64_t>(at));
  }
  of.add_all(a);
}

void whole_sums(outcome& of) {
  const long n = size.n;
  for (int round = 0; round < size.rounds; ++round) {
    std::uint64_t sum = 0, all = 1, both = ~0UL, any = 0, odd = 0;
    long least = 1L << 40, most = -1;
    bool each = true, one = false;
#pragma omp parallel for reduction(+ : sum) reduction(* : all) reduction(& : both) reduction(| : any) reduction(^ : odd) \
    reduction(min : least) reduction(max : most) reduction(&& : each) reduction(|| : one)
    for (long i = 0; i < n; ++i) {
      const std::uint64_t value = cost(i);
      sum += value;
      all *= value | 1;
      both &= value;
      any |= value;
      odd ^= value;
      least = std::min(least, static_cast<long>(value % 100000));
      most = std::max(most, static_cast<long>(value % 100000));
      each = each && value != 1;
      one = one || value == 3;
    }
    for (const std::uint64_t one_of : {sum, all, both, any, odd, std::uint64_t{each}, std::uint64_t{one}})
      of.add(one_of);
    of.add(static_cast<std::uint64_t>(least));
    of.add(static_cast<std::uint64_t>(most));
  }
}

void sum_of_loop(outcome& of) {
  for (int round = 0; round < size.rounds; ++round) {
    double sum = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : sum)
      for (long i = 0; i < size.n; ++i) {
        of.note(i);
        sum += part(i);
      }
    }
    of.sum += sum;
  }
}

void sum_without_barrier(outcome& of) {
  for (int round = 0; round < size.rounds; ++round) {
    double sum = 0, other = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : sum) nowait
      for (long i = 0; i < size.n; ++i) {
        of.note(i);
        sum += part(i);
      }
#pragma omp for reduction(+ : other) schedule(static, 7) nowait
      for (long i = 0; i < size.n; ++i) other += part(i);
    }
    of.sum += sum + other;
  }
}

/// What all loops of a region add up, also behind barriers, is put together at its end.
void sum_of_region(outcome& of) {
  for (int round = 0; round < size.rounds; ++round) {
    double sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for
      for (long i = 0; i < size.n; ++i) {
        of.note(i);
        sum += part(i);
      }
#pragma omp single
      of.add(1);
#pragma omp for nowait
      for (long i = 0; i < size.n / 2; ++i) sum += part(2 * i);
    }
    of.sum += sum;
  }
}

/// One that is exact whatever the order, of floating-point numbers.
void extremes(outcome& of) {
  for (int round = 0; round < size.rounds; ++round) {
    double most = 0;
#pragma omp parallel for reduction(max : most)
    for (long i = 0; i < size.n; ++i) most = std::max(most, part(i));
    of.sum += most;
  }
}

struct span {
  long low = 1L << 40, high = -1;
  std::uint64_t hash = 0;
  void join(const span& with) {
    low = std::min(low, with.low);
    high = std::max(high, with.high);
    hash += with.hash;
  }
};
#pragma omp declare reduction(join:span : omp_out.join(omp_in)) initializer(omp_priv = span())

void own_reduction(outcome& of) {
  for (int round = 0; round < size.rounds; ++round) {
    span all;
    std::uint64_t histogram[8] = {};
#pragma omp parallel for reduction(join : all) reduction(+ : histogram[:8])
    for (long i = 0; i < size.n; ++i) {
      const auto value = static_cast<long>(cost(i) % 5000);
      all.join({value, value, cost(i)});
      ++histogram[value % 8];
    }
    of.add(all.hash);
    of.add(static_cast<std::uint64_t>(all.low * 10000 + all.high));
    for (const std::uint64_t each : histogram) of.add(each);
  }
}

void scan(outcome& of) {
  const long n = size.n;
  numbers sums(n);
  for (int round = 0; round < size.rounds; ++round) {
    std::uint64_t sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (long i = 0; i < n; ++i) {
      sum += cost(i);
#pragma omp scan inclusive(sum)
      sums[i] += sum;
    }
    of.add(sum);
  }
  of.add_all(sums);
}

/// Sums of whole numbers that the program puts together itself.
void own_sums(outcome& of) {
  for (int round = 0; round < size.rounds; ++round) {
    std::uint64_t critical = 0, atomic = 0, locked = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    {
      std::uint64_t sum = 0;
#pragma omp for nowait
      for (long i = 0; i < size.n; ++i) sum += of.noted(i);
#pragma omp critical
      critical += sum;
#pragma omp atomic
      atomic += sum;
      omp_set_lock(&lock);
      locked += sum;
      omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    for (const std::uint64_t each : {critical, atomic, locked}) of.add(each);
  }
}

/// Without a barrier only the first thread may count on it, which has the first iterations.
void of_the_first(outcome& of) {
  const long n = size.n;
  numbers a(n);
  for (int round = 0; round < size.rounds; ++round) {
    std::uint64_t written = 0;
#pragma omp parallel
    {
#pragma omp master
      written = static_cast<std::uint64_t>(round) + 1;
#pragma omp for
      for (long i = 0; i < n; ++i) a[i] += of.noted(i) + (i < n / 8 ? written : 0);
    }
  }
  of.add_all(a);
}

void one_for_all(outcome& of) {
  const long n = size.n;
  numbers a(n);
  for (int round = 0; round < size.rounds; ++round) {
    std::uint64_t shared = 0;
#pragma omp parallel
    {
      std::uint64_t step = 0;
#pragma omp single copyprivate(step)
      step = static_cast<std::uint64_t>(round) + 1;
#pragma omp for
      for (long i = 0; i < n; ++i) a[i] += step * of.noted(i);
#pragma omp master
      shared = a[static_cast<std::size_t>(n - 1)];
#pragma omp barrier
#pragma omp for
      for (long i = 0; i < n; ++i) a[i] ^= shared;
#pragma omp critical(named)
      shared += step;
#pragma omp barrier
#pragma omp single nowait
      of.add(step);
    }
    of.add(a[0]);
  }
  of.add_all(a);
}

}  // namespace

const std::vector<pattern> values = {
    {"last_private", last_private},
    {"first_and_last_private", first_and_last_private},
    {"last_private_conditional", last_private_conditional},
    {"last_private_of_nests", last_private_of_nests},
    {"linear", linear},
    {"whole_sums", whole_sums},
    {"sum_of_loop", sum_of_loop},
    {"sum_without_barrier", sum_without_barrier},
    {"sum_of_region", sum_of_region},
    {"extremes", extremes},
    {"own_reduction", own_reduction},
    {"scan", scan},
    {"own_sums", own_sums},
    {"of_the_first", of_the_first},
    {"one_for_all", one_for_all},
};

}  // namespace patterns
