/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in front of every unit that the rewriter changes. C89 and C++98, no directives: it is not preprocessed. The other side of
   it is src/openmp/compiled in the drop-in; where that is not loaded, steelyard_hooks is null. */

/* A loop of the source. What a loop has no use for is 0. A cost is made of so many terms, at most 3. Each weighs what its seed says,
   and one iteration beside weighs `seed`, until the drop-in knows better.
   Kinds: 0: any schedule. 1: a share of contiguous iterations, in the order of the threads. 2: the program leaves the loop to the
   runtime, and only its costs are told here.
   Flags, added up: 1: a reduction whose grouping may be noticed. 2: every iteration costs the same (Opt2). 4: costs stand under a
   condition that nobody knows before (Opt3). 8: what has the same key has the same costs as before (Opt1). 16: the source of the
   region asks for thread numbers itself, or has a static loop that is not rewritten. 32: the program names the schedule: dynamic or
   guided, not runtime. */
struct steelyard_site {
  const char* file;
  int line;
  int kind;
  int flags;
  int granule; /* pieces are multiples of so many iterations, as simdlen wants it */
  int sampled; /* costs are stated of one in so many iterations */
  int terms;
  double seed;
  double seeds[3];
};

/* What the calling thread runs of a loop: iterations begin to end-1, as long as there are more. */
struct steelyard_part {
  unsigned long long begin;
  unsigned long long end;
  void* known; /* of the drop-in */
  int more;    /* 0: nothing. 1: this block. Above: this, and then the drop-in is asked for more */
  int last;    /* of a loop that is through: the thread has run its last iteration */
};

/* What the calling thread states of a loop's costs: of iteration `at`, as long as it is not `behind`. */
struct steelyard_costs {
  unsigned long long at;
  unsigned long long behind;
  unsigned long long next;    /* the iteration that the next sums begin with */
  unsigned long long counted; /* iterations in these sums */
  double sums[3];
  void* known; /* of the drop-in */
  unsigned step;
  unsigned bin;
  unsigned bin_behind;
  unsigned member;
};

/* What the drop-in does in their place. */
struct steelyard_table {
  int (*member)(void);
  int (*members)(void);
  void (*begin)(struct steelyard_part*, const struct steelyard_site*, unsigned long long iterations, int member,
                const void* from); /* an address in the function of the loop */
  int (*next)(struct steelyard_part*);
  int (*costs_begin)(struct steelyard_costs*, const struct steelyard_site*, unsigned long long iterations,
                     unsigned long long key);
  void (*costs_next)(struct steelyard_costs*);
  void (*costs_end)(struct steelyard_costs*);
  int (*costs_asked)(const struct steelyard_site*, unsigned long long iterations);
};

/* Shared objects that are loaded later are bound to the table by the loader. Linkers bind programs to 0: the drop-in finds the
   pointer of every module through its note. */
extern const struct steelyard_table steelyard_table_1 __attribute__((__weak__, __visibility__("default")));
extern const struct steelyard_table* volatile steelyard_hooks;
__attribute__((__weak__, __visibility__("hidden"), __used__)) const struct steelyard_table* volatile steelyard_hooks =
    &steelyard_table_1;
__asm__(
    ".pushsection .note.steelyard,\"a\",%note\n"
    ".balign 4\n"
    ".long 10, 8, 1\n"
    ".asciz \"steelyard\"\n"
    ".balign 4\n"
    ".quad steelyard_hooks - .\n"
    ".popsection");

/* Other names for two functions of every OpenMP runtime, so that no declaration clashes with omp.h. They are called where it is known
   that they have to be: Clang knows them, and would ask ahead of the question. */
extern int steelyard_omp_get_thread_num(void) __asm__("omp_get_thread_num");
extern int steelyard_omp_get_num_threads(void) __asm__("omp_get_num_threads");
static __attribute__((__noinline__, __unused__, __no_instrument_function__)) int steelyard_native_members(void) {
  return steelyard_omp_get_num_threads();
}

