// SPDX-License-Identifier: Apache-2.0
// Teams inside teams, of other sizes from region to region, of several threads at once; orphaned loops; tasks; what ends a loop
// early; and regions that ask which of their threads is which.
#include <omp.h>

#include <algorithm>
#include <thread>

#include "pattern.hpp"

namespace patterns {
namespace {

/// An orphaned loop: its region is the caller's.
void add_costs(numbers& to, long n, outcome* notes) {
#pragma omp for nowait
  for (long i = 0; i < n; ++i) to[static_cast<std::size_t>(i)] += notes != nullptr ? notes->noted(i) : cost(i);
}

void add_threes(numbers& to, long n, outcome*) {
#pragma omp for
  for (long i = n - 1; i >= 0; --i) to[static_cast<std::size_t>(i)] += 3;
}

using loop = void (*)(numbers&, long, outcome*);
const loop volatile loops[] = {add_costs, add_threes};  // by a pointer that the compiler cannot see through

void orphaned(outcome& of) {
  const long n = size.n;
  numbers a(n), b(n / 2);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
      add_costs(a, n, &of);
#pragma omp barrier
      loops[1](a, n / 2, nullptr);
    }
#pragma omp parallel
    {
      loops[round % 2](b, n / 2, nullptr);
#pragma omp barrier
      add_costs(a, n / 3, nullptr);
    }
    add_costs(b, n / 2, nullptr);  // in no region
  }
  of.add_all(a);
  of.add_all(b);
}

/// Of three teams inside one another each has static loops.
void nested(outcome& of) {
  const long n = size.n / 10;
  numbers a(n * n);
  std::uint64_t wrong = 0;
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for nowait
      for (long i = 0; i < n; i += 5) {
#pragma omp parallel num_threads(2 + static_cast <int>(i / 5) % 2)
        {
#pragma omp for nowait
          for (long j = 0; j < n; ++j) a[i * n + j] = cost(j) + static_cast<std::uint64_t>(round);
#pragma omp for
          for (long j = 0; j < n; ++j) {
            if (a[i * n + j] != cost(j) + static_cast<std::uint64_t>(round)) {
#pragma omp atomic
              ++wrong;
            }
          }
#pragma omp for
          for (long j = 1; j < 4; ++j) {
#pragma omp parallel for num_threads(2)
            for (long k = 0; k < n; ++k) a[(i + j) * n + k] += cost(k);
          }
        }
      }
    }
  }
  of.add_all(a);
  of.add(wrong);
}

void add_in_team(numbers& to, long n) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (long i = 0; i < n; ++i) to[static_cast<std::size_t>(i)] += cost(i);
#pragma omp for
    for (long i = 0; i < n; ++i) to[static_cast<std::size_t>(i)] ^= 9;
  }
}

void other_sizes(outcome& of) {
  const long n = size.n;
  const int most = omp_get_max_threads();
  numbers a(n);
  for (int round = 0; round < 2 * size.rounds; ++round) {
#pragma omp parallel num_threads(1 + round % 4) if (round % 5 != 4)
    {
#pragma omp for nowait
      for (long i = 0; i < n; ++i) a[i] += cost(i);
#pragma omp for nowait
      for (long i = 0; i < n; ++i) a[i] ^= static_cast<std::uint64_t>(round);
    }
    omp_set_num_threads(1 + (round * 3) % 5);
    add_in_team(a, n);
  }
  omp_set_num_threads(most);
  of.add_all(a);
}

/// Teams inside a team that may not have any: they are of one thread.
void serial_inside(outcome& of) {
  const long n = size.n / 10;
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(1);
  numbers a(n * n);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel for
    for (long i = 0; i < n; ++i) {
#pragma omp parallel for
      for (long j = 0; j < n; ++j) a[i * n + j] += cost(j);
    }
  }
  omp_set_max_active_levels(levels);
  of.add_all(a);
}

void side_by_side(outcome& of) {
  std::vector<numbers> of_host(3, numbers(size.n));
  std::vector<std::thread> hosts;
  for (numbers& mine : of_host) {
    hosts.emplace_back([&mine] {
      omp_set_num_threads(2);
      for (int round = 0; round < size.rounds; ++round) add_in_team(mine, size.n - (round % 2) * 100);
    });
  }
  for (auto& host : hosts) host.join();
  for (const numbers& each : of_host) of.add_all(each);
}

void tasks(outcome& of) {
  const long n = size.n / 4;
  numbers a(n);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for
      for (long i = 0; i < n; ++i) {
#pragma omp task firstprivate(i) shared(a)
        a[i] += cost(2 * i);
        if (i % 16 == 0) {
#pragma omp taskwait
        }
      }
#pragma omp single
      {
#pragma omp taskloop grainsize(10)
        for (long i = 0; i < n; ++i) a[i] ^= 3;
#pragma omp task
        {
#pragma omp parallel for num_threads(2)
          for (long i = 0; i < n; ++i) a[i] += cost(i);
        }
      }
#pragma omp for
      for (long i = 0; i < n; ++i) a[i] += 1;
    }
  }
  of.add_all(a);
}

void sections(outcome& of) {
  const long n = size.n;
  numbers a(n), b(n);
  for (int round = 0; round < size.rounds; ++round) {
    int last = 0;
    std::uint64_t parts = 0;
#pragma omp parallel
    {
#pragma omp sections nowait
      {
#pragma omp section
        add_in_team(a, n / 2);
#pragma omp section
        add_in_team(b, n / 3);
      }
#pragma omp barrier
#pragma omp for
      for (long i = 0; i < n; ++i) a[i] += of.noted(i);
#pragma omp sections lastprivate(last) reduction(+ : parts)
      {
#pragma omp section
        parts += 1;
#pragma omp section
        parts += 10;
#pragma omp section
        last = 3;
      }
    }
    of.add(static_cast<std::uint64_t>(last) + parts);
  }
  of.add_all(a);
  of.add_all(b);
}

