// SPDX-License-Identifier: Apache-2.0
// Entries whose arguments a compiler would copy before it could pass them on: variable ones, or more than fit registers.
// Where nothing is to be done for this process, and one runtime serves all callers or the caller is known, a few instructions that
// touch no argument jump to the runtime's own function (forward.hpp does the same for the other calls). Otherwise they jump to our
// function of the same type, which then sees the caller's return address as its own.
#include <cstddef>

#include "openmp/gomp/names.hpp"
#include "openmp/kmp/names.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/program/site.hpp"
#include "openmp/team/passing.hpp"
#include "openmp/team/team.hpp"

namespace steelyard::openmp {

// What the instructions below know of the structures.
static_assert(offsetof(settings, active) == 0 && offsetof(settings, reporting) == 1);
static_assert(offsetof(this_thread, taken) == 8);
static_assert(offsetof(this_thread, deals) == 32 && offsetof(this_thread, learns) == 33);
static_assert(offsetof(this_thread, passed) == 40 && offsetof(this_thread, passes) == 48 && passes_at_once == 32);
static_assert(offsetof(kmp::ident, flags) == 4);
static_assert(sizeof(pass) == 16 && offsetof(pass, body) == 0 && offsetof(pass, left) == 8 && pass_count == 1024);
static_assert(offsetof(site, address) == 0);
static_assert(offsetof(site, native) == 8);
static_assert(offsetof(runtime, entries) == 0x40);
static_assert(offsetof(abi, only) == 48 && offsetof(abi, direct) == 56 && sizeof(abi::direct[0]) == 8);
static_assert(static_cast<int>(need::anything) == 0 && static_cast<int>(need::reports) == 1);
static_assert(slot_bits == 14 && sizeof slots[0] == 8 && sizeof(function) == 8);
static_assert(kmp::static_init == 8 && kmp::fork_call == 12);
static_assert(gomp::ordered_start == 35 && gomp::doacross_start == 40 && gomp::ull_ordered_start == 45);
static_assert(gomp::ull_doacross_start == 50 && gomp::general_start == 55 && gomp::ull_general_start == 56);

}  // namespace steelyard::openmp

// Each line of an assembler macro, so that one asm statement holds definition and use.
#if defined(__x86_64__)
// Only %r10 and %r11 are free: %rax holds the number of vector registers of a variadic call.
// Jumps through `direct` of the ABI, at that offset. Where that is nullptr and the byte of the settings at offset `setting` is not 0: the careful way.
#define STEELYARD_FORWARD(setting, direct)              \
  "movq " direct                                        \
  " + _ZN9steelyard6openmp\\api\\()3apiE(%rip), %r11\n" \
  "testq %r11, %r11\n"                                  \
  "jne 2f\n"                                            \
  "cmpb $0, " setting                                   \
  " + _ZN9steelyard6openmp6configE(%rip)\n"             \
  "jne \\careful\n"                                     \
  "movl (%rsp), %r11d\n"                                \
  "shrl $3, %r11d\n"                                    \
  "andl $16383, %r11d\n"                                \
  "leaq _ZN9steelyard6openmp5slotsE(%rip), %r10\n"      \
  "movq (%r10, %r11, 8), %r11\n"                        \
  "testq %r11, %r11\n"                                  \
  "je \\careful\n"                                      \
  "movq (%rsp), %r10\n"                                 \
  "cmpq %r10, (%r11)\n"                                 \
  "jne \\careful\n"                                     \
  "movq 8(%r11), %r11\n"                                \
  "2:\n"                                                \
  "jmp *(0x40 + 8 * \\slot)(%r11)\n"
