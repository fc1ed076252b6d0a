// SPDX-License-Identifier: Apache-2.0
// Entries whose arguments a compiler would copy before it could pass them on: variable ones, or more than fit registers.
// Where nothing is to be done for this process, and the caller is known, a few instructions that touch no argument jump
// to the runtime's own function (forward.hpp does the same for the other calls). Otherwise they jump to our function
// of the same type, which then sees the caller's return address as its own.
#include <cstddef>

#include "openmp/gomp/names.hpp"
#include "openmp/kmp/names.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/program/site.hpp"
#include "openmp/team/team.hpp"

namespace steelyard::openmp {

// What the instructions below know of the structures.
static_assert(offsetof(settings, active) == 0 && offsetof(settings, reporting) == 1);
static_assert(offsetof(this_thread, deals) == 32 && offsetof(kmp::ident, flags) == 4);
static_assert(offsetof(site, address) == 0);
static_assert(offsetof(site, native) == 8);
static_assert(offsetof(runtime, entries) == 0x40);
static_assert(slot_bits == 14 && sizeof slots[0] == 8 && sizeof(function) == 8);
static_assert(kmp::static_init == 8 && kmp::fork_call == 12);
static_assert(gomp::ordered_start == 35 && gomp::doacross_start == 40 && gomp::ull_ordered_start == 45);
static_assert(gomp::ull_doacross_start == 50 && gomp::general_start == 55 && gomp::ull_general_start == 56);

}  // namespace steelyard::openmp

// Each line of an assembler macro, so that one asm statement holds definition and use.
#if defined(__x86_64__)
// Only %r10 and %r11 are free: %rax holds the number of vector registers of a variadic call.
#define STEELYARD_FORWARD                          \
  "movabsq $0x9E3779B97F4A7C15, %r11\n"            \
  "imulq (%rsp), %r11\n"                           \
  "shrq $50, %r11\n"                               \
  "leaq _ZN9steelyard6openmp5slotsE(%rip), %r10\n" \
  "movq (%r10, %r11, 8), %r11\n"                   \
  "testq %r11, %r11\n"                             \
  "je \\careful\n"                                 \
  "movq (%rsp), %r10\n"                            \
  "cmpq %r10, (%r11)\n"                            \
  "jne \\careful\n"                                \
  "movq 8(%r11), %r11\n"                           \
  "jmp *(0x40 + 8 * \\slot)(%r11)\n"
#define STEELYARD_JUMP                            \
  "cmpb $0, _ZN9steelyard6openmp6configE(%rip)\n" \
  "jne \\careful\n" STEELYARD_FORWARD
// A static loop that asks for one block (see kmp/static.cpp), in a region that deals them, is looked at; and all, when reporting.
#define STEELYARD_STATIC                                     \
  "cmpb $0, 1 + _ZN9steelyard6openmp6configE(%rip)\n"        \
  "jne \\careful\n"                                          \
  "movq _ZN9steelyard6openmp4selfE@gottpoff(%rip), %r11\n"   \
  "cmpb $0, %fs:32(%r11)\n"                                  \
  "je 1f\n"                                                  \
  "imull $8, %edx, %r11d\n" /* the kind without modifiers */ \
  "cmpl $8 * 34, %r11d\n"                                    \
  "jne 1f\n"                                                 \
  "testq %rdi, %rdi\n"                                       \
  "je 1f\n"                                                  \
  "testb $0x200 >> 8, 5(%rdi)\n"                             \
  "jne \\careful\n"                                          \
  "1:\n" STEELYARD_FORWARD
#else
// Everything takes the long way.
#define STEELYARD_JUMP "b \\careful\n"
#define STEELYARD_STATIC STEELYARD_JUMP
#endif

#define STEELYARD_MACRO(macro, instructions) \
  ".macro " macro                            \
  " name, careful, slot\n"                   \
  ".globl \\name\n"                          \
  ".type \\name, %function\n"                \
  "\\name:\n"                                \
  ".cfi_startproc\n" instructions            \
  ".cfi_endproc\n"                           \
  ".size \\name, . - \\name\n"               \
  ".endm\n"

asm(STEELYARD_MACRO("steelyard_entry", STEELYARD_JUMP) STEELYARD_MACRO("steelyard_static", STEELYARD_STATIC)
    ".text\n"
    "steelyard_static __kmpc_for_static_init_4, steelyard_static_init_4, 8\n"
    "steelyard_static __kmpc_for_static_init_4u, steelyard_static_init_4u, 9\n"
    "steelyard_static __kmpc_for_static_init_8, steelyard_static_init_8, 10\n"
    "steelyard_static __kmpc_for_static_init_8u, steelyard_static_init_8u, 11\n"
    "steelyard_entry __kmpc_fork_call, steelyard_fork_call, 12\n"
    "steelyard_entry GOMP_loop_ordered_start, steelyard_loop_ordered, 39\n"
    "steelyard_entry GOMP_loop_doacross_start, steelyard_loop_doacross, 44\n"
    "steelyard_entry GOMP_loop_ull_ordered_start, steelyard_loop_ull_ordered, 49\n"
    "steelyard_entry GOMP_loop_ull_doacross_start, steelyard_loop_ull_doacross, 54\n"
    "steelyard_entry GOMP_loop_start, steelyard_loop, 55\n"
    "steelyard_entry GOMP_loop_ull_start, steelyard_loop_ull, 56\n");
