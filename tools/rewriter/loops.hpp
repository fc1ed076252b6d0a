// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class Expr;
class FunctionDecl;
class OMPExecutableDirective;
class Stmt;
class VarDecl;
}  // namespace clang

/// Finds the worksharing loops of a unit and describes them.
namespace steelyard::rewriter {

enum class comparison { less, less_equal, greater, greater_equal, not_equal };

/// What a loop's variable is.
enum class counter { integer, pointer, iterator, range };

/// One `for` of the loops that a directive associates, as the standard's canonical form has it. Expressions are those of the
/// text: in a template, of one instantiation.
struct level {
  const clang::Stmt* statement = nullptr;  ///< a ForStmt, or a CXXForRangeStmt
  const clang::VarDecl* variable = nullptr;
  bool declared_here = false;  ///< in the header; else `i` of `int i; … for (i = 0; …)`
  counter kind = counter::integer;
  const clang::Expr* first = nullptr;  ///< null in a range-for, as is what follows
  const clang::Expr* bound = nullptr;
  comparison compare = comparison::less;  ///< with the variable on the left, whichever way it was written
  const clang::Expr* step = nullptr;      ///< null: 1
  bool subtracts = false;                 ///< `--i`, `i -= step`
};

/// A worksharing loop directive and the loops it associates. A template has one description for all its instantiations.
struct worksharing_loop {
  const clang::OMPExecutableDirective* directive = nullptr;  ///< an instantiation, if there is one
  const clang::OMPExecutableDirective* region =
      nullptr;  ///< of a separate loop: the innermost region it stands in; null: orphaned
  const clang::FunctionDecl* function = nullptr;
  bool tries = false;                 ///< a `try` stands between it and its region
  bool combined = false;              ///< `parallel for`
  bool simd = false;                  ///< `for simd`
  bool dependent = false;             ///< in a template of which Clang sees no instance in this unit
  std::vector<level> nest;            ///< outermost first: as many as collapse says
  const clang::Stmt* body = nullptr;  ///< of the innermost
  unsigned offset = 0;                ///< of the directive's `#` in the text
  std::string file;                   ///< where the user's source has it
  unsigned line = 0;
  std::string unfit;                     ///< why `nest` could not be described; empty: it is
  std::vector<worksharing_loop> others;  ///< the other instantiations, each with its own types
};

/// All worksharing loops of what the user wrote, in the order of the text; none of system headers.
[[nodiscard]] std::vector<worksharing_loop> find_loops(clang::ASTContext& context);

}  // namespace steelyard::rewriter
