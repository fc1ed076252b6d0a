// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <clang/Basic/SourceLocation.h>
#include <llvm/ADT/StringRef.h>

namespace clang {
class ASTContext;
class Stmt;
}  // namespace clang

namespace steelyard::rewriter {

/// A stretch of the unit's text.
struct stretch {
  unsigned begin = 0;
  unsigned end = 0;
};

/// The unit's text by positions: what stands where, and in which line of the user's.
class unit_text {
 public:
  unit_text(clang::ASTContext& context, bool for_clang);
  [[nodiscard]] bool is_for_clang() const { return for_clang_; }  ///< who compiles it
  [[nodiscard]] llvm::StringRef all() const { return text_; }
  [[nodiscard]] unsigned offset(clang::SourceLocation location) const;
  [[nodiscard]] stretch of(clang::SourceRange range) const;
  /// With the semicolon that belongs to it.
  [[nodiscard]] stretch of_statement(const clang::Stmt& statement) const;
  /// Whether it ends elsewhere: with a branch of `if constexpr` that the instantiation leaves out.
  [[nodiscard]] bool ends_unseen(const clang::Stmt& statement) const;
  /// Over blanks and markers.
  [[nodiscard]] unsigned next_word(unsigned at) const;
  /// In one line, without markers.
  [[nodiscard]] std::string line_of(clang::SourceRange range) const;
  [[nodiscard]] std::string line_of(stretch where) const;
  /// `# LINE "FILE"`, and a 3 that makes compilers silent about what follows; in lines of their own.
  [[nodiscard]] std::string marker(unsigned at, bool silent) const;
  /// A marker, and blanks up to the column.
  [[nodiscard]] std::string back_to(unsigned at) const;

 private:
  [[nodiscard]] bool stands_for_another(const clang::Stmt& statement) const;
  clang::ASTContext& context_;
  bool for_clang_;
  clang::FileID file_;
  llvm::StringRef text_;
};

/// Replacements in a text; none overlaps another.
class edits {
 public:
  void replace(stretch where, std::string with) { all_.push_back({where, std::move(with)}); }
  void insert(unsigned at, std::string text) { replace({at, at}, std::move(text)); }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] std::string applied_to(llvm::StringRef text) const;

 private:
  struct edit {
    stretch where;
    std::string with;
  };
  std::vector<edit> all_;
};

}  // namespace steelyard::rewriter
