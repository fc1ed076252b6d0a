// SPDX-License-Identifier: Apache-2.0
#include "trip.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "loops.hpp"
#include "nest.hpp"
#include "text.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

constexpr const char* number = "unsigned long long";

bool is_up(const level& of, bool step_is_negative) {
  switch (of.compare) {
    case comparison::less:
    case comparison::less_equal:
      return true;
    case comparison::greater:
    case comparison::greater_equal:
      return false;
    default:
      return of.subtracts == step_is_negative;
  }
}

/// The declaration up to the variable's name: `int `, `const char *`.
std::string type_as_written(const VarDecl& variable, const unit_text& text) {
  return text.line_of(stretch{text.offset(variable.getBeginLoc()), text.offset(variable.getLocation())});
}

/// `int (*row)[4]`
bool is_written_around(const VarDecl& variable, const unit_text& text) {
  const auto name = text.offset(variable.getLocation()) + variable.getName().size();
  return text.all().substr(name).ltrim().starts_with(")");
}

/// What the variable begins with. A constructor that is not written stands where the variable's name does.
std::string beginning(const level& of, const unit_text& text) {
  auto where = text.of(of.first->getSourceRange());
  if (of.declared_here)
    where.begin = static_cast<unsigned>(text.all().find('=', text.offset(of.variable->getLocation()))) + 1;
  return text.line_of(where);
}

/// No part is empty. Compilers that know it take what does not change out of the loop for good.
std::string unless(const std::string& more) { return "if (!(" + more + ")) __builtin_unreachable(); "; }

}  // namespace

trip::trip(const level& of, const unit_text& text, ASTContext& context, std::string suffix)
    : of_(of), text_(text), suffix_(std::move(suffix)) {
  if (of.kind == counter::range) {
    read_range();
  } else {
    read_for(context);
  }
}

void trip::read_for(ASTContext& context) {
  const QualType type = of_.variable->getType();
  if (of_.declared_here && is_written_around(*of_.variable, text_))
    reason_ = "the type of its variable is written around the name";
  if (type->isReferenceType() || type.isVolatileQualified()) reason_ = "its variable is a reference or volatile";
  if (of_.kind == counter::integer) {
    if (!type->isDependentType() && context.getTypeSize(type) > 64) reason_ = "its variable is wider than 64 bits";
    const QualType bound = plain(of_.bound)->getType();
    const bool counts =
        bound->isDependentType() || (bound->isIntegralOrUnscopedEnumerationType() && context.getTypeSize(bound) <= 64);
    if (!counts) reason_ = "its bound is no integer";
    // Clang does, GCC takes the bound for one of the variable's type.
    const bool differ = type->isDependentType() || bound->isDependentType() ||
                        type->isSignedIntegerOrEnumerationType() != bound->isSignedIntegerOrEnumerationType();
    asks_first_ =
        text_.is_for_clang() && differ && of_.compare != comparison::not_equal && !constant_of(of_.bound, context);
  }
  if (!reason_.empty()) return;
  type_ = of_.declared_here ? type_as_written(*of_.variable, text_) : "";
  inclusive_ = of_.compare == comparison::less_equal || of_.compare == comparison::greater_equal;
  increment_ = text_.line_of(cast<ForStmt>(of_.statement)->getInc()->getSourceRange());
  first_ = beginning(of_, text_);
  bound_ = text_.line_of(of_.bound->getSourceRange());
  read_step(context);
}

/// `begin` and `end` as the standard finds them: members, an array's, or functions that are looked up by the range's type.
void trip::read_range() {
  const auto& loop = *cast<CXXForRangeStmt>(of_.statement);
  const auto* begin = loop.getBeginStmt();
  if (begin == nullptr || loop.getInit() != nullptr) {
    reason_ = "a range-based for that depends on a template's argument, or has a statement before it";
    return;
  }
  const auto range = name("range");
  const auto* call = plain(cast<VarDecl>(begin->getSingleDecl())->getInit());
  first_ = range;
  bound_ = range + " + sizeof(" + range + ") / sizeof(" + range + "[0])";
  if (isa<CXXMemberCallExpr>(call)) {
    first_ = range + ".begin()";
    bound_ = range + ".end()";
  } else if (isa<CallExpr>(call)) {
    first_ = "begin(" + range + ")";
    bound_ = "end(" + range + ")";
  }
  type_ = "auto ";
  magnitude_ = "1";
  before_ = "auto &&" + range + " = " + text_.line_of(loop.getRangeInit()->getSourceRange()) + "; ";
  const auto at = text_.offset(loop.getLoopVarStmt()->getBeginLoc());
  plain_element_ = text_.line_of(stretch{at, text_.offset(loop.getColonLoc())});
  element_ = text_.back_to(at) + plain_element_;
}

