// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clang {
class ASTContext;
}

namespace steelyard::rewriter {

struct level;
class unit_text;

/// The text that counts a loop's iterations and steps through a part of them. Names end in the loop's suffix.
class trip {
 public:
  trip(const level& of, const unit_text& text, clang::ASTContext& context, std::string suffix);

  [[nodiscard]] std::string reason() const { return reason_; }  ///< why there is none; empty: there is
  /// Whether all that is written of the two is the same.
  [[nodiscard]] bool same_text(const trip& other) const;
  /// Declares `first`, `last` and `count`.
  [[nodiscard]] std::string declarations() const;
  [[nodiscard]] std::string count() const { return name("count"); }
  /// The names that a part needs, for a clause.
  [[nodiscard]] std::string shared_names() const;
  /// `{ … for (…)`, for iterations [begin, end), with `directive` before the `for`; one brace is left open, of a range-based for
  /// two.
  [[nodiscard]] std::string loop(const std::string& begin, const std::string& end, const std::string& directive) const;
  /// A declaration of the variable at an iteration, and a step to the next, for the outer loops of a nest.
  [[nodiscard]] std::string variable_at(const std::string& iteration) const;
  /// Another variable of this name, of the same value there.
  [[nodiscard]] std::string copy_at(const std::string& iteration) const;
  /// A number that stands for its first value and its step.
  [[nodiscard]] std::string key() const;

 private:
  [[nodiscard]] std::string name(const char* what) const { return "steelyard_" + std::string(what) + suffix_; }
  [[nodiscard]] std::string value_at(const std::string& iteration) const;
  [[nodiscard]] std::string start_of(const std::string& value) const;
  [[nodiscard]] std::string distance() const;
  [[nodiscard]] bool steps_by_one() const;
  [[nodiscard]] std::string step() const;
  void read_range();
  void read_for(clang::ASTContext& context);
  void read_step(clang::ASTContext& context);

  const level& of_;
  const unit_text& text_;
  std::string suffix_;
  std::string reason_;
  std::string type_;       // of the variable, as written
  std::string magnitude_;  // of the step
  std::string increment_;  // as written
  std::string first_;
  std::string bound_;
  std::string before_;   // declared before these
  std::string element_;  // of a range-based for: what it declares, and the marker of its line
  std::string plain_element_;
  bool up_ = true;
  bool inclusive_ = false;
  bool asks_first_ = false;  // whether there is an iteration, as the source compares its variable and its bound
};

}  // namespace steelyard::rewriter
