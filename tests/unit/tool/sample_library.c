// SPDX-License-Identifier: Apache-2.0
// A library whose debug information the symbolisation test reads. Line numbers matter: change the test with it.

extern volatile int sample_sink;
volatile int sample_sink;

static inline __attribute__((always_inline)) void inner_loop(int n) {
  sample_sink = n;  // line 8
}

void outer_function(int n) {
  sample_sink = n + 1;
  inner_loop(n);
}
