// SPDX-License-Identifier: Apache-2.0
// By what loops can be scheduled, and why not by more. Each directive stands under a comment that says so: any, free (any, by
// --free-reductions), written, or shares or left with the reason.
#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <tuple>
#include <vector>

constexpr int n = 64;
double values[n];
int ints[n];
thread_local int own;
static int kept;
#pragma omp threadprivate(kept)
double outside(double x);
namespace named {
int at;
}
struct shape {
  virtual double area(int i) const { return i; }
  virtual ~shape() = default;
};
inline double twice(double x) { return 2 * std::sqrt(x); }
inline int who() { return omp_get_thread_num(); }

void combined(double (*pointer)(double), const shape& form, int chunk) {
  double sum = 0;
  int count = 0;
  int carried = 0;
  // any
#pragma omp parallel for
  for (int i = 0; i < n; ++i) values[i] = twice(std::fabs(values[i])) + std::abs(ints[i]);
    // any
#pragma omp parallel for reduction(+ : count) schedule(static)
  for (int i = 0; i < n; ++i) count += ints[i];
    // free
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += values[i];
    // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) values[i] = who();
    // shares its body uses syscall
#pragma omp parallel for
  for (int i = 0; i < n; ++i) values[i] = static_cast<double>(syscall(SYS_gettid));
    // shares its body uses own, a variable of the thread
#pragma omp parallel for
  for (int i = 0; i < n; ++i) own += i;
    // shares its body calls outside, whose body is not in this unit
#pragma omp parallel for
  for (int i = 0; i < n; ++i) values[i] = outside(i);
    // shares its body calls a function that is known by its address
#pragma omp parallel for
  for (int i = 0; i < n; ++i) values[i] = pointer(i);
    // shares its body calls area, which is virtual
#pragma omp parallel for
  for (int i = 0; i < n; ++i) values[i] = form.area(i);
    // left carried may carry a value from one iteration to the next
#pragma omp parallel for firstprivate(carried)
  for (int i = 0; i < n; ++i) values[i] = carried++;
    // left carried may carry a value from one iteration to the next
#pragma omp parallel for private(carried)
  for (int i = 0; i < n; ++i) {
    if (ints[i] != 0) carried = i;
    values[i] = carried;
  }
  // any
#pragma omp parallel for private(carried)
  for (int i = 0; i < n; ++i) {
    carried = i;
    values[i] = carried;
  }
  // written its schedule is the runtime's
#pragma omp parallel for schedule(dynamic, chunk)
  for (int i = 0; i < n; ++i) values[i] = i;
    // written its schedule is the runtime's
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < n; ++i) values[i] = i;
    // left schedule(static, chunk) promises who runs what
#pragma omp parallel for schedule(static, 2)
  for (int i = 0; i < n; ++i) values[i] = i;
    // left ordered
#pragma omp parallel for ordered
  for (int i = 0; i < n; ++i) {
#pragma omp ordered
    values[i] = i;
  }
  // left cancel in its body
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    if (ints[i] != 0) {
#pragma omp cancel for
    }
  }
  // left its loops are not rectangular
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < i; ++j) values[i * 8 + j] = j;
  }
  // any
#pragma omp parallel for simd simdlen(4)
  for (int i = 0; i < n; ++i) values[i] = i;
    // left simd of collapsed loops
#pragma omp parallel for simd collapse(2)
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) values[i * 8 + j] = j;
  }
  // left #pragma steelyard leave
#pragma steelyard leave
#pragma omp parallel for
  for (int i = 0; i < n; ++i) values[i] = i;
    // any
#pragma omp parallel for
  for (auto& each : values) each += 1;
    // left its initialisation is not in canonical form
#pragma omp parallel for
  for (named::at = 0; named::at < n; ++named::at) values[named::at] = 1;
    // left lastprivate of a variable with a qualified name
#pragma omp parallel for lastprivate(named::at)
  for (int i = 0; i < n; ++i) named::at = i;
  double* first = values;
  double* second = first + n / 2;
  for (int round = 0; round < 3; ++round) {
    // any
#pragma omp parallel for
    for (int i = 0; i < n / 2; ++i) {
      for (int j = 0; j < n / 2; ++j) second[i] = first[j];
    }
    double* const swapped = first;
    first = second;
    second = swapped;
  }
  // left taskloop is left alone
