// SPDX-License-Identifier: Apache-2.0
#include "rewrite.hpp"

#include <set>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtOpenMP.h>

#include "loops.hpp"
#include "nest.hpp"
#include "reach.hpp"
#include "text.hpp"
#include "trip.hpp"

namespace steelyard::rewriter {

using namespace clang;

namespace {

/// Builds what stands in place of one loop.
class emission {
 public:
  emission(const worksharing_loop& loop, const verdict& by, unsigned number, const unit_text& text, ASTContext& context)
      : loop_(loop), by_(by), text_(text), suffix_("_" + std::to_string(number)) {
    for (std::size_t i = 0; i < loop.nest.size(); ++i) {
      trips_.emplace_back(loop.nest[i], text, context, suffix_ + "_" + std::to_string(i));
    }
  }

  [[nodiscard]] std::string reason() const {
    for (const auto& each : trips_) {
      if (!each.reason().empty()) return each.reason();
    }
    return "";
  }

  void apply(edits& changes) {
    read_clauses();
    add_private_counters();
    const auto nest = text_.of_statement(*loop_.nest.front().statement);
    auto body = text_.of_statement(*loop_.body);
    if (isa<OMPExecutableDirective>(loop_.body)) body.begin = start_of_line(body.begin);
    changes.replace({body.end, nest.end}, after(body.end, nest.end));
    changes.replace({loop_.offset, body.begin}, before(nest.begin, body.begin));
  }

 private:
  [[nodiscard]] std::string name(const char* what) const { return "steelyard_" + std::string(what) + suffix_; }
  [[nodiscard]] std::string name_of_last(std::size_t i) const { return name("lastprivate") + "_" + std::to_string(i); }
  [[nodiscard]] unsigned start_of_line(unsigned at) const {
    const auto line = text_.all().rfind('\n', at);
    return line == llvm::StringRef::npos ? 0 : static_cast<unsigned>(line) + 1;
  }

  /// The user's clauses but those that the form replaces.
  void read_clauses() {
    for (const OMPClause* clause : loop_.directive->clauses()) {
      if (clause->isImplicit() || clause->getBeginLoc().isInvalid()) continue;
      if (isa<OMPScheduleClause>(clause) || isa<OMPCollapseClause>(clause)) continue;
      if (const auto* last = dyn_cast<OMPLastprivateClause>(clause)) {
        for (const Expr* each : last->varlists()) lasts_.push_back(named(each));
        continue;
      }
      if (const auto* own = dyn_cast<OMPPrivateClause>(clause)) note_private(*own);
      if (const auto* own = dyn_cast<OMPFirstprivateClause>(clause)) note_private(*own);
      const bool alone = isa<OMPNowaitClause>(clause);  // its end is where the next one begins
      clauses_ += alone ? " nowait" : " " + text_.line_of(SourceRange(clause->getBeginLoc(), clause->getEndLoc()));
    }
  }

  template <class Clause>
  void note_private(const Clause& clause) {
    for (const Expr* each : clause.varlists()) privates_.insert(named(each));
  }

  void add_private(const VarDecl* variable) {
    if (privates_.insert(variable).second) clauses_ += " private(" + variable->getNameAsString() + ")";
  }

  /// Variables of the loops that are declared outside of them are private all the same.
  void add_private_counters() {
    for (const auto& each : loop_.nest) {
      if (!each.declared_here) add_private(each.variable);
    }
    for (const auto* each : lasts_) add_private(each);
  }

  [[nodiscard]] std::string directive() const {
    if (!loop_.combined) return "#pragma omp for" + clauses_ + " schedule(static,1)";
    std::string names = name("count");
    for (const auto& each : trips_) names += ", " + each.shared_names() + ", " + each.count();
    for (std::size_t i = 0; i < lasts_.size(); ++i) names += ", " + name_of_last(i);
    return "#pragma omp parallel" + clauses_ + " firstprivate(" + names + ")";
  }

  [[nodiscard]] std::string declarations() const {
    std::string all = "{ ";
    for (const auto& each : loop_.nest) {
      if (!each.declared_here) all += "(void)sizeof(" + each.variable->getNameAsString() + "); ";
    }
    for (const auto& each : trips_) all += each.declarations();
    all += "unsigned long long " + name("count") + " = " + trips_.front().count();
    for (std::size_t i = 1; i < trips_.size(); ++i) all += " * " + trips_[i].count();
    all += "; ";
    for (std::size_t i = 0; i < lasts_.size(); ++i) {
      const auto last = lasts_[i]->getNameAsString();
      all += "__typeof__(" + last + ") *" + name_of_last(i) + " = &" + last + "; ";
    }
    if (!loop_.combined) all += "int " + name("slot") + ", " + name("slots") + " = steelyard_team_size(); ";
    return all;
  }

  [[nodiscard]] std::string site() const {
    std::string file;
    for (const char c : loop_.file) file += c == '\\' || c == '"' ? std::string("\\") + c : std::string(1, c);
    return "static struct steelyard_site " + name("site") + " = {\"" + file + "\", " + std::to_string(loop_.line) +
           ", " + (by_.by == reach::any ? "0" : "1") + ", " + (by_.float_reduction ? "1" : "0") + "}; ";
  }

  /// Within the region: asks for parts, and runs the loop over each.
  [[nodiscard]] std::string parts() const {
    const auto part = name("part");
    std::string all;
    if (!loop_.combined)
      all += "for (" + name("slot") + " = 0; " + name("slot") + " < " + name("slots") + "; ++" + name("slot") + ") ";
    all += "{ " + site() + "struct steelyard_part " + part + "; steelyard_begin(&" + part + ", &" + name("site") +
           ", " + name("count") + ", " + (loop_.combined ? "steelyard_thread_number()" : name("slot")) +
           "); while (steelyard_next(&" + part + ")) ";
    return all + (trips_.size() == 1 ? trips_.front().loop(part + ".begin", part + ".end") : rows());
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
    return all + variables + marker_of(trips_.size() - 1) + inner.loop(column, end);
  }

  [[nodiscard]] std::string before(unsigned nest, unsigned body) {
    return text_.marker(nest, true).substr(1) + declarations() + text_.marker(loop_.offset, true) + directive() +
           text_.marker(nest, true) + parts() + text_.back_to(body);
  }

  [[nodiscard]] std::string after(unsigned body_end, unsigned nest_end) const {
    std::string all = trips_.size() == 1 ? "} " : "} } } ";
    for (std::size_t i = 0; i < lasts_.size(); ++i) {
      all += "if (" + name("part") + ".last) *" + name_of_last(i) + " = " + lasts_[i]->getNameAsString() + "; ";
    }
    return text_.marker(body_end - 1, true) + all + "} }" + text_.back_to(nest_end);
  }

  const worksharing_loop& loop_;
  const verdict& by_;
  const unit_text& text_;
  std::string suffix_;
  std::vector<trip> trips_;
  std::string clauses_;
  std::set<const VarDecl*> privates_;
  std::vector<const VarDecl*> lasts_;  // lastprivate
};

}  // namespace

std::string rewrite(const worksharing_loop& loop, const verdict& by, unsigned number, const unit_text& text,
                    ASTContext& context, edits& changes) {
  emission form(loop, by, number, text, context);
  auto reason = form.reason();
  if (reason.empty()) form.apply(changes);
  return reason;
}

}  // namespace steelyard::rewriter
