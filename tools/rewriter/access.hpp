// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <clang/AST/Stmt.h>

namespace clang {
class BinaryOperator;
class CallExpr;
class CXXConstructExpr;
class CXXOperatorCallExpr;
class Expr;
class ParmVarDecl;
class QualType;
class VarDecl;
}  // namespace clang

namespace steelyard::rewriter {

using variables = std::set<const clang::VarDecl*>;

/// The variable at the root of a place, of `a.b[i]` and `*p` a and p; null: it has none.
[[nodiscard]] const clang::VarDecl* root_of(const clang::Expr* place);

/// The variable of a reduction that is only added to, whatever its value: `sum += x` and `++sum`. Null: it is something else.
[[nodiscard]] const clang::VarDecl* added_to(const clang::Expr& expression, const variables& summed);

/// What a call is given: an object that its method is called on, or an argument for a parameter; null: which is not known.
struct handed {
  const clang::Expr* what;
  const clang::ParmVarDecl* parameter = nullptr;
  bool is_object = false;
};
[[nodiscard]] std::vector<handed> handed_to(const clang::CallExpr& call);

/// Whether the method that it calls leaves its object as it is.
[[nodiscard]] bool calls_const_method(const clang::CallExpr& call);

/// Whether a statement, or one in it, is of these kinds.
template <class... Kinds>
bool contains_any(const clang::Stmt* at) {
  if (at == nullptr) return false;
  return llvm::isa<Kinds...>(at) || std::any_of(at->child_begin(), at->child_end(), contains_any<Kinds...>);
}

/// What a piece of a program does with some variables.
struct touched {
  variables exposed;  ///< it may read them before it writes them
  variables written;  ///< it may write them
};

/// Follows the order in which the statements of a piece run. Where they jump nothing is written for sure. Members and elements with constant
/// numbers are told apart; what is written through a variable counts as written in it.
class access {
 public:
  [[nodiscard]] static touched of(const clang::Stmt& whole, const variables& watched, const variables& summed);

 private:
  access(const clang::Stmt& whole, const variables& watched, const variables& summed);

  /// A variable, or a part of one: its members and constant elements, in words. `exact`: no more than that.
  struct place {
    const clang::VarDecl* variable = nullptr;
    std::string path;
    bool exact = true;
  };
  using settled = std::set<std::pair<const clang::VarDecl*, std::string>>;

  /// A loop from 0 to a constant: what counts, and how often. `counter` is null: it is another.
  struct count {
    const clang::VarDecl* counter = nullptr;
    std::uint64_t iterations = 0;
  };

  static place place_of(const clang::Expr* at);
  void piece(const clang::Stmt* at);
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
  [[nodiscard]] count count_of(const clang::ForStmt& loop) const;
  void of_construction(const clang::CXXConstructExpr& made);
  void of_call(const clang::CallExpr& call);
  void indexes_of(const clang::Expr* at);
  void settle_filled(const clang::Stmt& body, const count& counted);
  void written_through(const clang::Expr* at);
  void write(const clang::VarDecl* variable);
  void write_over(const place& at);
  void read(const place& at);

  const variables& watched_;
  const variables& summed_;
  settled settled_;  // written for sure, or declared, on every way that leads here
  settled at_switch_;
  const clang::Stmt& whole_;
  bool jumps_;
  touched found_;
};

}  // namespace steelyard::rewriter
