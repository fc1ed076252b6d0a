// SPDX-License-Identifier: Apache-2.0
#include "openmp/team/passing.hpp"

namespace steelyard::openmp {

constinit pass passes[pass_count];

namespace {

/// The place belongs to that body from now on.
void take(pass& of, const void* body) noexcept {
  of.left.set(0);
  of.idle.set(0);
  of.body.set(body);
}

void forget_own() noexcept {
  self.passed = nullptr;
  self.passes = 0;
}

}  // namespace

bool is_idle(const void* body) noexcept {
  pass& of = pass_of(body);
  if (of.body.get() != body) take(of, body);
  const std::uint32_t idle = of.idle.get();
  if (idle == pass::served) return false;
  if (idle >= idle_at_least) return of.left.get() == 0;
  of.idle.set(idle + 1);
  return false;
}

void let_pass(const void* body, std::uint32_t regions) noexcept {
  pass& of = pass_of(body);
  if (of.body.get() == body) of.left.set(regions);
}

void see_all(const void* body) noexcept {
  pass& of = pass_of(body);
  take(of, body);
  of.idle.set(pass::served);
}

void see_what_passed() noexcept {
  see_all(self.passed);
  forget_own();
}

void forget_passes() noexcept {
  for (pass& each : passes) take(each, nullptr);
  forget_own();
}

}  // namespace steelyard::openmp