#pragma omp taskloop
  for (int i = 0; i < n; ++i) values[i] = i;
}

/// Nothing of a thread goes from loop to loop.
void regions() {
  int j;
#pragma omp parallel private(j)
  {
    double scale = 2;
    // any
#pragma omp for
    for (int i = 0; i < n; ++i) {
      values[i] = scale;
      for (j = 0; j < i; ++j) values[i] += j;
    }
    // any
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (j = i; j > 0; --j) values[i] -= j;
    }
  }
}

void regions_that_carry() {
  int j = 0;
#pragma omp parallel firstprivate(j)
  {
    // shares j of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) j += ints[i];
      // shares j of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = j;
      // any
#pragma omp for
    for (int i = 0; i < n; ++i) values[i] = i;
  }
#pragma omp parallel
  {
    std::vector<int> list;
    // shares list of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) {
      if (ints[i] != 0) list.push_back(i);
    }
#pragma omp critical
    for (const int each : list) values[each] += 1;
  }
#pragma omp parallel
  {
    // shares nowait in its region
#pragma omp for nowait
    for (int i = 0; i < n; ++i) values[i] = i;
      // shares nowait in its region
#pragma omp for
    for (int i = 0; i < n; ++i) values[i] += 1;
  }
#pragma omp parallel
  {
    // shares its body uses kept, a variable of the thread
#pragma omp for
    for (int i = 0; i < n; ++i) kept = i;
  }
}

void regions_that_sum() {
  double sum = 0;
  int count = 0;
  double most = 0;
#pragma omp parallel reduction(+ : sum, count)
  {
    // free
#pragma omp for
    for (int i = 0; i < n; ++i) {
      sum += values[i];
      ++count;
    }
    // free
#pragma omp for
    for (int i = 0; i < n; ++i) values[i] = i;
    sum += 1;
  }
#pragma omp parallel
  {
    // free
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += values[i];
  }
#pragma omp parallel reduction(+ : count)
  {
    // any
#pragma omp for
    for (int i = 0; i < n; ++i) count += ints[i];
  }
#pragma omp parallel reduction(+ : count)
  {
    // left what is summed up in count so far is used
#pragma omp for
    for (int i = 0; i < n; ++i) {
      count += 1;
      values[i] = count;
    }
  }
#pragma omp parallel reduction(max : most)
  {
    // shares most of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) {
      if (values[i] > most) most = values[i];
    }
  }
#pragma omp parallel reduction(+ : count)
  {
    // shares count of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) ++count;
    if (count > 3) values[0] = 1;
  }
}

double total;
void orphan_that_sums() {
  // shares orphaned: its region is not in this function
#pragma omp for reduction(+ : total)
  for (int i = 0; i < n; ++i) total += values[i];
}

void orphan() {
  // shares orphaned: its region is not in this function
#pragma omp for
  for (int i = 0; i < n; ++i) values[i] = i;
}

template <class T>
void never_called(T to) {
  // left no instantiation of its template that Clang understands in this unit
#pragma omp parallel for
  for (T i = 0; i < to; ++i) values[i] = i;
}

// What asks for the thread where the text does not show it.
void by_function(const std::function<void(int)>& f) {
  // shares its body calls a function object that may hold any function
#pragma omp parallel for
  for (int i = 0; i < n; ++i) f(i);
}
int by_default(int thread = omp_get_thread_num()) { return thread; }
struct with_default {
  int thread = omp_get_thread_num();
};
struct at_its_end {
  ~at_its_end() { ints[0] = omp_get_thread_num(); }
};
struct holds_one {
  at_its_end held;
};
struct compares {
  bool operator()(int one, int other) const { return one + omp_get_thread_num() < other; }
};

void hidden_questions() {
  const auto ask = [](int i) { ints[i] = omp_get_thread_num(); };
  // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) ints[i] = by_default();
    // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    with_default one;
    ints[i] = one.thread;
  }
  // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    with_default one{};
    ints[i] = one.thread;
  }
  // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) holds_one one;
    // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) holds_one();
    // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) std::for_each(&i, &i + 1, ask);
    // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    int some[3] = {i, i, i};
    std::sort(some, some + 3, compares());
  }
  // any
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    std::vector<int> some(3, i);
    std::sort(some.begin(), some.end());
    ints[i] = some[0];
  }
}

