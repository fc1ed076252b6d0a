/* SPDX-License-Identifier: Apache-2.0 */
/* No OpenMP; built statically and, where that works, for 32 bits. */
#include <stdio.h>

int main(void) {
  puts("plain");
  return 5;
}