/* The drop-in does not take this for a question of the program. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int steelyard_team_size(
    void) {
  const struct steelyard_table* const hooks = steelyard_hooks;
  return hooks ? hooks->members() : steelyard_native_members();
}

/* Without the drop-in a member's part is the block that schedule(static) gives it, the first ones an iteration longer. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void steelyard_give_block(
    struct steelyard_part* part, unsigned long long iterations, unsigned before, unsigned team) {
  unsigned long long each;
  unsigned longer;
  if (iterations >> 32 == 0) { /* divides in a third of the time */
    each = (unsigned)iterations / team;
    longer = (unsigned)iterations % team;
  } else {
    each = iterations / team;
    longer = (unsigned)(iterations % team);
  }
  if (before < longer) {
    ++each;
    longer = 0;
  }
  part->begin = before * each + longer;
  part->end = part->begin + each;
  part->more = each != 0;
  part->last = each != 0 && part->end == iterations;
}

static __attribute__((__noinline__, __unused__, __no_instrument_function__)) void steelyard_give_own(
    struct steelyard_part* part, unsigned long long iterations, int team) {
  steelyard_give_block(part, iterations, (unsigned)steelyard_omp_get_thread_num(), (unsigned)team);
}

static __attribute__((__noinline__, __unused__, __no_instrument_function__)) void steelyard_native_begin(
    struct steelyard_part* part, unsigned long long iterations) {
  int const team = steelyard_omp_get_num_threads();
  if (team != 1) {
    steelyard_give_own(part, iterations, team);
  } else {
    part->begin = 0;
    part->end = iterations;
    part->more = part->last = iterations != 0;
  }
}

static __attribute__((__noinline__, __unused__, __no_instrument_function__)) void steelyard_hooked_begin(
    struct steelyard_part* part, const struct steelyard_site* site, unsigned long long iterations, int member,
    const void* from) {
  steelyard_hooks->begin(part, site, iterations, member < 0 ? steelyard_hooks->member() : member, from);
  if (part->more > 1) steelyard_hooks->next(part);
}

/* Every member of the team begins with a loop, also one that has no iterations:
     for (steelyard_begin(&part, &site, iterations); part.more; steelyard_next(&part)) { ... }
   Out of line, for compilers take longer for each copy than programs for the call. */
static __attribute__((__noinline__, __unused__, __no_instrument_function__)) void steelyard_begin(
    struct steelyard_part* part, const struct steelyard_site* site, unsigned long long iterations) {
  if (steelyard_hooks) {
    steelyard_hooked_begin(part, site, iterations, -1, __builtin_return_address(0));
  } else {
    steelyard_native_begin(part, iterations);
  }
}

/* The same where the member's number and how many there are is known. */
static __attribute__((__noinline__, __unused__, __no_instrument_function__)) void steelyard_begin_slot(
    struct steelyard_part* part, const struct steelyard_site* site, unsigned long long iterations, int member,
    int members) {
  if (steelyard_hooks) {
    steelyard_hooked_begin(part, site, iterations, member, __builtin_return_address(0));
  } else {
    steelyard_give_block(part, iterations, (unsigned)member, (unsigned)members);
  }
}