// A template's loop is what all of its instantiations allow.
template <class F>
void for_all(F f) {
  // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) f(i);
}
template <class T>
T sum_of(const T* from) {
  T sum = 0;
  // free
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += from[i];
  return sum;
}
void instantiations() {
  for_all([](int i) { ints[i] = i; });
  for_all([](int i) { ints[i] = omp_get_thread_num(); });
  values[0] = sum_of(ints) + sum_of(values);
}

// A closure writes what it holds.
void closures() {
#pragma omp parallel
  {
    std::vector<int> list;
    std::size_t next = 0;
    const auto add = [&](int i) { list.push_back(i); };
    const auto take = [&] { return list[next++]; };
    // shares list of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) add(i);
      // shares list of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = take();
  }
}

// The first thread sees what it wrote, and has the first iterations.
void of_the_first_thread() {
#pragma omp parallel
  {
#pragma omp master
    ints[0] = n;
    // shares its region uses master
#pragma omp for
    for (int i = 0; i < n; ++i) values[i] = ints[0];
  }
}

// What a private variable carries from one iteration to the next.
struct counting {
  int count = 0;
};
void init(int* some, int i) {
  if (i % 8 == 0) some[0] = i;
}
void carried_by_private_ones() {
  counting all;
  std::vector<int> list;
  int last = 0;
  int four[4];
  // shares all may carry a value from one iteration to the next
#pragma omp parallel for private(all)
  for (int i = 0; i < n; ++i) ints[i] = all.count++;
    // shares list may carry a value from one iteration to the next
#pragma omp parallel for private(list)
  for (int i = 0; i < n; ++i) {
    list.push_back(i);
    ints[i] = static_cast<int>(list.size());
  }
  // left last may carry a value from one iteration to the next
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < n; ++i) {
    if (ints[i] != 0) last = i;
    values[i] = last;
  }
  // any
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < n; ++i) {
    last = i;
    values[i] = last;
  }
  // left last may carry a value from one iteration to the next
#pragma omp parallel for firstprivate(last)
  for (int i = 0; i < n; ++i) {
    if (ints[i] == 0) goto over;
    last = i;
  over:
    values[i] = last;
  }
  // left last may carry a value from one iteration to the next
#pragma omp parallel for private(last)
  for (int i = 0; i < n; ++i) {
    do {
      if (ints[i] == 0) break;
      last = i;
    } while (ints[i] < 3);
    values[i] = last;
  }
  // left last may carry a value from one iteration to the next
#pragma omp parallel for private(last)
  for (int i = 0; i < n; ++i) {
    switch (ints[i]) {
      case 1:
        last = i;
        break;
      default:
        values[i] = last;
    }
  }
  // any
#pragma omp parallel for private(last)
  for (int i = 0; i < n; ++i) {
    switch (ints[i]) {
      case 1:
        last = i;
        values[i] = last;
        break;
      default:
        last = 2;
        values[i] = last;
    }
  }
  // shares four may carry a value from one iteration to the next
#pragma omp parallel for private(four)
  for (int i = 0; i < n; ++i) {
    four[i % 4] = i;
    ints[i] = four[0];
  }
  // shares four may carry a value from one iteration to the next
#pragma omp parallel for private(four)
  for (int i = 0; i < n; ++i) {
    init(four, i);
    ints[i] = four[0];
  }
  // shares four may carry a value from one iteration to the next
#pragma omp parallel for private(four)
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < ints[i]; ++k) four[k] = i;
    ints[i] = four[0];
  }
  // any
#pragma omp parallel for private(four)
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 4; ++k) four[k] = i;
    ints[i] = four[i % 4];
  }
  // shares four may carry a value from one iteration to the next
#pragma omp parallel for private(four)
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 4; ++k) {
      four[k] = i;
      if (ints[i] != 0) ++k;
    }
    ints[i] = four[i % 4];
  }
  // left last may carry a value from one iteration to the next
#pragma omp parallel for private(last)
  for (int i = 0; i < n; ++i) {
    for (const int each : four) last = each + i;
    const auto set = [&] { last = i; };
    if (ints[i] != 0) set();
    values[i] = last;
  }
  // any
#pragma omp parallel for private(four)
  for (int i = 0; i < n; ++i) {
    four[0] = i;
    four[2] = 2 * four[0];
    ints[i] = four[0] + four[2];
  }
  // shares four may carry a value from one iteration to the next
