// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scope.hpp"
#include "shape.hpp"

namespace clang {
class CXXForRangeStmt;
class CXXTryStmt;
class DeclStmt;
class ForStmt;
class IfStmt;
class SwitchStmt;
}  // namespace clang

namespace steelyard::rewriter::cost {

/// Why costs are not known.
inline constexpr const char* may_end_early = "a loop that may end early";

/// getWL: what a piece of code costs.
class getwl {
 public:
  getwl(program& whole, const loop& of, const weighing& weights)
      : whole_(whole), of_(of), weights_(weights), sight(whole, of) {}

  [[nodiscard]] block of_body();

  /// What stood in the way, in the order of the text.
  struct finding {
    std::vector<std::string> unknown;  ///< costs that depend on the input and are not known
    std::vector<std::string> assumed;  ///< functions that are not seen, taken to cost the same each time
    std::string guard;                 ///< why a predicate over much work cannot be told
    double guarded = 0;                ///< how much work
    double early = 0;      ///< work of loops that may end early, by what hangs on the iteration or cannot be told
    std::string rough;     ///< why the slice may tell more than there is
    bool dearer = false;   ///< of two constants the larger one was taken
    bool inlines = false;  ///< a function that is called is a part of the slice
  };
  [[nodiscard]] const finding& found() const { return found_; }
  [[nodiscard]] const std::vector<place>& reads() const { return sight.reads; }
  [[nodiscard]] const std::set<std::string>& invariants() const { return sight.invariants; }

 private:
  using sequence = std::vector<const clang::Stmt*>;

  void statement(const clang::Stmt* at, block& into);
  void statements(const sequence& all, block& into);
  block nested(const clang::Stmt* body);
  block nested(const sequence& body);
  void declaration(const clang::DeclStmt& at, block& into);
  void define(const clang::VarDecl& variable, const std::string& how, std::vector<const clang::Expr*> values,
              block& into);
  void assignment(const clang::BinaryOperator& at, block& into);
  void set_by_both(const clang::IfStmt& at, block& into);
  void branch(const clang::IfStmt& at, const sequence& behind_then, const sequence& behind_else, block& into);
  void may_be_skipped();
  void attempt(const clang::CXXTryStmt& at, block& into);
  void once(const clang::Stmt* body, block& into);
  [[nodiscard]] bool is_guard(const clang::Stmt* branch);
  void choose(const clang::Expr* predicate, bool has_variable, block then, block otherwise, block& into);
  void for_loop(const clang::ForStmt& at, block& into);
  void range_loop(const clang::CXXForRangeStmt& at, block& into);
  void unknown_loop(const clang::Stmt& at, const clang::Stmt* body, const std::string& why, block& into);
  void other_loop(const clang::Stmt& at, block& into);
  void many_cases(const clang::SwitchStmt& at, block& into);
  void put_counted(const clang::ForStmt& at, const counted& loop, const scope::answer& bounds, block& into);
  bool ends_by_iteration(const clang::Stmt* at, bool by_break = true);
  void put_loop(std::unique_ptr<piece> made, const scope::answer& bounds, const clang::Stmt* body, bool constant,
                block& into);
  void skipped(const clang::ForStmt& at, const clang::VarDecl& variable, block& into);
  [[nodiscard]] bool on_iteration(const variables& depends) const;
  void same_each_time(const clang::ForStmt& at, block& into);
  scope::answer beside(const clang::VarDecl* variable);
  [[nodiscard]] bool only_unseen(const scope::answer& bounds, const clang::Stmt* exprs) const;
  void forget(const counted& loop);
  [[nodiscard]] std::string declared_again(const clang::VarDecl& variable) const;
  [[nodiscard]] std::string step_text(const counted& loop) const;
  void add(const clang::Stmt* at, block& into, double& weight);
  void expression(const clang::Expr* at, block& into, const std::string& name);
  void call(const clang::CallExpr& at, block& into, double& weight);
  void range_call(const clang::CallExpr& at, const clang::FunctionDecl& callee, block& into);
  void inlined(const clang::CallExpr& at, const clang::FunctionDecl& callee, block& into, double& weight);
  std::unique_ptr<piece> parameters(const clang::CallExpr& at, const clang::FunctionDecl& callee);
  [[nodiscard]] std::string why_not_inlined(const clang::FunctionDecl& callee) const;
  void not_known(const std::string& why) { found_.unknown.push_back(why); }
  void roughly(const std::string& why) {
    if (found_.rough.empty()) found_.rough = why;
  }
  [[nodiscard]] std::string name_of(const clang::Stmt* at, int part = 0) const;
  [[nodiscard]] double weigh(const clang::Stmt* at) const;
  [[nodiscard]] std::string text(clang::SourceRange range) const;

  program& whole_;
  const loop& of_;
  const weighing& weights_;
  scope sight;
  finding found_;
  unsigned next_name_ = 0;
  unsigned inlined_ = 0;
  std::map<const clang::FunctionDecl*, double> constant_;  // functions that cost the same each time
  unsigned loops_ = 0;                                     // around, in the body …
  double times_ = 1;                                       // … which run so often
  unsigned once_ = 0;                                      // `loops_`, and 1 more, of the innermost do … while (0)
  std::map<const clang::VarDecl*, const clang::DeclStmt*> without_value_;
};

}  // namespace steelyard::rewriter::cost