/* `more` is read again behind each part, for the loop's body needs the registers. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void steelyard_next(
    struct steelyard_part* part) {
  __asm__("" : "+m"(part->more));
  if (part->more > 1) {
    steelyard_hooks->next(part);
  } else {
    part->more = 0;
  }
}

/* Before the loop, on every member of the team: whether its costs are asked for. Then each member states those of its part, and
   steelyard_costs_end waits for the others:
     if (steelyard_costs_begin(&costs, &site, iterations, key)) {
       while (costs.at != costs.behind) { double w = 0; ...  steelyard_costs_put(&costs, w); }
       steelyard_costs_end(&costs);
     }
   Not within a worksharing construct. The key stands for all that the costs depend on. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int steelyard_costs_begin(
    struct steelyard_costs* costs, const struct steelyard_site* site, unsigned long long iterations,
    unsigned long long key) {
  const struct steelyard_table* const hooks = steelyard_hooks;
  return hooks ? hooks->costs_begin(costs, site, iterations, key) : 0;
}

/* The sums have so many iterations more. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void steelyard_costs_pass(
    struct steelyard_costs* costs, unsigned long long trips) {
  unsigned long long const left = costs->behind - costs->at;
  unsigned long long const step = trips * costs->step;
  costs->counted += trips;
  costs->at += step < left ? step : left;
  if (costs->at >= costs->next) steelyard_hooks->costs_next(costs);
}

/* Of an iteration whose cost has several terms. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
steelyard_costs_put_terms(struct steelyard_costs* costs, double first, double second, double third) {
  costs->sums[0] += first;
  costs->sums[1] += second;
  costs->sums[2] += third;
  steelyard_costs_pass(costs, 1);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void steelyard_costs_put(
    struct steelyard_costs* costs, double cost) {
  steelyard_costs_put_terms(costs, cost, 0, 0);
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void steelyard_costs_end(
    struct steelyard_costs* costs) {
  steelyard_hooks->costs_end(costs);
}

/* What the rewriter writes in their place. One loop looks at some 32 iterations first, where there is a key: what these cost belongs to
   it. Then it states what is asked for.
     if (steelyard_costs_asked(&site, iterations)) {
       steelyard_state(&stating, &site, iterations, key);
       while (steelyard_stating_more(&stating)) {
         trips = steelyard_stating_trips(&stating);
         for (trip = 0; trip < trips; ++trip) { of iteration steelyard_stating_at(&stating, trip): ...  sum += w; }
         steelyard_stating_put(&stating, trips, sum);
       }
     } */
struct steelyard_stating {
  struct steelyard_costs costs;
  const struct steelyard_site* site;
  unsigned long long iterations;
  unsigned long long key;
  int phase; /* 0: looking, 1: stating */
};

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
steelyard_key(unsigned long long key, unsigned long long part) {
  return ((key << 5 | key >> 59) ^ part) * 0x9e3779b97f4a7c15ULL;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int steelyard_costs_asked(
    const struct steelyard_site* site, unsigned long long iterations) {
  const struct steelyard_table* const hooks = steelyard_hooks;
  return hooks ? hooks->costs_asked(site, iterations) : 0;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void steelyard_state(
    struct steelyard_stating* stating, const struct steelyard_site* site, unsigned long long iterations,
    unsigned long long key) {
  stating->site = site;
  stating->iterations = iterations;
  stating->key = key;
  stating->phase = 0;
  stating->costs.at = 0;
  stating->costs.behind = site->flags & 8 ? iterations : 0;
  stating->costs.next = 0;
  stating->costs.step = 1;
}

static __attribute__((__noinline__, __unused__, __no_instrument_function__)) int steelyard_stating_turn(
    struct steelyard_stating* stating) {
  if (stating->phase == 0) {
    stating->phase = 1;
    if (!steelyard_costs_begin(&stating->costs, stating->site, stating->iterations, stating->key)) return 0;
    if (stating->costs.at != stating->costs.behind) return 1;
  }
  steelyard_costs_end(&stating->costs);
  return 0;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) int steelyard_stating_more(
    struct steelyard_stating* stating) {
  return stating->costs.at != stating->costs.behind ? 1 : steelyard_stating_turn(stating);
}

/* How many iterations follow whose costs are added up: while looking one, then those of a bin, or what of it is sampled. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
steelyard_stating_trips(const struct steelyard_stating* stating) {
  unsigned long long const at = stating->costs.at;
  if (stating->costs.next <= at + 1) return 1;
  return (stating->costs.next - at - 1) / stating->costs.step + 1;
}

static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) unsigned long long
steelyard_stating_at(const struct steelyard_stating* stating, unsigned long long trip) {
  return stating->costs.at + trip * stating->costs.step;
}

static __attribute__((__noinline__, __unused__, __no_instrument_function__)) void steelyard_stating_put(
    struct steelyard_stating* stating, unsigned long long trips, double sum) {
  if (stating->phase == 0) {
    unsigned long long const left = stating->costs.behind - stating->costs.at;
    unsigned long long const step = stating->iterations / 32 + 1;
    unsigned long long bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    stating->key = steelyard_key(stating->key, bits);
    stating->costs.at += step < left ? step : left;
  } else {
    stating->costs.sums[0] += sum;
    steelyard_costs_pass(&stating->costs, trips);
  }
}
