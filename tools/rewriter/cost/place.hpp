// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include <clang/AST/Type.h>

namespace clang {
class ASTContext;
class Decl;
class Expr;
class FieldDecl;
class FunctionDecl;
class VarDecl;
}  // namespace clang

namespace steelyard::rewriter::cost {

/// What is read or written: by the variable over which it is reached, the field, and the type. A class as the root is `this`. Two
/// roots that are known and differ are taken not to overlap.
struct place {
  const clang::Decl* root = nullptr;  ///< null: unknown
  const clang::FieldDecl* field = nullptr;
  clang::QualType type;  ///< null: any
  bool direct = false;   ///< the variable itself
  bool within = false;   ///< the variable or a part of it: no pointer lies on the way
  bool member = false;   ///< a part of `*this`, likewise
  bool called = false;   ///< read by a function that is called, or as its default argument

  [[nodiscard]] bool operator<(const place& other) const {
    const auto key = [](const place& of) {
      return std::tuple(of.root, of.field, of.type.getAsOpaquePtr(), of.direct, of.within, of.member, of.called);
    };
    return key(*this) < key(other);
  }
};

/// The variable over which an expression reaches memory.
[[nodiscard]] const clang::Decl* root_of(const clang::Expr* expression);
[[nodiscard]] place place_of(const clang::Expr* lvalue);
[[nodiscard]] bool may_overlap(const place& read, const place& write, const clang::ASTContext& context);

/// A pointer, a reference, or what holds one and does not own what it points to: an iterator, a view. What is reached over it may be
/// reached over others, too.
[[nodiscard]] bool is_handle(clang::QualType type);
/// Whether what is made of the value may lead to memory of others: numbers do not, unless a reference to one is taken.
[[nodiscard]] bool may_lead(const clang::Expr& value);
/// Whether no one may write over it: all that it points to is const.
[[nodiscard]] bool only_reads(clang::QualType type);

/// A variable that only its own function can reach by name; no handle.
[[nodiscard]] bool is_local_object(const clang::Decl* root);

/// Whether a variable is made anew with each call. A lambda's body names variables of the function around it, too, and its own, which stay.
[[nodiscard]] bool is_of(const clang::FunctionDecl& function, const clang::VarDecl& variable);

/// Without parentheses, casts and temporaries.
[[nodiscard]] const clang::Expr* bare(const clang::Expr* expression);

}  // namespace steelyard::rewriter::cost
