// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace steelyard::rewriter {

using namespace clang;

namespace {

/// An `if constexpr` of an instantiation that has no `else`. Its source may have one.
bool may_go_on(const Stmt* statement) {
  const auto* branch = dyn_cast<IfStmt>(statement);
  return branch != nullptr && branch->isConstexpr() && branch->getElse() == nullptr;
}

/// The statement that ends where this one ends; or, if it is found before, the first that is so.
template <class So>
const Stmt* last_part(const Stmt* statement, So is_so) {
  while (!is_so(statement)) {
    const Stmt* inner = nullptr;
    if (const auto* loop = dyn_cast<ForStmt>(statement)) inner = loop->getBody();
    if (const auto* loop = dyn_cast<CXXForRangeStmt>(statement)) inner = loop->getBody();
    if (const auto* loop = dyn_cast<WhileStmt>(statement)) inner = loop->getBody();
    if (const auto* choice = dyn_cast<SwitchStmt>(statement)) inner = choice->getBody();
    if (const auto* label = dyn_cast<SwitchCase>(statement)) inner = label->getSubStmt();
    if (const auto* label = dyn_cast<LabelStmt>(statement)) inner = label->getSubStmt();
    if (const auto* label = dyn_cast<AttributedStmt>(statement)) inner = label->getSubStmt();
    if (const auto* branch = dyn_cast<IfStmt>(statement))
      inner = branch->getElse() != nullptr ? branch->getElse() : branch->getThen();
    if (const auto* loop = dyn_cast<OMPCanonicalLoop>(statement)) inner = loop->getLoopStmt();
    if (const auto* directive = dyn_cast<OMPExecutableDirective>(statement);
        directive != nullptr && directive->hasAssociatedStmt()) {
      inner = directive->getRawStmt();
    }
    if (inner == nullptr) return statement;
    statement = inner;
  }
  return statement;
}

const Stmt* last_part(const Stmt* statement) {
  return last_part(statement, [](const Stmt*) { return false; });
}

/// Whether a semicolon follows that Clang does not count in.
bool wants_semicolon(const Stmt& statement) {
  return isa<Expr>(statement) || isa<DoStmt>(statement) || isa<ReturnStmt>(statement) || isa<GotoStmt>(statement) ||
         isa<IndirectGotoStmt>(statement) || isa<BreakStmt>(statement) || isa<ContinueStmt>(statement) ||
         isa<AsmStmt>(statement);
}

/// The next character that is neither a blank nor in a line of the preprocessor's.
unsigned skip_blanks(StringRef text, unsigned at) {
  while (at < text.size()) {
    const bool line_begins = at == 0 || text[at - 1] == '\n';
    if (line_begins && text[at] == '#') {
      at = static_cast<unsigned>(std::min(text.find('\n', at), text.size()));
    } else if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

/// The semicolon that ends an expression's statement. Clang takes an instantiated fold to end within its parentheses. None: the end of the text.
unsigned end_of_expression(StringRef text, unsigned at) {
  int depth = 0;
  for (; at < text.size() && (text[at] != ';' || depth > 0); ++at) {
    if (StringRef("([{").contains(text[at])) ++depth;
    if (StringRef(")]}").contains(text[at])) --depth;
    if (text[at] != '"' && text[at] != '\'') continue;
    const char quote = text[at++];
    for (; at < text.size() && text[at] != quote; ++at) at += text[at] == '\\' ? 1 : 0;
  }
  return at;
}

}  // namespace

unit_text::unit_text(ASTContext& context, bool for_clang)
    : context_(context), for_clang_(for_clang), file_(context.getSourceManager().getMainFileID()),
      text_(context.getSourceManager().getBufferData(file_)) {}

unsigned unit_text::offset(SourceLocation location) const {
  return context_.getSourceManager().getFileOffset(context_.getSourceManager().getFileLoc(location));
}

stretch unit_text::of(SourceRange range) const {
  const auto& sources = context_.getSourceManager();
  const auto end = Lexer::getLocForEndOfToken(sources.getFileLoc(range.getEnd()), 0, sources, context_.getLangOpts());
  return {offset(range.getBegin()), offset(end)};
}

stretch unit_text::of_statement(const Stmt& statement) const {
  // A directive ends with its own line and not with what it applies to.
  const Stmt& last = *last_part(&statement);
  stretch where{offset(statement.getBeginLoc()), of(last.getSourceRange()).end};
  if (!wants_semicolon(last) && !stands_for_another(last)) return where;
  auto at = skip_blanks(text_, where.end);
  if (isa<Expr>(last)) at = end_of_expression(text_, at);
  if (at < text_.size() && text_[at] == ';') where.end = at + 1;
  return where;
}

/// For the branch of an `if constexpr` that is left out: an empty statement or block, which ends where that branch begins or ends.
bool unit_text::stands_for_another(const Stmt& statement) const {
  if (!isa<NullStmt>(statement) && !isa<CompoundStmt>(statement)) return false;
  const char last = text_[offset(statement.getEndLoc())];
  return last != '}' && last != ';';
}

bool unit_text::ends_unseen(const Stmt& statement) const {
  const auto end = of_statement(statement).end;
  if (stands_for_another(*last_part(&statement))) return text_[end - 1] != ';';
  return may_go_on(last_part(&statement, may_go_on)) && text_.substr(skip_blanks(text_, end)).starts_with("else");
}

unsigned unit_text::next_word(unsigned at) const { return skip_blanks(text_, at); }

std::string unit_text::line_of(SourceRange range) const { return line_of(of(range)); }

std::string unit_text::line_of(stretch where) const {
  std::string all;
  StringRef rest = text_.slice(where.begin, where.end);
  while (!rest.empty()) {
    const auto [line, after] = rest.split('\n');
    if (line.empty() || line.front() != '#') all += (all.empty() ? "" : " ") + line.str();
    rest = after;
  }
  return all;
}

std::string unit_text::marker(unsigned at, bool silent) const {
  const auto& sources = context_.getSourceManager();
  const auto where = sources.getPresumedLoc(sources.getLocForStartOfFile(file_).getLocWithOffset(static_cast<int>(at)));
  std::string name;
  for (const char c : StringRef(where.getFilename())) {
    if (c == '\\' || c == '"') name += '\\';
    name += c;
  }
  return "\n# " + std::to_string(where.getLine()) + " \"" + name + "\"" + (silent ? " 3" : "") + "\n";
}

std::string unit_text::back_to(unsigned at) const {
  const auto begin = text_.rfind('\n', at);
  const auto column = begin == StringRef::npos ? at : at - static_cast<unsigned>(begin) - 1;
  return marker(at, false) + std::string(column, ' ');
}

std::string edits::applied_to(StringRef text) const {
  std::multimap<unsigned, const edit*> in_order;  // those of one place as they were asked for
  for (const auto& each : all_) in_order.emplace(each.where.begin, &each);
  std::string result;
  unsigned done = 0;
  for (const auto& [at, each] : in_order) {
    result += text.slice(done, at).str();
    result += each->with;
    done = each->where.end;
  }
  return result + text.substr(done).str();
}

}  // namespace steelyard::rewriter
