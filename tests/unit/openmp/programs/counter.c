/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded before the drop-in: counts the memory that it, or the program, maps, and refuses it when told. libc maps by
 * itself and unseen. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic long total;
static _Atomic int refusing;

long mapped_bytes(void) { return total; }
void refuse_mappings(void) { refusing = 1; }

void* mmap(void* at, size_t length, int protection, int flags, int file, off_t offset) {
  if (refusing) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  if (protection != PROT_NONE) {
    atomic_fetch_add(&total, (long)length);
  }
  return (void*)syscall(SYS_mmap, at, length, protection, flags, file, offset);
}
