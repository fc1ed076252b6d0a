// SPDX-License-Identifier: Apache-2.0
#include "rewrite.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>

#include "access.hpp"
#include "block.hpp"
#include "clauses.hpp"
#include "loops.hpp"
#include "nest.hpp"
#include "reach.hpp"
#include "site.hpp"
#include "stating.hpp"
#include "text.hpp"
#include "trip.hpp"
#include "uses.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

/// Builds what stands in place of one loop.
class emission {
 public:
  emission(const worksharing_loop& loop, const verdict& by, const told_costs& costs, unsigned number,
           const unit_text& text, ASTContext& context)
      : loop_(loop), by_(by), costs_(costs), text_(text), suffix_("_" + std::to_string(number)),
        clauses_(read_clauses(loop, text)), block_(loop.combined ? std::nullopt : variables_of_block(loop, context)) {
    trips_ = trips_of(loop.nest, context);
    fits_all_ = fits_all_instances(context);
    asks_in_header_ = loop.combined && asks_in_headers(loop, context);
    if (context.getLangOpts().CPlusPlus) address_ = "__builtin_addressof";
  }

  [[nodiscard]] std::string reason() const {
    for (const auto& each : trips_) {
      if (!each.reason().empty()) return each.reason();
    }
    if (!fits_all_) return "its instantiations count in different ways";
    if (asks_for_line()) return "one of its headers asks for its line";
    if (begins_elsewhere()) return "its directive and its headers are in several files";
    if (ends_unseen()) return "it ends in a branch that its instantiations leave out";
    return pragma_within() ? "a pragma stands before one of its headers, or in it" : "";
  }

  void apply(edits& changes) {
    auto nest = text_.of_statement(*loop_.nest.front().statement);
    auto body = text_.of_statement(*loop_.body);
    for (const auto& each : loop_.others) {  // each leaves out other branches of `if constexpr`
      nest.end = std::max(nest.end, text_.of_statement(*each.nest.front().statement).end);
      body.end = std::max(body.end, text_.of_statement(*each.body).end);
    }
    // Clang takes an instantiated fold to begin within its parentheses.
    const auto header = end_of_header(loop_.nest.back());
    body.begin = pragma_or(header, std::min(text_.next_word(header), body.begin));
    changes.replace({body.end, nest.end}, after(body.end, nest.end));
    changes.replace({loop_.offset, body.begin}, before(nest.begin, body.begin));
  }

 private:
  [[nodiscard]] std::string name(const char* what) const { return "steelyard_" + std::string(what) + suffix_; }
  [[nodiscard]] std::string name_of_last(std::size_t i) const { return name("lastprivate") + "_" + std::to_string(i); }

  [[nodiscard]] std::vector<trip> trips_of(const std::vector<level>& levels, ASTContext& context) const {
    std::vector<trip> all;
    for (const auto& each : levels) {
      all.emplace_back(each, text_, context, suffix_ + "_" + std::to_string(all.size()));
    }
    return all;
  }

  static bool copies_objects(const worksharing_loop& loop) {
    return any_firstprivate(loop, [](const Expr& each) {
      return each.getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl() != nullptr;
    });
  }

  /// Whether what its headers say may be another thing in the region, by what they call, or by what is called on the way into it. Then they
  /// are evaluated there.
  [[nodiscard]] static bool asks_in_headers(const worksharing_loop& loop, ASTContext& context) {
    const auto asks = [&](const Stmt* piece) {
      if (piece == nullptr) return false;
      const auto found = uses_of(*piece, context);
      return found.openmp || !found.thread.empty() || !found.unseen.empty();
    };
    const auto in_header = [&](const level& each) {
      const auto* range = dyn_cast<CXXForRangeStmt>(each.statement);
      if (range != nullptr) return asks(range->getRangeInit());
      const auto* counted = cast<ForStmt>(each.statement);
      return asks(counted->getInit()) || asks(counted->getCond()) || asks(counted->getInc());
    };
    const auto in_clause = [&](const OMPClause* clause) {
      return isa<OMPNumThreadsClause, OMPIfClause>(clause) &&
             std::any_of(clause->children().begin(), clause->children().end(), contains_any<CallExpr>);
    };
    const auto clauses = loop.directive->clauses();
    return std::any_of(loop.nest.begin(), loop.nest.end(), in_header) ||
           std::any_of(clauses.begin(), clauses.end(), in_clause) || copies_objects(loop) ||
           std::any_of(loop.others.begin(), loop.others.end(),
                       [&](const worksharing_loop& each) { return asks_in_headers(each, context); });
  }

