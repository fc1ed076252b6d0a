/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in front of every unit that the rewriter changes. C89 and C++98, no macros: it is not preprocessed. */

/* A loop of the source. */
struct steelyard_site {
  const char* file;
  int line;
  int kind;  /* 0: any schedule, 1: a share of contiguous iterations */
  int flags; /* 1: a reduction adds up floating-point numbers */
};

/* What the calling thread runs of a loop: iterations begin to end-1, as long as steelyard_next says so. */
struct steelyard_part {
  unsigned long long begin;
  unsigned long long end;
  int more;
  int last; /* of a loop that is through: the thread has run its last iteration */
};

/* Other names for two functions of every OpenMP runtime, so that no declaration clashes with omp.h. */
extern int steelyard_thread_number(void) __asm__("omp_get_thread_num");
extern int steelyard_team_size(void) __asm__("omp_get_num_threads");

/* Without a schedule of ours: the block that schedule(static) gives this thread, the first ones an iteration longer. */
static __inline__ __attribute__((__always_inline__, __unused__)) void steelyard_begin(struct steelyard_part* part,
                                                                                      struct steelyard_site* site,
                                                                                      unsigned long long iterations,
                                                                                      int member) {
  unsigned long long const team = (unsigned long long)steelyard_team_size();
  unsigned long long const each = iterations / team;
  unsigned long long const longer = iterations % team;
  unsigned long long const before = (unsigned long long)member;
  (void)site;
  part->begin = before * each + (before < longer ? before : longer);
  part->end = part->begin + each + (before < longer);
  part->more = part->begin < part->end;
  part->last = part->more && part->end == iterations;
}

static __inline__ __attribute__((__always_inline__, __unused__)) int steelyard_next(struct steelyard_part* part) {
  int const more = part->more;
  part->more = 0;
  return more;
}
