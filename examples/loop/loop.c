/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface: a body gets its iterations in pieces. */
#include <stdio.h>
#include <steelyard/steelyard.h>

enum { n = 100000 };

static void squares(void* body, steelyard_member* self, uint64_t first, uint64_t count, uint64_t stride) {
  double* const out = body;
  (void)self;
  for (uint64_t i = first, k = 0; k < count; k++, i += stride) out[i] = (double)i * (double)i;
}

int main(void) {
  static double out[n];
  const steelyard_loop loop = {.size = sizeof loop, .iterations = n, .body = out, .run = squares, .schedule = "steal"};
  if (steelyard_loop_run(&loop) != STEELYARD_DONE) return 1;
  printf("the square of 300 is %.0f, that of 99999 is %.0f\n", out[300], out[n - 1]);
  return out[300] == 90000 && out[n - 1] == 9999800001.0 ? 0 : 1;
}