#pragma omp parallel for private(four)
  for (int i = 0; i < n; ++i) {
    int* some = four;
    if (ints[i] != 0) some[1] = i;
    ints[i] = some[1];
  }
  // any
#pragma omp parallel for private(all, four)
  for (int i = 0; i < n; ++i) {
    all = counting();
    std::memset(four, 0, sizeof(four));
    ints[i] = all.count++ + four[i % 4]++;
  }
}

// The sum so far depends on who has run what.
void shown_before_the_end() {
  int sum = 0;
  int most = 0;
  int four[4] = {};
  // left what is summed up in sum so far is used
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    sum += i;
    ints[i] = sum;
  }
  // left what is summed up in four so far is used
#pragma omp parallel for reduction(+ : four)
  for (int i = 0; i < n; ++i) ints[i] = four[0]++;
    // any
#pragma omp parallel for reduction(max : most) reduction(+ : sum, four)
  for (int i = 0; i < n; ++i) {
    if (ints[i] > most) most = ints[i];
    most = std::max(most, ints[i]);
    sum = sum + (ints[i] > 2 ? 1 : 0);
    ints[i] > 1 ? ++sum : --sum;
    four[ints[i] % 4] += 2;
  }
}

// Other names for what a thread has.
struct node {
  int items[n];
  mutable int asked = 0;
  int next() const { return ++asked; }
};
void other_names() {
#pragma omp parallel
  {
    int mine[n];
    int* also = mine;
    // shares mine of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) also[i] = i;
      // shares mine of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = mine[i];
  }
#pragma omp parallel
  {
    auto held = std::make_unique<node>();
    // shares held of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) held->items[i] = i;
      // shares held of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = held->items[i];
  }
#pragma omp parallel
  {
    std::vector<int> list(n);
    auto at = list.begin();
    // shares list of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) at[i] = i;
      // shares list of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = list[static_cast<std::size_t>(i)];
  }
#pragma omp parallel
  {
    node own_node;
    // shares own_node of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = own_node.next();
  }
#pragma omp parallel
  {
    const std::vector<int> list(n);
    double scratch[2];
    // any
#pragma omp for
    for (int i = 0; i < n; ++i) {
      scratch[0] = list[static_cast<std::size_t>(i)];
      scratch[1] = scratch[0] + 1;
      values[i] = scratch[0] + scratch[1];
    }
    // any
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 2; ++k) scratch[k] = k;
      values[i] = scratch[i % 2];
    }
  }
}

// A number that each thread has for itself leads to memory that is its own.
void own_numbers(int (&of_all)[n][n], int& count, std::atomic<int>& drawn) {
#pragma omp parallel
  {
    int me;
#pragma omp atomic capture
    me = count++;
    const int other = me + 1;
    // shares me may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) of_all[me][i] = i;
      // shares other may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = of_all[other][i];
  }
#pragma omp parallel
  {
    int me;
#pragma omp critical
    me = count++;
    const int taken = drawn++;
    const int same = count;
    const int* row = of_all[0];
    if (me > 2) row = of_all[1];
      // shares taken may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) of_all[taken][i] = i;
      // shares row may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = row[i];
      // any
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = same;
  }
}

// The team is asked in the region.
void bounds_that_ask(int& at) {
  int count = 0;
  // any
#pragma omp parallel for reduction(+ : count)
  for (int i = 0; i < omp_get_num_threads(); ++i) ++count;
  at = count;
}

// What is behind a call.
void fill(int* some) {
  // shares orphaned: its region is not in this function
#pragma omp for nowait
  for (int i = 0; i < n; ++i) some[i] = i;
}
int ticket() {
  static int next = 0;
  int mine = 0;
#pragma omp critical
  mine = next++;
  return mine;
}
struct numbered {
  explicit numbered(std::atomic<int>& next) : number(next++) {}
  int number;
};
struct base {
  virtual ~base() = default;
};
void behind_calls(int* some, std::atomic<int>& next, base** all, void (*any)(int&),
                  int (*less)(const void*, const void*)) {
#pragma omp parallel
  {
    fill(some);
    // shares nowait in its region
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = some[i];
  }
#pragma omp parallel
  {
    const int mine = ticket();
    const numbered also(next);
    // shares mine may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = mine;
      // shares also may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = also.number;
  }
  // shares its body calls the destructor of base, which is virtual
#pragma omp parallel for
  for (int i = 0; i < n; ++i) delete all[i];
    // shares its body calls a function that is known by its address
#pragma omp parallel for
  for (int i = 0; i < n; ++i) std::for_each(ints + i, ints + i + 1, any);
    // shares its body calls a function that is known by its address
#pragma omp parallel for
  for (int i = 0; i < n; ++i) std::qsort(ints + i, 1, sizeof(int), less);
    // any
#pragma omp parallel for
  for (int i = 0; i < n; ++i) ints[i] = static_cast<int>(sizeof(less(ints, ints)));
}