  /// Whether one text counts the iterations of all instantiations.
  [[nodiscard]] bool fits_all_instances(ASTContext& context) const {
    return std::all_of(loop_.others.begin(), loop_.others.end(), [&](const worksharing_loop& each) {
      const auto other = trips_of(each.nest, context);
      return each.unfit.empty() && std::equal(other.begin(), other.end(), trips_.begin(), trips_.end(),
                                              [](const trip& one, const trip& two) { return one.same_text(two); });
    });
  }

  [[nodiscard]] bool ends_unseen() const {
    return text_.ends_unseen(*loop_.body) &&
           std::all_of(loop_.others.begin(), loop_.others.end(),
                       [&](const worksharing_loop& each) { return text_.ends_unseen(*each.body); });
  }

  /// The line of the first pragma between; where there is none, the end.
  [[nodiscard]] unsigned pragma_or(unsigned begin, unsigned end) const {
    const auto at = text_.all().slice(begin, end).find("\n#pragma");
    return at == llvm::StringRef::npos ? end : begin + static_cast<unsigned>(at) + 1;
  }

  [[nodiscard]] unsigned end_of_header(const level& of) const {
    const auto* loop = dyn_cast<ForStmt>(of.statement);
    return text_.offset(loop != nullptr ? loop->getRParenLoc() : cast<CXXForRangeStmt>(of.statement)->getRParenLoc()) +
           1;
  }

  /// A compiler may refuse it there, or it belongs to the loop, which becomes another.
  [[nodiscard]] bool pragma_within() const {
    const auto line = text_.all().find('\n', loop_.offset);
    auto from = static_cast<unsigned>(line);
    for (const auto& each : loop_.nest) {
      const auto end = end_of_header(each);
      if (pragma_or(from, end) != end) return true;
      from = end;
    }
    return false;
  }

  /// Whether a file is entered or left before the body, by `# 1 "name" 1`. That belongs to other loops, too.
  [[nodiscard]] bool begins_elsewhere() const {
    llvm::SmallVector<llvm::StringRef> lines;
    text_.all().slice(loop_.offset, end_of_header(loop_.nest.back())).split(lines, '\n');
    return llvm::any_of(lines, [](llvm::StringRef line) {
      const auto flags = line.starts_with("# ") ? line.rsplit('"').second : llvm::StringRef();
      return flags.starts_with(" 1") || flags.starts_with(" 2");
    });
  }

  /// Headers are written again, each in one line.
  [[nodiscard]] bool asks_for_line() const {
    return std::any_of(loop_.nest.begin(), loop_.nest.end(), [](const level& each) {
      const auto* counted = dyn_cast<ForStmt>(each.statement);
      return counted != nullptr &&
             (contains_any<SourceLocExpr>(counted->getInit()) || contains_any<SourceLocExpr>(counted->getCond()) ||
              contains_any<SourceLocExpr>(counted->getInc()));
    });
  }

  /// Whether members take slots, each one.
  [[nodiscard]] bool has_slots() const { return !loop_.combined && !block_; }

  [[nodiscard]] std::string directive() const {
    if (block_) return copies();
    if (!loop_.combined) return "#pragma omp for" + clauses_.construct + " schedule(static,1)";
    std::string names;
    if (!asks_in_header_) {
      names = ", " + name("count");
      for (const auto& each : trips_)
        names += ", " + each.shared_names() + (trips_.size() > 1 ? ", " + each.count() : "");
    }
    for (std::size_t i = 0; i < clauses_.last.size(); ++i) names += ", " + name_of_last(i);
    return "#pragma omp parallel" + clauses_.construct +
           (names.empty() ? "" : " firstprivate(" + names.substr(2) + ")");
  }