#define STEELYARD_JUMP STEELYARD_FORWARD("0", "56")
// A region that may begin unseen (team/passing.md), by its body in %rdx: `may_pass`.
#define STEELYARD_FORK                                                              \
  "movq _ZN9steelyard6openmp4selfE@gottpoff(%rip), %r10\n"                          \
  "cmpb $0, %fs:33(%r10)\n"                                                         \
  "jne 1f\n"                                                                        \
  "cmpq $0, %fs:8(%r10)\n"                                                          \
  "jne 1f\n"                                                                        \
  "cmpq %rdx, %fs:40(%r10)\n"                                                       \
  "jne 3f\n"                                                                        \
  "subl $1, %fs:48(%r10)\n"                                                         \
  "jae 5f\n"                                                                        \
  "jmp 7f\n"                                                                        \
  "3:\n"                                                                            \
  "movq 56 + _ZN9steelyard6openmp\\api\\()3apiE(%rip), %r11\n" /* nothing is set */ \
  "testq %r11, %r11\n"                                                              \
  "jne 6f\n"                                                                        \
  "cmpl $0, %fs:48(%r10)\n" /* another body: give back */                           \
  "je 8f\n"                                                                         \
  "movq %fs:40(%r10), %r11\n"                                                       \
  "andl $16 * 1023, %r11d\n"                                                        \
  "leaq _ZN9steelyard6openmp6passesE(%rip), %r10\n"                                 \
  "addq %r10, %r11\n"                                                               \
  "movq _ZN9steelyard6openmp4selfE@gottpoff(%rip), %r10\n"                          \
  "movq %fs:40(%r10), %r10\n"                                                       \
  "cmpq %r10, (%r11)\n"                                                             \
  "movq _ZN9steelyard6openmp4selfE@gottpoff(%rip), %r10\n"                          \
  "jne 7f\n"                                                                        \
  "movl %fs:48(%r10), %r10d\n"                                                      \
  "addl %r10d, 8(%r11)\n"                                                           \
  "movq _ZN9steelyard6openmp4selfE@gottpoff(%rip), %r10\n"                          \
  "7:\n"                                                                            \
  "movl $0, %fs:48(%r10)\n"                                                         \
  "8:\n"                                                                            \
  "movl %edx, %r11d\n"                                                              \
  "andl $16 * 1023, %r11d\n"                                                        \
  "leaq _ZN9steelyard6openmp6passesE(%rip), %r10\n"                                 \
  "addq %r10, %r11\n"                                                               \
  "cmpq %rdx, (%r11)\n"                                                             \
  "jne 1f\n"                                                                        \
  "movl 8(%r11), %r10d\n"                                                           \
  "subl $1, %r10d\n"                                                                \
  "jb \\careful\n"                                                                  \
  "movl %r10d, 8(%r11)\n"                                                           \
  "movq _ZN9steelyard6openmp4selfE@gottpoff(%rip), %r10\n"                          \
  "cmpq %rdx, %fs:40(%r10)\n"                                                       \
  "movq %rdx, %fs:40(%r10)\n"                                                       \
  "movl $0, %fs:48(%r10)\n"                                                         \
  "jne 5f\n"                                                                        \
  "movl $32, %fs:48(%r10)\n" /* the same again: more at once */                     \
  "movl 8(%r11), %r10d\n"                                                           \
  "subl $32, %r10d\n"                                                               \
  "jae 4f\n"                                                                        \
  "movq _ZN9steelyard6openmp4selfE@gottpoff(%rip), %r10\n"                          \
  "movl $0, %fs:48(%r10)\n"                                                         \
  "jmp 5f\n"                                                                        \
  "4:\n"                                                                            \
  "movl %r10d, 8(%r11)\n"                                                           \
  "5:\n"                                                                            \
  "movq 48 + _ZN9steelyard6openmp\\api\\()3apiE(%rip), %r11\n"                      \
  "6:\n"                                                                            \
  "jmp *(0x40 + 8 * \\slot)(%r11)\n"                                                \
  "1:\n" STEELYARD_JUMP
// A static loop that asks for one block (see kmp/static.cpp), in a region that deals them, is looked at; and all, when reporting.
#define STEELYARD_STATIC                                     \
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
  "1:\n" STEELYARD_FORWARD("1", "64")
