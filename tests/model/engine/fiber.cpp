// SPDX-License-Identifier: Apache-2.0
#include "fiber.hpp"

#include <sys/mman.h>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#define STEELYARD_MODEL_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STEELYARD_MODEL_ASAN 1
#endif
#endif

#ifdef STEELYARD_MODEL_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
// Fibers are left in the middle by the thousand; their fake stacks would never be freed.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "detect_stack_use_after_return=0"; }
#endif

namespace steelyard::model {
namespace {

fiber* entering = nullptr;

void leave_stack([[maybe_unused]] void** fake, [[maybe_unused]] const void* bottom,
                 [[maybe_unused]] std::size_t bytes) {
#ifdef STEELYARD_MODEL_ASAN
  __sanitizer_start_switch_fiber(fake, bottom, bytes);
#endif
}

void enter_stack([[maybe_unused]] void* fake, [[maybe_unused]] const void** bottom,
                 [[maybe_unused]] std::size_t* bytes) {
#ifdef STEELYARD_MODEL_ASAN
  __sanitizer_finish_switch_fiber(fake, bottom, bytes);
#endif
}

}  // namespace

fiber::fiber()
    : stack_(mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0)) {
  if (stack_ == MAP_FAILED) std::abort();
}

fiber::~fiber() { munmap(stack_, stack_bytes); }

void fiber::start(void (*entry)(void*), void* argument) {
#ifdef STEELYARD_MODEL_ASAN
  // The frames of a fiber that was left in the middle.
  __asan_unpoison_memory_region(stack_, stack_bytes);
#endif
  entry_ = entry;
  argument_ = argument;
  self_fake_ = nullptr;
  self_.prepare(stack_, stack_bytes, &fiber::enter);
}

void fiber::enter() {
  fiber* const self = entering;
  enter_stack(nullptr, &self->explorer_stack_, &self->explorer_bytes_);
  self->entry_(self->argument_);
  std::abort();
}

void fiber::resume() {
  entering = this;
#ifdef STEELYARD_MODEL_ASAN
  // What the frames of a fiber own is lost when it is left in the middle; that is no leak of the protocol.
  const __lsan::ScopedDisabler lost;
#endif
  leave_stack(&explorer_fake_, stack_, stack_bytes);
  stack_point::swap(explorer_, self_);
  enter_stack(explorer_fake_, nullptr, nullptr);
}

void fiber::pause() {
  leave_stack(&self_fake_, explorer_stack_, explorer_bytes_);
  stack_point::swap(self_, explorer_);
  enter_stack(self_fake_, &explorer_stack_, &explorer_bytes_);
}

}  // namespace steelyard::model