void league(outcome& of) {
  const long n = size.n;
  numbers a(n);
  for (int round = 0; round < size.rounds; ++round) {
    long last = -1;
#pragma omp teams distribute parallel for num_teams(1) thread_limit(2) lastprivate(last)
    for (long i = 0; i < n; ++i) {
      a[i] += cost(i);
      last = i;
    }
    of.add(static_cast<std::uint64_t>(last));
  }
  of.add_all(a);
}

void thrown(outcome& of) {
  const long n = size.n;
  numbers a(n);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for nowait
      for (long i = 0; i < n; ++i) {
        try {
          of.note(i);
          if (i % 50 == 0) throw i;
          a[i] += cost(i);
        } catch (const long at) {
          a[at] += 100 + static_cast<std::uint64_t>(i);
        }
      }
#pragma omp for
      for (long i = 0; i < n; ++i) a[i] *= 3;
    }
  }
  of.add_all(a);
}

/// A search that ends when something is found, and further loops of the region.
void cancelled(outcome& of) {
  const long n = size.n;
  numbers a(n);
  for (int round = 0; round < 2 * size.rounds; ++round) {
    long found = -1;
#pragma omp parallel
    {
#pragma omp for
      for (long i = 0; i < n; ++i) {
        if (i == n / 2 + 10 * round) {
#pragma omp atomic write
          found = i;
#pragma omp cancel for if (round % 3 != 0)
        }
#pragma omp cancellation point for
        static_cast<void>(cost(i));
      }
#pragma omp for nowait
      for (long i = 0; i < n; ++i) a[i] += cost(i);
#pragma omp for
      for (long i = 0; i < n; ++i) a[i] *= 5;
    }
    of.add(static_cast<std::uint64_t>(found));
#pragma omp parallel
    {
#pragma omp for nowait
      for (long i = 0; i < n; ++i) a[i] += cost(i);
#pragma omp cancel parallel if (round % 4 == 3)
    }
  }
  of.add_all(a);
}

void ordered(outcome& of) {
  const long n = size.n / 2;
  numbers a(n + 1);
  std::uint64_t chained = 1;
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for ordered schedule(static)
      for (long i = 0; i < n; ++i) {
        const std::uint64_t value = cost(i);
#pragma omp ordered
        chained = chained * 31 + value;
      }
#pragma omp for ordered(1)
      for (long i = 1; i <= n; ++i) {
        const std::uint64_t value = cost(i);
#pragma omp ordered depend(sink : i - 1)
        a[i] = a[i - 1] * 3 + value;
#pragma omp ordered depend(source)
      }
#pragma omp for simd
      for (long i = 0; i <= n; ++i) a[i] ^= 21;
    }
  }
  of.add_all(a);
  of.add(chained);
}

/// Each thread keeps what its iterations found in a place of its own, by its number, and finds it there in the next loop.
void by_number(outcome& of) {
  const long n = size.n;
  std::vector<numbers> place(static_cast<std::size_t>(omp_get_max_threads()), numbers(n));
  numbers a(n);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
      numbers& own = place[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for
      for (long i = 0; i < n; ++i) own[i] += of.noted(i);
    }
#pragma omp parallel
    {
      const numbers& own = place[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for
      for (long i = 0; i < n; ++i) a[i] += own[i];
    }
  }
  of.add_all(a);
}

/// The bounds that OpenMP would give, computed by hand in the same region.
void by_hand(outcome& of) {
  const long n = size.n;
  numbers a(n), b(n);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for nowait
      for (long i = 0; i < n; ++i) a[i] = of.noted(i) + static_cast<std::uint64_t>(round);
      const long members = omp_get_team_size(omp_get_level());
      const long number = omp_get_ancestor_thread_num(omp_get_level());
      const long begin = number * (n / members) + std::min(number, n % members);
      const long end = begin + n / members + (number < n % members ? 1 : 0);
      for (long i = begin; i < end; ++i) b[i] += a[i];
    }
  }
  of.add_all(b);
}

/// A team inside asks for the number of the thread that forked it.
void by_ancestor(outcome& of) {
  const long n = size.n;
  std::vector<numbers> place(static_cast<std::size_t>(omp_get_max_threads()), numbers(n));
  numbers a(n);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for
      for (long i = 0; i < n; ++i) {
        of.note(i);
#pragma omp parallel num_threads(1 + static_cast <int>(i % 2))
#pragma omp master
        place[static_cast<std::size_t>(omp_get_ancestor_thread_num(1))][i] += cost(i);
      }
    }
#pragma omp parallel
    {
      const numbers& own = place[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for
      for (long i = 0; i < n; ++i) a[i] += own[i];
    }
  }
  of.add_all(a);
}

}  // namespace

const std::vector<pattern> teams = {
    {"orphaned", orphaned},
    {"nested", nested},
    {"other_sizes", other_sizes},
    {"serial_inside", serial_inside},
    {"side_by_side", side_by_side},
    {"tasks", tasks},
    {"sections", sections},
    {"league", league},
    {"thrown", thrown},
    {"cancelled", cancelled},
    {"ordered", ordered},
    {"by_number", by_number},
    {"by_hand", by_hand},
    {"by_ancestor", by_ancestor},
};

}  // namespace patterns
