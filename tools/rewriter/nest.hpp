// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <clang/AST/Type.h>
#include <llvm/ADT/APSInt.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include "loops.hpp"

namespace steelyard::rewriter {

/// The loops below `statement`, `depth` of them, and what the innermost repeats.
struct nest {
  std::vector<level> levels;
  const clang::Stmt* body = nullptr;
  std::string unfit;  ///< why the rest is missing; empty: nothing is
};

[[nodiscard]] nest read_nest(const clang::Stmt* statement, unsigned depth, clang::ASTContext& context);

/// A constant's value; none where it cannot be told.
[[nodiscard]] std::optional<llvm::APSInt> constant_of(const clang::Expr* expression, const clang::ASTContext& context);

/// Without what the frontend adds of its own: conversions, parentheses, cleanups.
[[nodiscard]] const clang::Expr* plain(const clang::Expr* expression);

/// What an `if`, a loop or a `switch` asks; null: nothing.
[[nodiscard]] const clang::Expr* condition_of(const clang::Stmt& statement);

/// `for` of a region or with one, whose iterations its threads share.
[[nodiscard]] bool is_worksharing_loop(const clang::Stmt& statement);

/// `x` of `&x`; null: it is something else.
[[nodiscard]] const clang::Expr* pointed_at(const clang::Expr* expression);

/// Calls `each(length)` for what is evaluated of a type: the lengths of its arrays that are no constants.
template <class Each>
void for_each_length(clang::QualType type, const Each& each) {
  while (const auto* array = type.isNull() ? nullptr : type->getAsArrayTypeUnsafe()) {
    const auto* variable = llvm::dyn_cast<clang::VariableArrayType>(array);
    if (variable != nullptr && variable->getSizeExpr() != nullptr) each(variable->getSizeExpr());
    type = array->getElementType();
  }
}

/// Whether the C++ library or the compiler declares it. What other system headers define is looked at as the program's own: build systems name
/// any library's headers so (`-isystem`).
[[nodiscard]] bool is_in_library(const clang::Decl& declaration);
[[nodiscard]] bool is_in_library(clang::SourceLocation where, const clang::SourceManager& sources);

/// Whether that holds for one of the types that a template is for, those in packs included.
[[nodiscard]] bool any_type(llvm::ArrayRef<clang::TemplateArgument> given,
                            llvm::function_ref<bool(clang::QualType)> is);

/// The variable that the expression names, or null.
[[nodiscard]] const clang::VarDecl* named(const clang::Expr* expression);

/// The same, and null for `n::i`: by its name alone it may be another variable.
[[nodiscard]] const clang::VarDecl* simply_named(const clang::Expr* expression);

}  // namespace steelyard::rewriter
