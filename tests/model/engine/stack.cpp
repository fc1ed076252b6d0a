// SPDX-License-Identifier: Apache-2.0
#include "stack.hpp"

#include <cstdint>

#if defined(__x86_64__)

extern "C" void steelyard_model_swap(void** from, void* to);

// Saves what the callee must preserve on the stack that is left; a prepared stack looks as if it had been left so.
asm(R"(
    .text
    .globl steelyard_model_swap
    .hidden steelyard_model_swap
    .type steelyard_model_swap, @function
steelyard_model_swap:
    .cfi_startproc
    endbr64
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    retq
    .cfi_endproc
    .size steelyard_model_swap, . - steelyard_model_swap
)");

namespace steelyard::model {

void stack_point::prepare(void* memory, std::size_t bytes, void (*entry)()) {
  auto* top = reinterpret_cast<std::uintptr_t*>(static_cast<char*>(memory) + bytes);
  *--top = 0;  // the return address of `entry`, which has none; keeps the stack aligned as after a call
  *--top = reinterpret_cast<std::uintptr_t>(entry);
  for (int saved = 0; saved < 6; ++saved) *--top = 0;
  top_ = top;
}

void stack_point::swap(stack_point& from, stack_point& to) { steelyard_model_swap(&from.top_, to.top_); }

}  // namespace steelyard::model

#else

namespace steelyard::model {

void stack_point::prepare(void* memory, std::size_t bytes, void (*entry)()) {
  getcontext(&context_);
  context_.uc_stack.ss_sp = memory;
  context_.uc_stack.ss_size = bytes;
  context_.uc_link = nullptr;
  makecontext(&context_, entry, 0);
}

void stack_point::swap(stack_point& from, stack_point& to) { swapcontext(&from.context_, &to.context_); }

}  // namespace steelyard::model

#endif