// The sum so far leads the way.
struct adds {
  int value = 0;
  int writes = 0;
  adds& operator=(int given) {
    value = given;
    ++writes;
    return *this;
  }
};
void put(int* to, int value) { *to = value; }
void led_by_sums() {
  int sum = 0;
  int least = 0;
  adds all;
  int last = 0;
  int four[4] = {};
  // left what is summed up in sum so far is used
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    if (sum < 3) {
      ++sum;
      ints[i] = 1;
    }
  }
  // left what is summed up in sum so far is used
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    sum += i;
    put(&ints[i], sum);
  }
  // left what is summed up in sum so far is used
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += (ints[i] = sum + 1) - sum;
    // left what is summed up in sum so far is used
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum > 3 ? (ints[i] = 1) : ++sum;
    // left what is summed up in least so far is used
#pragma omp parallel for reduction(min : least)
  for (int i = 0; i < n; ++i) {
    if (ints[i] < least) {
      least = ints[i];
      ints[i] = 1;
    }
  }
  // left what is summed up in least so far is used
#pragma omp parallel for reduction(min : least) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    if (ints[i] < least) {
      least = ints[i];
      ++sum;
    }
    while (sum & 1) ++sum;
    least > i ? (least = i) : ++sum;
  }
  // shares all may carry a value from one iteration to the next
#pragma omp parallel for firstprivate(all)
  for (int i = 0; i < n; ++i) {
    all = i;
    ints[i] = all.writes;
  }
  // left last may carry a value from one iteration to the next
#pragma omp parallel for firstprivate(last)
  for (int i = 0; i < n; ++i) {
    if (const int before = last) ints[i] = before;
    last = i + 1;
  }
  // left last may carry a value from one iteration to the next
#pragma omp parallel for firstprivate(last)
  for (int i = 0; i < n; ++i) {
    ints[i] = last;
    asm volatile("" : "=r"(last) : "r"(i));
  }
  // shares four may carry a value from one iteration to the next
#pragma omp parallel for firstprivate(four)
  for (int i = 0; i < n; ++i) {
    four[0] = i;
    int* some = &four[0];
    ints[i] = some[1];
    some[1] = i;
  }
  // left last may carry a value from one iteration to the next
#pragma omp parallel for firstprivate(last)
  for (int i = 0; i < n; ++i) {
    (i % 2) ?: (last = i);
    ints[i] = last;
  }
  // left last may carry a value from one iteration to the next
#pragma omp parallel for firstprivate(last)
  for (int i = 0; i < n; ++i) {
    int k = 0;
    switch (i % 2) {
      case 0:
        last = i;
        while (k++ < 1) {
          case 1:;
        }
        ints[i] = last;
    }
    last = i;
  }
  // left last may carry a value from one iteration to the next
#pragma omp parallel for firstprivate(last)
  for (int i = 0; i < n; ++i) {
    ints[i] = static_cast<int>(sizeof(last = i)) + last;
    last = i;
  }
}

// What each iteration writes before it reads it.
void written_first() {
  double one = 0;
  double two = 0;
  int last = 0;
  // any
#pragma omp parallel for private(one, two)
  for (int i = 0; i < n; ++i) {
    ::sincos(i, &one, &two);
    values[i] = one + two;
  }
  // any
#pragma omp parallel for private(last)
  for (int i = 0; i < n; ++i) {
    if (ints[i] > 2) {
      last = i;
    } else {
      continue;
    }
    values[i] = last;
  }
  // any
#pragma omp parallel for private(last)
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) last = i * k;
    values[i] = last;
  }
  // left last may carry a value from one iteration to the next
#pragma omp parallel for private(last)
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (ints[i] > k) break;
      last = i * k;
    }
    values[i] = last;
  }
  // left last may carry a value from one iteration to the next
