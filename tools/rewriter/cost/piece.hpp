// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace clang {
class Expr;
class VarDecl;
}  // namespace clang

namespace steelyard::rewriter::cost {

/// What does not depend on the input: a weight, and the paper's names for it.
struct constant {
  double weight = 0;
  std::vector<std::string> names;

  void add(const constant& other, double times = 1) {
    weight += times * other.weight;
    names.insert(names.end(), other.names.begin(), other.names.end());
  }
};

using variables = std::set<const clang::VarDecl*>;

struct piece;

/// What a list of statements costs: a constant, and what depends on the input, in the order of the text.
struct block {
  constant fixed;
  std::vector<std::unique_ptr<piece>> parts;

  [[nodiscard]] bool varies() const;        ///< parts add something
  [[nodiscard]] variables depends() const;  ///< on which loops' variables that depends
  [[nodiscard]] double typical() const;     ///< its weight, if loops run as often as usual
  [[nodiscard]] double price() const;       ///< of the slice
  [[nodiscard]] bool may_fault() const;     ///< the slice reads memory, or divides
};

/// A part of a slice.
struct piece {
  enum class form { definition, closed_loop, real_loop, branch, maximum, call };
  form is = form::definition;
  bool needed = true;                        ///< a definition: something else of the slice reads the variable
  const clang::VarDecl* variable = nullptr;  ///< defined, or the loop's
  std::string opening;    ///< of a definition: its text. Of a loop: what declares and sets its variable
  std::string condition;  ///< of a loop or a branch
  std::string step;       ///< of a loop that is run through
  std::string range;      ///< the header of a range-based one
  std::string trips;      ///< of a closed one, where `condition` holds
  std::string bound;      ///< for the formula
  constant each_time;     ///< of a loop: its predicate and its increment
  double usual_trips = 1;
  bool faults = false;  ///< its own expressions may
  variables own_depends;
  block body;
  block otherwise;
};

/// Prints a slice. Numbers the constants, and hands their weights out.
class printer {
 public:
  [[nodiscard]] std::string text_of(const block& whole);
  [[nodiscard]] const std::vector<double>& seeds() const { return seeds_; }

 private:
  std::string inside(const block& list);
  std::string text_of(const piece& part);
  std::string add(double weight);
  std::string factor(double weight);

  std::vector<double> seeds_;
};

[[nodiscard]] std::string formula_of(const block& whole);

}  // namespace steelyard::rewriter::cost
