// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "access.hpp"

namespace steelyard::rewriter {

/// A reference or pointer to what is not const.
[[nodiscard]] bool leads_to_what_may_change(clang::QualType type);

/// Whether who has an object of this type, but may not change it, may change what others see all the same: it holds something by reference or by
/// pointer, or has mutable members. Of what the standard library defines: smart pointers, iterators, spans, but no containers. `object`:
/// a method is called on it, so that those of the library do not count: what they return is followed.
[[nodiscard]] bool reaches_elsewhere(clang::QualType type, bool object);

/// Which variables of a thread may lead to the same memory of its own: pointers, references, closures and the like are put together with all of the
/// thread's that they were made from. The thread's are `own`, and what the piece of a program declares.
class aliases {
 public:
  aliases(const clang::Stmt& piece, const variables& own);

  /// With those that any of them leads to, or that lead to any of them.
  [[nodiscard]] variables with_others(const variables& some) const;

 private:
  void collect(const clang::Stmt* at);
  void unite_all_in(const clang::Stmt* at, variables together);
  [[nodiscard]] const clang::VarDecl* first_of(const clang::VarDecl* variable) const;

  variables own_;
  std::map<const clang::VarDecl*, const clang::VarDecl*> next_;  // to the first of its group
};

}  // namespace steelyard::rewriter
