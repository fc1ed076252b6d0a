// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "library.hpp"
#include "place.hpp"

namespace clang {
class CallExpr;
class CXXConstructExpr;
class CXXMethodDecl;
class CXXNewExpr;
class LambdaExpr;
class Stmt;
}  // namespace clang

namespace steelyard::rewriter::cost {

class program;

/// What a piece of code writes and reads, functions that it calls included where their bodies are seen.
class effects {
 public:
  explicit effects(program& whole) : whole_(&whole) {}
  void add(const clang::Stmt* piece);
  /// The function around it, where pointers get their values.
  void stands_in(const effects* function) { before_ = function; }

  /// Why something may be written while the piece runs; empty: it is not.
  [[nodiscard]] std::string why_written(const place& read) const;
  /// The places where a variable gets a value.
  [[nodiscard]] const std::set<const clang::Expr*>& definitions(const clang::VarDecl* variable) const;
  [[nodiscard]] bool harmless() const { return harmless_; }  ///< neither allocates, throws, loops nor has asm
  [[nodiscard]] const std::string& unseen() const { return unseen_; }
  [[nodiscard]] std::vector<place> writes() const;  ///< over their last roots
  [[nodiscard]] const std::set<place>& reads() const { return reads_; }

 private:
  void read(place from);
  void read_members(const clang::Expr& object);
  void make(const clang::CXXConstructExpr& made);
  void destroy(clang::QualType type);
  void allocate(const clang::CXXNewExpr& fresh);
  void capture(const clang::LambdaExpr& lambda);
  void expose(const clang::Expr* object);
  void expose_to(const clang::FunctionDecl& callee, const std::vector<const clang::Expr*>& arguments);
  [[nodiscard]] bool is_exposed(const clang::VarDecl* variable) const;
  void write(const clang::Expr* lvalue, const clang::Expr* value);
  void call(const clang::Expr& site, const clang::FunctionDecl* callee, const clang::Expr* object,
            std::vector<const clang::Expr*> arguments);
  void call(const clang::CallExpr& site);
  void change(const clang::Expr& object, const clang::CXXMethodDecl& by, const clang::Expr& with);
  void hand_over(const clang::Expr* argument, clang::QualType parameter);
  void set_pointer(const clang::Expr* object, const place& member, const std::vector<const clang::Expr*>& arguments);
  void take_over(const effects& callee, const clang::FunctionDecl& function, const clang::Expr* object,
                 const std::vector<const clang::Expr*>& arguments);
  void expression(const clang::Expr& at);
  [[nodiscard]] std::set<const clang::Decl*> origins_of(const clang::Decl* root) const;
  [[nodiscard]] std::set<const clang::Decl*> last_roots(const clang::Decl* root) const;
  [[nodiscard]] std::vector<place> over_last_roots(place there) const;
  [[nodiscard]] std::string why_written_there(const place& read) const;

  program* whole_;
  const effects* before_ = nullptr;
  std::set<place> writes_;
  std::set<place> reads_;
  std::map<const clang::VarDecl*, std::set<const clang::Expr*>> definitions_;
  std::set<const clang::VarDecl*> partly_set_;  // a pointer in it is set, and others keep their values
  std::set<const clang::Decl*> exposed_;        // whose address is taken, or a reference to them
  std::string unseen_;                          // a function without a body
  bool harmless_ = true;
  bool of_callee_ = false;  // a default value, which names what is in sight of its declaration
};

/// The functions of a unit, each looked at once.
class program {
 public:
  explicit program(clang::ASTContext& context) : context_(context) {}
  [[nodiscard]] clang::ASTContext& context() const { return context_; }
  /// Of its body; null where there is none, or while it is looked at: it calls itself.
  const effects* of(const clang::FunctionDecl* function);
  /// Whether a call changes nothing that its caller can see.
  bool is_pure(const clang::FunctionDecl* function);
  /// What the unit sets a global pointer from, anywhere.
  [[nodiscard]] const std::set<const clang::Expr*>& values_of_global(const clang::VarDecl& variable);
  [[nodiscard]] bool is_system(const clang::Decl* declaration) const;
  /// Whether that is the function whose body is looked at right now.
  [[nodiscard]] bool is_innermost(const clang::FunctionDecl* function) const;

 private:
  clang::ASTContext& context_;
  std::optional<std::map<const clang::VarDecl*, std::set<const clang::Expr*>>> globals_;
  std::vector<const clang::FunctionDecl*> looked_at_;
  std::map<const clang::FunctionDecl*, std::unique_ptr<effects>> known_;
};

/// Whether Clang has found no error in it. (Then some of its body is missing, and nobody knows what it does.)
[[nodiscard]] bool is_understood(const clang::FunctionDecl& function);

[[nodiscard]] const clang::FunctionDecl* body_of(const clang::FunctionDecl* function);

}  // namespace steelyard::rewriter::cost