void trip::read_step(ASTContext& context) {
  if (of_.step == nullptr) {
    up_ = is_up(of_, false);
    magnitude_ = "1";
    if (up_ == of_.subtracts) reason_ = "its step leads away from its bound";
    return;
  }
  const auto value = constant_of(of_.step, context);
  if (value && *value == 0) reason_ = "its step is 0";
  up_ = is_up(of_, value && value->isNegative());
  // As written: another instantiation may have another one.
  const bool turned = up_ == of_.subtracts;
  const auto step = "(unsigned long long)(" + text_.line_of(of_.step->getSourceRange()) + ")";
  magnitude_ = turned ? "0ULL - " + step : step;
  // The way down by an unsigned number is as long as its type says.
  const bool wraps = of_.kind == counter::integer && of_.variable->getType()->isUnsignedIntegerType();
  if (turned && wraps) magnitude_ = "(__typeof__(" + name("first") + "))(" + magnitude_ + ")";
}

std::string trip::distance() const {
  const auto first = name("first");
  const auto last = name("last");
  const auto low = up_ ? first : last;
  const auto high = up_ ? last : first;
  if (of_.kind == counter::integer) return "((" + std::string(number) + ")" + high + " - (" + number + ")" + low + ")";
  return "((long long)(" + high + " - " + low + "))";
}

bool trip::same_text(const trip& other) const {
  if (!reason_.empty() || !other.reason_.empty()) return false;
  return declarations() == other.declarations() && loop("", "", "") == other.loop("", "", "");
}

std::string trip::declarations() const {
  const auto first = name("first");
  const auto last = name("last");
  const auto type = of_.declared_here ? type_ : "__typeof__(" + of_.variable->getNameAsString() + ") ";
  std::string all = before_ + type + first + " = " + first_ + "; ";
  if (of_.kind == counter::integer) {
    const auto bound = asks_first_ ? name("bound") : bound_;
    if (asks_first_) all += "__typeof__(+(" + bound_ + ")) " + bound + " = " + bound_ + "; ";
    all += "__typeof__(" + first + ") " + last + " = (__typeof__(" + first + "))(" + bound + "); ";
  } else {
    const auto measured = of_.kind == counter::pointer ? "&*(" + bound_ + ")" : bound_;  // an array is a pointer here
    all += "__typeof__(" + measured + ") " + last + " = " + bound_ + "; ";
  }
  if (!steps_by_one()) all += std::string(number) + " " + name("step") + " = " + magnitude_ + "; ";
  const auto beyond = up_ ? (inclusive_ ? " > " : " >= ") : (inclusive_ ? " < " : " <= ");
  std::string none =
      of_.kind != counter::integer ? distance() + (inclusive_ ? " < 0" : " <= 0") : first + beyond + last;
  if (asks_first_) none = "(" + none + " || " + first + beyond + name("bound") + ")";
  all += std::string(number) + " " + count() + " = " + none + " ? 0 : ((" + number + ")" + distance() +
         (inclusive_ ? "" : " - 1") + ") / " + step() + " + 1; ";
  return all;
}

bool trip::steps_by_one() const { return magnitude_ == "1"; }

std::string trip::step() const { return steps_by_one() ? "1ULL" : name("step"); }

std::string trip::shared_names() const { return name("first") + (steps_by_one() ? "" : ", " + name("step")); }

std::string trip::value_at(const std::string& iteration) const {
  const auto first = name("first");
  const auto moved = iteration + " * " + step();
  if (of_.kind == counter::integer) {
    return "(__typeof__(" + first + "))((" + number + ")" + first + (up_ ? " + " : " - ") + moved + ")";
  }
  return first + (up_ ? " + " : " - ") + "(long long)(" + moved + ")";
}

std::string trip::start_of(const std::string& value) const {
  return (of_.declared_here ? type_ : "") + of_.variable->getNameAsString() + " = " + value;
}

std::string trip::variable_at(const std::string& iteration) const { return start_of(value_at(iteration)) + ";"; }

std::string trip::copy_at(const std::string& iteration) const {
  if (of_.kind == counter::range) return plain_element_ + " = *(" + value_at(iteration) + "); ";
  return "__typeof__(" + name("first") + ") " + of_.variable->getNameAsString() + " = " + value_at(iteration) + "; ";
}

std::string trip::key() const {
  return of_.kind == counter::integer ? "steelyard_key(" + step() + ", (unsigned long long)" + name("first") + ")"
                                      : step();
}

std::string trip::loop(const std::string& begin, const std::string& end, const std::string& directive) const {
  const auto from = name("from");
  std::string all = "{ __typeof__(" + name("first") + ") " + from + " = " + value_at(begin) + "; ";
  if (of_.kind == counter::iterator || of_.kind == counter::range) {
    // What lies behind the last element may not be reached. An iterator may not even be moved there, past the end.
    const auto left = name("left");
    all += std::string(number) + " " + left + " = " + end + " - " + begin + "; " + unless(left + " != 0");
    if (of_.kind == counter::range) {
      return all + "for (; " + left + " != 0; --" + left + ", ++" + from + ") {" + element_ + " = *" + from + ";";
    }
    return all + directive + "for (" + start_of(from) + "; " + left + " != 0; (void)(--" + left + " != 0 && ((void)(" +
           increment_ + "), true)))";
  }
  const auto more = (up_ ? " < " : " > ") + name("to");
  all += "__typeof__(" + name("first") + ") " + name("to") + " = " + value_at(end) + "; " + unless(from + more);
  return all + directive + "for (" + start_of(from) + "; " + of_.variable->getNameAsString() + more + "; " +
         increment_ + ")";
}

}  // namespace steelyard::rewriter