#else
// All but a region that may begin unseen takes the long way. x9 to x17 are free; the body is in x2.
#define STEELYARD_JUMP "b \\careful\n"
#define STEELYARD_STATIC STEELYARD_JUMP
#define STEELYARD_FORK                                          \
  "adrp x10, :gottprel:_ZN9steelyard6openmp4selfE\n"            \
  "ldr x10, [x10, :gottprel_lo12:_ZN9steelyard6openmp4selfE]\n" \
  "mrs x11, tpidr_el0\n"                                        \
  "add x10, x10, x11\n"                                         \
  "ldrb w11, [x10, #33]\n"                                      \
  "cbnz w11, \\careful\n"                                       \
  "ldr x11, [x10, #8]\n"                                        \
  "cbnz x11, \\careful\n"                                       \
  "ldr x11, [x10, #40]\n"                                       \
  "ldr w12, [x10, #48]\n"                                       \
  "cmp x11, x2\n"                                               \
  "b.ne 3f\n"                                                   \
  "cbz w12, 3f\n"                                               \
  "sub w12, w12, #1\n"                                          \
  "str w12, [x10, #48]\n"                                       \
  "b 5f\n"                                                      \
  "3:\n"                                                        \
  "cbz w12, 8f\n" /* another body: give back */                 \
  "and x9, x11, #16 * 1023\n"                                   \
  "adrp x13, _ZN9steelyard6openmp6passesE\n"                    \
  "add x13, x13, :lo12:_ZN9steelyard6openmp6passesE\n"          \
  "add x9, x9, x13\n"                                           \
  "str wzr, [x10, #48]\n"                                       \
  "ldr x13, [x9]\n"                                             \
  "cmp x13, x11\n"                                              \
  "b.ne 8f\n"                                                   \
  "ldr w13, [x9, #8]\n"                                         \
  "add w13, w13, w12\n"                                         \
  "str w13, [x9, #8]\n"                                         \
  "8:\n"                                                        \
  "and x9, x2, #16 * 1023\n"                                    \
  "adrp x13, _ZN9steelyard6openmp6passesE\n"                    \
  "add x13, x13, :lo12:_ZN9steelyard6openmp6passesE\n"          \
  "add x9, x9, x13\n"                                           \
  "ldr x13, [x9]\n"                                             \
  "cmp x13, x2\n"                                               \
  "b.ne \\careful\n"                                            \
  "ldr w13, [x9, #8]\n"                                         \
  "subs w13, w13, #1\n"                                         \
  "b.lo \\careful\n"                                            \
  "mov w12, #0\n"                                               \
  "cmp x11, x2\n"                                               \
  "b.ne 4f\n"                                                   \
  "cmp w13, #32\n" /* the same again: more at once */           \
  "b.lo 4f\n"                                                   \
  "sub w13, w13, #32\n"                                         \
  "mov w12, #32\n"                                              \
  "4:\n"                                                        \
  "str w13, [x9, #8]\n"                                         \
  "str w12, [x10, #48]\n"                                       \
  "str x2, [x10, #40]\n"                                        \
  "5:\n"                                                        \
  "adrp x9, _ZN9steelyard6openmp\\api\\()3apiE\n"               \
  "add x9, x9, :lo12:_ZN9steelyard6openmp\\api\\()3apiE\n"      \
  "ldr x9, [x9, #48]\n"                                         \
  "ldr x16, [x9, #(0x40 + 8 * \\slot)]\n"                       \
  "br x16\n"
#endif

#define STEELYARD_MACRO(macro, instructions) \
  ".macro " macro                            \
  " name, careful, api, slot\n"              \
  ".globl \\name\n"                          \
  ".type \\name, %function\n"                \
  "\\name:\n"                                \
  ".cfi_startproc\n" instructions            \
  ".cfi_endproc\n"                           \
  ".size \\name, . - \\name\n"               \
  ".endm\n"

asm(STEELYARD_MACRO("steelyard_entry", STEELYARD_JUMP) STEELYARD_MACRO("steelyard_static", STEELYARD_STATIC)
        STEELYARD_MACRO("steelyard_fork", STEELYARD_FORK)
    ".text\n"
    "steelyard_static __kmpc_for_static_init_4, steelyard_static_init_4, 3kmp, 8\n"
    "steelyard_static __kmpc_for_static_init_4u, steelyard_static_init_4u, 3kmp, 9\n"
    "steelyard_static __kmpc_for_static_init_8, steelyard_static_init_8, 3kmp, 10\n"
    "steelyard_static __kmpc_for_static_init_8u, steelyard_static_init_8u, 3kmp, 11\n"
    "steelyard_fork __kmpc_fork_call, steelyard_fork_call, 3kmp, 12\n"
    "steelyard_entry GOMP_loop_ordered_start, steelyard_loop_ordered, 4gomp, 39\n"
    "steelyard_entry GOMP_loop_doacross_start, steelyard_loop_doacross, 4gomp, 44\n"
    "steelyard_entry GOMP_loop_ull_ordered_start, steelyard_loop_ull_ordered, 4gomp, 49\n"
    "steelyard_entry GOMP_loop_ull_doacross_start, steelyard_loop_ull_doacross, 4gomp, 54\n"
    "steelyard_entry GOMP_loop_start, steelyard_loop, 4gomp, 55\n"
    "steelyard_entry GOMP_loop_ull_start, steelyard_loop_ull, 4gomp, 56\n");
