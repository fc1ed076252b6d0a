/* SPDX-License-Identifier: Apache-2.0 */
/* A program whose own functions are called as some of libc's are; it says how often somebody else has called them. */
int printf(const char* format, ...);

static int calls;

int open(void) { return ++calls; }
int read(void) { return ++calls; }
int write(void) { return ++calls; }
int close(void) { return ++calls; }
int rename(void) { return ++calls; }
int unlink(void) { return ++calls; }

__attribute__((destructor)) static void tell(void) { printf("%d calls\n", calls); }

int main(void) {
  long sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
  return sum == 499500 ? 7 : 1;
}
