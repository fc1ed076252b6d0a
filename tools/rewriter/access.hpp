// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <clang/AST/Stmt.h>

namespace clang {
class BinaryOperator;
class CallExpr;
class CXXConstructExpr;
class CXXOperatorCallExpr;
class Expr;
class QualType;
class VarDecl;
}  // namespace clang

namespace steelyard::rewriter {

using variables = std::set<const clang::VarDecl*>;

/// The variable at the root of a place, of `a.b[i]` and `*p` a and p; null: it has none.
[[nodiscard]] const clang::VarDecl* root_of(const clang::Expr* place);

/// The variable of a reduction that is only added to, whatever its value: `sum += x` and `++sum`. Null: it is something else.
[[nodiscard]] const clang::VarDecl* added_to(const clang::Expr& expression, const variables& summed);

/// Whether a statement, or one in it, is of these kinds.
template <class... Kinds>
bool contains_any(const clang::Stmt* at) {
  if (at == nullptr) return false;
  return llvm::isa<Kinds...>(at) || std::any_of(at->child_begin(), at->child_end(), contains_any<Kinds...>);
}

/// What a piece of a program does with some variables: which it may read before it writes them, and which it may write. Members and elements with
/// constant numbers are told apart; what is written through a variable counts as written in it.
class access {
 public:
  access(const variables& watched, const variables& summed) : watched_(watched), summed_(summed) {}

  /// Follows the order in which statements run. Where they jump nothing is written for sure.
  void piece(const clang::Stmt* at);

  variables exposed;  ///< perhaps read first
  variables written;

 private:
  /// A variable, or a part of one: its members and constant elements, in words. `exact`: no more than that.
  struct place {
    const clang::VarDecl* variable = nullptr;
    std::string path;
    bool exact = true;
  };
  using settled = std::set<std::pair<const clang::VarDecl*, std::string>>;

  static place place_of(const clang::Expr* at);
  void perhaps(const clang::Stmt* at);
  void statement(const clang::Stmt& at);
  void of_loop(const clang::Stmt& at);
  void of_branch(const clang::IfStmt& branch);
  void of_switch(const clang::SwitchStmt& choice);
  void of_unordered(const clang::Stmt& at);
  void of_declaration(const clang::DeclStmt& declaration);
  void of_expression(const clang::Expr& given);
  void of_assignment(const clang::BinaryOperator& assignment);
  bool is_assignment_of_object(const clang::CXXOperatorCallExpr& call);
  bool fills_memory(const clang::CallExpr& call);
  bool sets_results(const clang::CallExpr& call);
  bool runs_through(const clang::ForStmt& loop) const;
  void of_construction(const clang::CXXConstructExpr& made);
  void of_call(const clang::CallExpr& call);
  void indexes_of(const clang::Expr* at);
  void settle_filled(const clang::ForStmt& loop);
  void written_through(const clang::Expr* at);
  void write(const clang::VarDecl* variable);
  void write_over(const place& at);
  void read(const place& at);

  const variables& watched_;
  const variables& summed_;
  settled settled_;  // written for sure, or declared, on every way that leads here
  settled at_switch_;
  int below_ = 0;  // calls of `piece` that are under way
  const clang::Stmt* whole_ = nullptr;
  bool jumps_ = false;
};

}  // namespace steelyard::rewriter
