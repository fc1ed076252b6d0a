// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class Stmt;
}  // namespace clang

namespace steelyard::rewriter::cost {

/// Weights of operations, in about nanoseconds of a processor that does one addition in each. Only their relations matter: the
/// runtime learns the rest.
/// @param only_calls_of  not empty: a call of it weighs 1, everything else nothing
[[nodiscard]] double weight_of(const clang::Stmt* at, const std::string& only_calls_of);

/// What a call of a function costs whose body is not looked at.
[[nodiscard]] double weight_of_call(const clang::CallExpr& call, const std::string& only_calls_of);

}  // namespace steelyard::rewriter::cost