#pragma omp parallel for private(last)
  for (int i = 0; i < n; ++i) {
    if (ints[i] > 2) {
      continue;
    } else if (ints[i] > 1) {
      last = i;
    }
    values[i] = last;
  }
}

// What asks for the thread where nobody sees it at once, or leaves a trace of the order.
void add(int& sum, int value, int& so_far) {
  sum += value;
  so_far = sum;
}

void hidden() {
  int sum = 0;
  int at;
  const auto asks = [](int i) { ints[i] = omp_get_thread_num(); };
  const auto compares = [](const void*, const void*) { return omp_get_thread_num(); };
  // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) std::for_each(&i, &i + 1, asks);
    // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) std::qsort(ints, 2, sizeof(int), compares);
    // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) ints[i] = static_cast<int>(sizeof(char[omp_get_thread_num() + 1]));
    // left what is summed up in sum so far is used
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) add(sum, i, ints[i]);
    // free
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += values[i];
    // left simd with a variable that has its last value behind the loop
#pragma omp parallel for simd
  for (at = 0; at < n; ++at) ints[at] = at;
    // left one of its headers asks for its line
#pragma omp parallel for
  for (int i = 0; i < __builtin_LINE(); ++i) ints[i] = i;
}

void by_ticket(omp_lock_t* lock) {
#pragma omp parallel
  {
    omp_set_lock(lock);
    int me = ints[0]++;
    omp_unset_lock(lock);
    // shares me may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) values[i] = me;
      // shares me may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) values[i] += me;
  }
}

// What the last iteration leaves.
void last_values(int (*rows)[4], int* begin) {
  int both = 1;
  std::reverse_iterator<int*> at;
  // left a variable that is firstprivate and lastprivate
#pragma omp parallel for firstprivate(both) lastprivate(both)
  for (int i = 0; i < n; ++i) both = i;
    // left lastprivate of an iterator
#pragma omp parallel for lastprivate(at)
  for (at = std::reverse_iterator<int*>(begin + n); at < std::reverse_iterator<int*>(begin); ++at) *at = both;
    // left the type of its variable is written around the name
#pragma omp parallel for
  for (int(*row)[4] = rows; row < rows + n; ++row) (*row)[0] = 1;
}

// What follows from what a thread's part of a loop has left is another thing in each thread.
struct largest {
  int value = 0;
  void take(int one) { value = one > value ? one : value; }
};

void what_loops_leave() {
#pragma omp parallel
  {
    int last = 0;
    int steps = 0;
    largest found;
    // shares last of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) last = i;
      // shares found of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) found.take(ints[i]);
    const int limit = last;
    const int half = limit / 2;
    int most = 1;
    if (found.value > 3) most = 2;
    while (steps < last) ++steps;
      // shares limit may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = limit;
      // shares half may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = half;
      // shares most may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = most;
      // shares steps may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = steps;
      // any
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = 1;
  }
}

// Objects of clauses are made by each thread.
struct asking_when_made {
  int me;
  asking_when_made() : me(omp_get_thread_num()) {}
  asking_when_made(const asking_when_made& other) : me(other.me) {}
};
struct asking_when_copied {
  int me = 0;
  asking_when_copied() = default;
  asking_when_copied(const asking_when_copied&) : me(omp_get_thread_num()) {}
};
int next_ticket() {
  int mine;
#pragma omp atomic capture
  mine = ints[0]++;
  return mine;
}
struct with_ticket {
  int mine = next_ticket();
};

void made_by_clauses(asking_when_made one, asking_when_copied other) {
  // shares an object of its clauses uses omp_get_thread_num
#pragma omp parallel for private(one)
  for (int i = 0; i < n; ++i) ints[i] = one.me;
    // any
#pragma omp parallel for firstprivate(one)
  for (int i = 0; i < n; ++i) ints[i] = one.me;
    // any
#pragma omp parallel for private(other)
  for (int i = 0; i < n; ++i) ints[i] = other.me;
    // shares an object of its clauses uses omp_get_thread_num
#pragma omp parallel for firstprivate(other)
  for (int i = 0; i < n; ++i) ints[i] = other.me;
#pragma omp parallel firstprivate(other)
  {
    // shares an object of its clauses uses omp_get_thread_num
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = other.me;
  }
#pragma omp parallel
  {
    with_ticket by_default;
    const with_ticket in_braces{};
    // shares by_default may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = by_default.mine;
      // shares in_braces may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = in_braces.mine;
  }
}