  /// The user's own headers, in code that is never reached, though Clang may not see that: else it would not speak of them.
  [[nodiscard]] std::string unreached() const {
    std::string all;
    // Where all variables have to be named, that of a loop is none of the region's.
    const bool names_all = loop_.region != nullptr && loop_.region->getSingleClause<OMPDefaultClause>() != nullptr;
    for (const auto& each : loop_.nest) {
      const auto where = text_.of_statement(*each.statement);
      if (each.kind == counter::range || (names_all && !each.declared_here)) return "";
      const auto end = text_.offset(cast<ForStmt>(each.statement)->getRParenLoc()) + 1;
      all += text_.marker(where.begin, false) + text_.line_of(stretch{where.begin, end});
    }
    return "if (" + name("never") + ")" + all + " { }" + at_directive();
  }

  [[nodiscard]] std::string counts() const {
    std::string all = "{ int " + name("never") + " = 0; " + unreached();
    for (const auto& each : trips_) all += each.declarations();
    return all + count_of(trips_, suffix_);
  }

  /// In front of the directive.
  [[nodiscard]] std::string declarations() const {
    std::string all = asks_in_header_ ? "{ " : counts();
    for (std::size_t i = 0; i < clauses_.last.size(); ++i) {
      const auto last = clauses_.last[i]->getNameAsString();
      all += "__typeof__(" + last + ") *" + name_of_last(i) + " = " + address_ + "(" + last + "); ";
    }
    if (!loop_.combined) all += site() + statement_of(costs_, trips_, suffix_);
    if (has_slots()) all += "int " + name("slot") + ", " + name("slots") + " = steelyard_team_size(); ";
    return all;
  }

  [[nodiscard]] std::string name_of_copied(const std::string& variable) const {
    return name("copied") + "_" + variable;
  }

  /// Of a block: what its own variables begin with.
  [[nodiscard]] std::string copies() const {
    std::string all;
    for (const auto& each : block_->copied)
      all += "__typeof__(" + each + ") " + name_of_copied(each) + " = " + each + "; ";
    return all;
  }

  [[nodiscard]] std::string own_variables() const {
    std::string all;
    for (const auto& each : block_->counted) all += "__typeof__(" + each + ") " + each + "; ";
    for (const auto& each : block_->copied)
      all += "__typeof__(" + each + ") " + each + " = " + name_of_copied(each) + "; ";
    return all;
  }

  /// Parts of a simd loop are multiples of this, as written; empty: they need not.
  [[nodiscard]] std::string granule() const {
    const auto* clause = loop_.directive->getSingleClause<OMPSimdlenClause>();
    return clause == nullptr ? "" : text_.line_of(clause->getSimdlen()->getSourceRange());
  }

  /// What comes now belongs to the line of the directive. There debuggers stop once, as they do at a construct.
  [[nodiscard]] std::string at_directive() const { return text_.marker(loop_.offset, true); }

  /// In front of the header of the loop over a part, which stands on its own line.
  [[nodiscard]] std::string simd(unsigned nest) const {
    const auto pragma = text_.marker(loop_.offset, false) + "#pragma omp simd" + clauses_.simd;
    return (loop_.simd ? pragma : "") + text_.marker(nest, true);
  }

  /// Then nothing stands around the user's loop that a compiler could take for another loop.
  [[nodiscard]] bool has_one_part() const { return by_.by != reach::any; }

  [[nodiscard]] std::string site() const {
    const int kind = has_one_part() ? kind_share : kind_any;
    // Without a loop over members around it GCC asks nothing for itself.
    const bool asks = by_.asks || !has_slots();
    const int flags =
        (by_.float_reduction ? flag_reduces : 0) + (asks ? flag_asks : 0) + (by_.keeps ? flag_keeps_blocks : 0);
    return site_of(loop_, costs_, kind, flags, granule());
  }

