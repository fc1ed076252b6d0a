// SPDX-License-Identifier: Apache-2.0
// The entry points of libomp that programs of Clang call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "openmp/kmp/names.hpp"

using i32 = std::int32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;
using steelyard::openmp::kmp::ident;
using microtask = void (*)(i32*, i32*, ...);

extern "C" {
void __kmpc_push_num_threads(ident* where, i32 thread, i32 threads);
void __kmpc_fork_call(ident* where, i32 count, microtask body, ...);
void __kmpc_fork_call_if(ident* where, i32 count, microtask body, i32 condition, void* argument);
void __kmpc_serialized_parallel(ident* where, i32 thread);
void __kmpc_end_serialized_parallel(ident* where, i32 thread);
void __kmpc_barrier(ident* where, i32 thread);
i32 __kmpc_cancel_barrier(ident* where, i32 thread);
void __kmpc_copyprivate(ident* where, i32 thread, std::size_t bytes, void* data, void (*copy)(void*, void*), i32 did);
i32 __kmpc_reduce(ident* where, i32 thread, i32 count, std::size_t bytes, void* data, void (*by)(void*, void*),
                  void* lock);
i32 __kmpc_reduce_nowait(ident* where, i32 thread, i32 count, std::size_t bytes, void* data, void (*by)(void*, void*),
                         void* lock);
void __kmpc_end_reduce(ident* where, i32 thread, void* lock);
void __kmpc_for_static_init_4(ident* where, i32 thread, i32 schedule, i32* last, i32* lower, i32* upper, i32* stride,
                              i32 step, i32 chunk);
void __kmpc_for_static_init_8u(ident* where, i32 thread, i32 schedule, i32* last, u64* lower, u64* upper, i64* stride,
                               i64 step, i64 chunk);
void __kmpc_for_static_fini(ident* where, i32 thread);
void __kmpc_dispatch_init_4(ident* where, i32 thread, i32 schedule, i32 lower, i32 upper, i32 step, i32 chunk);
void __kmpc_dispatch_init_8u(ident* where, i32 thread, i32 schedule, u64 lower, u64 upper, i64 step, i64 chunk);
int __kmpc_dispatch_next_4(ident* where, i32 thread, i32* last, i32* lower, i32* upper, i32* step);
int __kmpc_dispatch_next_8u(ident* where, i32 thread, i32* last, u64* lower, u64* upper, i64* step);
void __kmpc_dispatch_deinit(ident* where, i32 thread);
int omp_get_thread_num();
}
