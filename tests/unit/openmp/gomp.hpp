// SPDX-License-Identifier: Apache-2.0
#pragma once

// What GCC calls for a region, and for a loop of schedule(dynamic): facts of libgomp's ABI. These tests call it as compiled programs do.
extern "C" {
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);
bool GOMP_loop_nonmonotonic_dynamic_start(long first, long end, long step, long chunk, long* from, long* to);
bool GOMP_loop_nonmonotonic_dynamic_next(long* from, long* to);
void GOMP_loop_end();
void GOMP_loop_end_nowait();
}
