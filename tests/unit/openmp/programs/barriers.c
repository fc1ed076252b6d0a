/* SPDX-License-Identifier: Apache-2.0 */
/* Prints whether this process may make others pass a barrier, which it has asked the kernel for before main, or not. */
#include <errno.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  const long done = syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  puts(done == 0 ? "registered" : errno == EPERM ? "not registered" : "not offered");
  return 0;
}
