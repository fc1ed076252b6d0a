// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clang {
class Expr;
class FunctionDecl;
}  // namespace clang

/// What is known of functions whose bodies are not looked at.
namespace steelyard::rewriter::cost {

[[nodiscard]] bool is_mathematical(const clang::FunctionDecl& function);
/// An accessor of the standard library: `size`, `operator[]`, …
[[nodiscard]] bool is_accessor(const clang::FunctionDecl& function);
/// Whether it is one that throws: `at`, and `get` of a variant.
[[nodiscard]] bool may_throw(const clang::FunctionDecl& accessor);
/// Whether it calls a function object of the library's that may hold any function: `std::function` and its kin.
[[nodiscard]] bool calls_anything(const clang::FunctionDecl& function);
/// Whether it waits for another thread.
[[nodiscard]] bool waits(const clang::FunctionDecl& function);
/// The address that an atomic operation changes; null: it is none.
[[nodiscard]] const clang::Expr* atomic_target(const clang::Expr& at);

}  // namespace steelyard::rewriter::cost
