/* SPDX-License-Identifier: Apache-2.0 */
/* A loop through the C interface, in C99. */
#include <stdio.h>
#include <steelyard/steelyard.h>

static long parts[64];

static void add(void* body, steelyard_member* self, uint64_t first, uint64_t count, uint64_t stride) {
  uint64_t i = first;
  (void)body;
  for (; count > 0; count--, i += stride) parts[steelyard_member_number(self)] += (long)i;
}

int main(void) {
  steelyard_pool* pool = steelyard_pool_create(3);
  steelyard_loop loop = {0};
  long sum = 0;
  int member;
  loop.size = sizeof loop;
  loop.iterations = 1000;
  loop.run = add;
  loop.pool = pool;
  if (steelyard_loop_run(&loop) != STEELYARD_DONE) return 1;
  steelyard_pool_destroy(pool);
  for (member = 0; member < 64; member++) sum += parts[member];
  return printf("%ld\n", sum) > 0 && sum == 499500 ? 0 : 1;
}
