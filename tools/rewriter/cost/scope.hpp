// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <llvm/ADT/FoldingSet.h>

#include "cost.hpp"
#include "effects.hpp"
#include "piece.hpp"

namespace clang {
class CallExpr;
class CXXDefaultArgExpr;
class DeclRefExpr;
class SourceRange;
class ValueDecl;
}  // namespace clang

namespace steelyard::rewriter::cost {

/// The source of a range in one line, without line markers.
[[nodiscard]] std::string source_of(clang::SourceRange range, const clang::ASTContext& context);

/// What a slice can evaluate at a point of the body: which variables have a value there, and which reads are safe. See cost.md for
/// the rules, which the code cites.
class scope {
 public:
  /// A value that a variable has from here on.
  struct definition {
    std::vector<piece*> pieces;  ///< that the slice needs for it
    std::vector<const clang::Expr*> values;
    std::size_t depth = 0;   ///< of calls, where the values stand
    bool unguarded = false;  ///< likewise
    enum class state { unchecked, good, bad } checked = state::unchecked;
    std::string reason;
    bool skipped = false;
    variables depends;
  };

  /// What an expression is found to be.
  struct answer {
    std::string reason;  ///< why it cannot be told; empty: it can
    variables depends;
    bool faults = false;
    bool skipped = false;  ///< nothing is in the way but a jump that may lead past it
  };

  scope(program& whole, const loop& of);

  [[nodiscard]] answer evaluate(const clang::Expr* expression, bool divides = false);
  /// The body evaluates it here, so it may be evaluated behind, whatever jumps there are.
  void happens(const clang::Expr* expression);
  [[nodiscard]] bool has_happened(const clang::Expr* expression) const;
  /// How often the loop's body gives it a value; 0 where it may have others that nobody sees.
  [[nodiscard]] std::size_t values_of(const clang::VarDecl* variable) const;
  [[nodiscard]] const effects& changes() const { return changes_; }

  /// What holds at a point of the body.
  struct state {
    std::map<const clang::VarDecl*, definition> definitions;  // in sight
    std::set<llvm::FoldingSetNodeID> happened;                // expressions that the body has evaluated
    bool unguarded = false;  // a jump may lead past what comes now, and the slice has no guard for that: rule 3
  } here;
  variables counters;                             // of the loops around
  std::vector<const clang::FunctionDecl*> calls;  // that are being inlined
  std::set<std::string> invariants;               // names of what is read from outside of the loop
  std::vector<place> reads;                       // of all that was evaluated

 private:
  void walk(const clang::Expr* at, answer& found);
  void variable(const clang::VarDecl* named, answer& found);
  void outer_variable(const clang::VarDecl* named, answer& found);
  void name(const clang::DeclRefExpr& at, answer& found);
  void operation(const clang::Expr* at, answer& found);
  void call(const clang::CallExpr& at, answer& found);
  void default_argument(const clang::CXXDefaultArgExpr& at, answer& found);
  void may_fault(answer& found) const;
  void memory(const clang::Expr* expression, answer& found);
  void demand(definition& value, answer& found);
  [[nodiscard]] bool is_hidden(const clang::ValueDecl& named) const;
  [[nodiscard]] bool is_inside(const clang::Stmt* piece, const clang::Decl* declaration) const;

  program& whole_;
  const loop& of_;
  effects changes_;
  variables private_;
  std::set<std::string> local_names_;
};

}  // namespace steelyard::rewriter::cost