// What else threads draw, share and have for themselves.
void fill_one(int* last) {
  // shares orphaned: its region is not in this function
#pragma omp for
  for (int i = 0; i < n; ++i) *last = i;
}

void more_of_threads(std::shared_ptr<std::atomic<int>> drawn, int limit) {
  int sum = 0;
#pragma omp parallel
  {
    int last = 0;
    fill_one(&last);
    // shares its region calls fill_one, which has a loop of its own
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = last;
  }
#pragma omp parallel reduction(+ : sum)
  {
    // left what is summed up in sum so far is used
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = sum++;
  }
  // left what is summed up in sum so far is used
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i)
    if (sum < limit) sum++;
      // left what is summed up in sum so far is used
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    sum += i;
    sum *= 3;
  }
#pragma omp parallel
  {
    const int ticket = (*drawn)++;
    const auto made = std::make_unique<with_ticket>();
    int numbers[4];
    int at = 0;
    // shares ticket may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = ticket;
      // shares made may be another in each thread
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = made->mine;
      // shares numbers of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) *(at + numbers) = i;
      // shares numbers of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = numbers[0];
  }
#pragma omp parallel
  {
    int first = 0;
    int second = 0;
    auto tied = std::tie(first, second);
    std::vector<int*> others = {&second};
    // shares first of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) std::get<0>(tied) = i;
      // shares first of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) *others[0] = i;
      // shares first of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = first + second;
  }
  // shares its body uses __errno_location
#pragma omp parallel for
  for (int i = 0; i < n; ++i) errno = ints[i];
}

void threads_by_addresses() {
  // shares its body uses a number made of an address
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    int mine = 0;
    ints[i] = static_cast<int>(reinterpret_cast<std::uintptr_t>(&mine));
  }
  // any
#pragma omp parallel for
  for (int i = 0; i < n; ++i) ints[i] = const_cast<const int*>(ints) + i == nullptr;
    // any
#pragma omp parallel for
  for (int i = 0; i < n; ++i) ints[i] = (reinterpret_cast<std::uintptr_t>(ints + i) & 63) == 0;
#pragma omp parallel
  {
    const int kept = 0;
    // shares its region has a cast that takes const away
#pragma omp for
    for (int i = 0; i < n; ++i) const_cast<int&>(kept) = i;
      // shares its region has a cast that takes const away
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = kept;
  }
#pragma omp parallel
  {
    int numbers[4];
    int last = 0;
    // shares numbers of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) ::new (numbers) int(i);
      // shares last of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) *({ &last; }) = i;
      // shares numbers of each thread is written in one loop and read in another
#pragma omp for
    for (int i = 0; i < n; ++i) ints[i] = numbers[0] + last;
  }
}

namespace beside {
struct counted {
  int value;
  friend bool operator<(const counted& a, const counted& b) { return omp_get_thread_num() >= 0 && a.value < b.value; }
};
struct moved {
  int value;
};
struct plain {
  int value;
};
inline void swap(moved& a, moved& b) {
  ints[omp_get_thread_num()] += 1;
  std::swap(a.value, b.value);
}
inline bool operator<(const plain& a, const plain& b) { return a.value < b.value; }
template <class T>
struct weighted {
  T value;
  bool operator<(const weighted& other) const { return value < other.value; }
};
template <class T>
struct asking {
  T value;
  bool operator<(const asking& other) const { return value < other.value + T(omp_get_thread_num()); }
};
}  // namespace beside

void found_by_arguments(beside::moved* moved, beside::counted* counted, beside::plain* all,
                        beside::weighted<int>* weighted, beside::asking<int>* asking) {
  // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) std::reverse(moved + 4 * i, moved + 4 * i + 4);
    // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) std::sort(counted + 4 * i, counted + 4 * i + 4);
    // any
#pragma omp parallel for
  for (int i = 0; i < n; ++i) std::sort(all + 4 * i, all + 4 * i + 4);
    // any
#pragma omp parallel for
  for (int i = 0; i < n; ++i) std::sort(weighted + 4 * i, weighted + 4 * i + 4);
    // shares its body uses omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) std::sort(asking + 4 * i, asking + 4 * i + 4);
}