  /// Within the region: asks for parts, and runs the loop over each.
  [[nodiscard]] std::string parts(unsigned nest) const {
    const auto part = name("part");
    const auto slot = name("slot");
    const auto slots = name("slots");
    std::string all;
    if (has_slots()) all += "for (" + slot + " = 0; " + slot + " < " + slots + "; ++" + slot + ") ";
    all += "{ " + (block_ ? own_variables() : "");
    if (loop_.combined) all += site() + statement_of(costs_, trips_, suffix_);
    all += "struct steelyard_part " + part + "; ";
    all += "steelyard_begin" + std::string(has_slots() ? "_slot" : "") + "(&" + part + ", &" + costs_.site + ", " +
           name("count") + (has_slots() ? ", " + slot + ", " + slots : "") + "); ";
    all += has_one_part() ? "if (" + part + ".more) " : "for (; " + part + ".more; steelyard_next(&" + part + ")) ";
    return all + (trips_.size() == 1 ? trips_.front().loop(part + ".begin", part + ".end", simd(nest)) : rows());
  }

  /// What a loop of the nest does belongs to its own line.
  [[nodiscard]] std::string marker_of(std::size_t level) const {
    return text_.marker(text_.of_statement(*loop_.nest[level].statement).begin, true);
  }

  /// A part of collapsed loops: rows of the innermost one, of which the first and the last may be cut.
  [[nodiscard]] std::string rows() const {
    const auto at = name("at");
    const auto column = name("column");
    const auto row = name("row");
    const auto end = name("end");
    const auto& inner = trips_.back();
    std::string all = "{ unsigned long long " + at + " = " + name("part") + ".begin; while (" + at + " < " +
                      name("part") + ".end) { " + "unsigned long long " + column + " = " + at + " % " + inner.count() +
                      ", " + row + " = " + at + " / " + inner.count() + ", " + end + " = " + inner.count() + " - " +
                      column + " < " + name("part") + ".end - " + at + " ? " + inner.count() + " : " + column + " + (" +
                      name("part") + ".end - " + at + "); " + at + " += " + end + " - " + column + "; ";
    std::string below = "1ULL";
    std::string variables;
    for (std::size_t i = trips_.size() - 1; i-- > 0;) {
      const auto index = "(" + row + " / (" + below + ") % " + trips_[i].count() + ")";
      const auto outermost = "(" + row + " / (" + below + "))";
      variables = marker_of(i) + trips_[i].variable_at(i == 0 ? outermost : index) + " " + variables;
      below += " * " + trips_[i].count();
    }
    return all + variables + marker_of(trips_.size() - 1) + inner.loop(column, end, "");
  }

  /// Of the directive compilers may speak, as of the user's own.
  [[nodiscard]] std::string before(unsigned nest, unsigned body) {
    return at_directive().substr(1) + declarations() + text_.marker(loop_.offset, false) + directive() +
           at_directive() + (asks_in_header_ ? counts() : "") + parts(nest) + text_.back_to(body);
  }

  [[nodiscard]] std::string after(unsigned body_end, unsigned nest_end) const {
    std::string all = trips_.size() == 1 ? "} " : "} } } ";
    if (loop_.nest.front().kind == counter::range) all += "} ";
    if (has_one_part()) all += "steelyard_next(&" + name("part") + "); ";
    for (std::size_t i = 0; i < clauses_.last.size(); ++i) {
      all += "if (" + name("part") + ".last) *" + name_of_last(i) + " = " + clauses_.last[i]->getNameAsString() + "; ";
    }
    all += asks_in_header_ ? "} } " : "} ";
    const bool waits = block_ && loop_.directive->getSingleClause<OMPNowaitClause>() == nullptr;
    if (waits) all += at_directive() + "#pragma omp barrier\n";
    return text_.marker(body_end - 1, true) + all + "}" + text_.back_to(nest_end);
  }

  const worksharing_loop& loop_;
  const verdict& by_;
  const told_costs& costs_;
  const unit_text& text_;
  std::string suffix_;
  std::vector<trip> trips_;
  bool fits_all_ = true;
  bool asks_in_header_ = false;
  const char* address_ = "&";  // of an object, whatever its class says
  clause_texts clauses_;
  std::optional<block_variables> block_;
};

}  // namespace

std::string rewrite(const worksharing_loop& loop, const verdict& by, const told_costs& costs, unsigned number,
                    const unit_text& text, ASTContext& context, edits& changes) {
  emission form(loop, by, costs, number, text, context);
  auto reason = form.reason();
  if (reason.empty()) form.apply(changes);
  return reason;
}

}  // namespace steelyard::rewriter
