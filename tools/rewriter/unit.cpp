// SPDX-License-Identifier: Apache-2.0
#include "unit.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <set>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/Lexer.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>
#include <clang/Basic/Version.inc>

#include "cost/author.hpp"
#include "loops.hpp"
#include "nest.hpp"
#include "prelude.hpp"
#include "reach.hpp"
#include "rewrite.hpp"
#include "stating.hpp"
#include "text.hpp"
#include "written.hpp"

namespace steelyard::rewriter {
namespace {

const char* name_of(reach by) {
  switch (by) {
    case reach::any:
      return "any";
    case reach::shares:
      return "shares";
    case reach::written:
      return "written";
    default:
      return "left";
  }
}

/// The end of the markers with which a unit begins: the compiler takes the names of file and folder from the first ones.
std::size_t end_of_markers(llvm::StringRef text) {
  std::size_t at = 0;
  while (text.substr(at).size() > 2 && text[at] == '#' && text[at + 1] == ' ' &&
         std::isdigit(static_cast<unsigned char>(text[at + 2])) != 0) {
    const auto end = text.find('\n', at);
    if (end == llvm::StringRef::npos) return at;
    at = end + 1;
  }
  return at;
}

/// Without the flags that say by which way a file was reached.
std::string bare(llvm::StringRef marker) { return marker.substr(0, marker.rfind('"') + 1).str() + "\n"; }

std::string prelude_after(llvm::StringRef markers) {
  const auto last = markers.rtrim('\n').rsplit('\n').second;
  return "# 1 \"steelyard\" 3\n" + std::string(prelude_text) + (last.empty() ? bare(markers.rtrim('\n')) : bare(last));
}

/// The list as a section that programs carry along and never load.
std::string section_with(const std::string& list) {
  const auto quote = [](const std::string& raw) {
    std::string all;
    for (const char c : raw) {
      if (c == '"' || c == '\\') all += '\\';
      all += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return all;
  };
  const auto quoted = quote(quote(list));  // for the assembler, and within a string of the language
  return "\n# 1 \"steelyard\" 3\n__asm__(\".pushsection .steelyard,\\\"\\\",%progbits\\n.ascii \\\"" + quoted +
         "\\\"\\n.popsection\");\n";
}

bool begins(llvm::StringRef text, llvm::StringRef with) { return text.substr(0, with.size()) == with; }

/// Our own pragmas (cost/author.hpp).
constexpr llvm::StringRef own_pragma = "#pragma steelyard";

/// Takes them out, for compilers do not know them. In a string that goes over several lines they are none.
void remove_pragmas(llvm::StringRef text, const clang::ASTContext& context, edits& changes) {
  if (!text.contains(own_pragma)) return;
  const auto& sources = context.getSourceManager();
  const auto file = sources.getMainFileID();
  clang::Lexer words(file, sources.getBufferOrFake(file), sources, context.getLangOpts());
  clang::Token word;
  for (bool ends = false; !ends;) {
    ends = words.LexFromRawLexer(word);
    const auto at = sources.getFileOffset(word.getLocation());
    if (word.isNot(clang::tok::hash) || !word.isAtStartOfLine() || !begins(text.substr(at), own_pragma)) continue;
    changes.replace({at, static_cast<unsigned>(std::min(text.find('\n', at), text.size()))}, "");
  }
}

constexpr llvm::StringRef prefix_map = "--prefix-map=";
constexpr llvm::StringRef for_clang = "--for-clang";

struct own_options {
  std::vector<std::string> maps;
  bool for_clang = false;
};

/// A name of a file as options map it, OLD=NEW: the last one that fits.
std::string mapped(const std::string& file, const std::vector<std::string>& maps) {
  for (auto each = maps.rbegin(); each != maps.rend(); ++each) {
    const auto [from, to] = llvm::StringRef(*each).split('=');
    if (begins(file, from)) return (to + llvm::StringRef(file).drop_front(from.size())).str();
  }
  return file;
}

/// Takes those out that are no arguments of Clang.
own_options own_of(std::vector<std::string>& arguments) {
  own_options own;
  const auto take = [&](const std::string& each) {
    if (begins(each, prefix_map)) own.maps.push_back(each.substr(prefix_map.size()));
    own.for_clang = own.for_clang || each == for_clang;
    return begins(each, prefix_map) || each == for_clang;
  };
  arguments.erase(std::remove_if(arguments.begin(), arguments.end(), take), arguments.end());
  return own;
}

/// Where Clang found errors. Headers of GCC have some; in a loop they are reason enough to leave it to the compiler.
class errors : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& about) override {
    if (level < clang::DiagnosticsEngine::Error || !about.hasSourceManager() || about.getLocation().isInvalid()) return;
    const auto& sources = about.getSourceManager();
    offsets_.insert(sources.getFileOffset(sources.getFileLoc(about.getLocation())));
  }
  [[nodiscard]] bool is_empty() const { return offsets_.empty(); }
  [[nodiscard]] bool within(stretch where) const {
    const auto first = offsets_.lower_bound(where.begin);
    return first != offsets_.end() && *first < where.end;
  }

 private:
  std::set<unsigned> offsets_;
};

/// What Clang does not understand of a function it leaves out. So nobody knows what such a function does.
class distrust : public clang::RecursiveASTVisitor<distrust> {
 public:
  distrust(const errors& found, const unit_text& text) : errors_(found), text_(text) {}
  bool TraverseStmt(clang::Stmt*, DataRecursionQueue* = nullptr) { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (function->doesThisDeclarationHaveABody() && errors_.within(text_.of(function->getSourceRange())))
      function->setInvalidDecl();
    return true;
  }

 private:
  const errors& errors_;
  const unit_text& text_;
};

/// Whether Clang has passed over some of a directive: words that are no clause, and what follows them; or a comma that not every compiler
/// takes. What it passes over would not stand in the rewritten text, and what is wrong with it nobody would say.
bool is_partly_read(const worksharing_loop& loop, const unit_text& text) {
  const auto line = text.all().substr(loop.offset).split('\n').first;
  unsigned read = 0;
  for (const auto* clause : loop.directive->clauses()) {
    if (clause->isImplicit() || clause->getEndLoc().isInvalid()) continue;
    const auto whole = text.of({clause->getBeginLoc(), clause->getEndLoc()});
    const bool is_word =
        !text.all().slice(whole.begin, whole.end).contains('(');  // which Clang ends where the next one begins
    read = std::max(read, is_word ? text.of(clause->getBeginLoc()).end : whole.end);
  }
  const auto names = line.split('(').first.rtrim();  // of the directive, and of its first clause
  if (names.contains(',')) return true;
  if (read > loop.offset) return !line.substr(read - loop.offset).trim().empty();
  return !names.ends_with("for") && !names.ends_with("simd");
}

class consumer : public clang::ASTConsumer {
 public:
  consumer(rewritten_unit& unit, const errors& found, costs_are costs, const own_options& own)
      : unit_(unit), errors_(found), costs_are_(costs), own_(own) {}

  void Initialize(clang::ASTContext& context) override { sources_ = &context.getSourceManager(); }

  /// What the C++ library defines is known by name (uses.hpp, cost/effects.hpp), and to parse it takes longer than all the rest.
  bool shouldSkipFunctionBody(clang::Decl* function) override {
    return is_in_library(function->getLocation(), *sources_);
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    const unit_text text(context, own_.for_clang);
    edits changes;
    if (!errors_.is_empty()) distrust(errors_, text).TraverseAST(context);
    auto loops = find_loops(context);
    for (auto& each : loops) each.file = mapped(each.file, own_.maps);
    std::vector<verdict> verdicts;
    for (const auto& loop : loops) verdicts.push_back(final_verdict(loop, text, context));
    note_neighbours(loops, verdicts);
    auto costs = costs_of(loops, verdicts, text, context);
    for (auto& each : costs) {
      if (costs_are_ == costs_are::left_out) withdraw(each);
      unit_.states_costs = unit_.states_costs || each.is_stated;
    }
    for (std::size_t i = 0; i < loops.size(); ++i) unit_.list += describe(loops[i], verdicts[i], costs[i]);
    name_sites(costs, unit_.list);
    for (std::size_t i = loops.size(); i-- > 0;) {  // inner ones first
      if (is_rewritten(verdicts[i])) (void)rewrite(loops[i], verdicts[i], costs[i], number(i), text, context, changes);
      if ((costs[i].is_stated || costs[i].is_flagged) && verdicts[i].by == reach::written)
        state_before(loops[i], costs[i], number(i), text, context, changes);
    }
    remove_pragmas(text.all(), context, changes);
    unit_.loops = loops.size();
    unit_.parsed = true;
    unit_.text = whole(text.all(), changes);
  }

 private:
  static bool is_rewritten(const verdict& by) { return by.by == reach::any || by.by == reach::shares; }
  static unsigned number(std::size_t i) { return static_cast<unsigned>(i); }

  /// With what only shows when it is written.
  [[nodiscard]] verdict final_verdict(const worksharing_loop& loop, const unit_text& text,
                                      clang::ASTContext& context) const {
    if (cost::said_by_author(*loop.directive, context).leave) return {reach::left, "#pragma steelyard leave"};
    if (has_error(loop, text)) return {reach::left, "Clang finds an error in it"};
    auto by = judge(loop, text.is_for_clang(), context);
    edits tried;
    auto why = is_rewritten(by) ? rewrite(loop, by, told_costs(), 0, text, context, tried) : "";
    return why.empty() ? by : verdict{reach::left, why};
  }

  /// A static loop that stays as it is asks for thread numbers, which the drop-in may not take for ours.
  static void note_neighbours(const std::vector<worksharing_loop>& loops, std::vector<verdict>& verdicts) {
    for (std::size_t left = 0; left < loops.size(); ++left) {
      if (verdicts[left].by != reach::left || loops[left].combined) continue;
      for (std::size_t i = 0; i < loops.size(); ++i) {
        const bool together = !loops[i].combined && loops[i].region == loops[left].region &&
                              (loops[i].region != nullptr || loops[i].function == loops[left].function);
        if (together) verdicts[i].asks = true;
      }
    }
  }

  [[nodiscard]] bool has_error(const worksharing_loop& loop, const unit_text& text) const {
    return errors_.within({loop.offset, text.of_statement(*loop.directive).end}) ||
           (loop.region != nullptr && errors_.within(text.of_statement(*loop.region))) ||
           (loop.unfit.empty() && is_partly_read(loop, text));
  }

  static llvm::json::Object in_json(const told_costs& costs) {
    llvm::json::Object about{{"class", cost::name_of(costs.known.is)}, {"stated", costs.is_stated}};
    const auto& why = costs.why_not.empty() ? costs.known.reason : costs.why_not;
    if (!why.empty()) about["reason"] = llvm::json::fixUTF8(why);
    if (costs.is_stated && !costs.known.formula.empty()) about["formula"] = llvm::json::fixUTF8(costs.known.formula);
    if (costs.sampled > 1) about["sampled"] = costs.sampled;
    return about;
  }

  static std::string describe(const worksharing_loop& loop, const verdict& by, const told_costs& costs) {
    llvm::json::Object about{{"file", loop.file},
                             {"line", loop.line},
                             {"reach", name_of(by.keeps ? reach::left : by.by)},
                             {"combined", loop.combined}};
    if (!by.reason.empty()) about["reason"] = by.reason;
    if (by.by == reach::any && by.float_reduction) about["needs"] = "--free-reductions";
    if (loop.dependent) about["instantiated"] = false;
    about["cost"] = in_json(costs);
    if (loop.nest.size() > 1) about["collapsed"] = static_cast<std::int64_t>(loop.nest.size());
    return llvm::formatv("{0}\n", llvm::json::Value(std::move(about))).str();
  }

  [[nodiscard]] std::string whole(llvm::StringRef text, edits& changes) const {
    if (!changes.empty()) {
      const auto markers = end_of_markers(text);
      changes.insert(static_cast<unsigned>(markers), prelude_after(text.substr(0, markers)));
    }
    return changes.applied_to(text) + section_with(unit_.list);
  }

  rewritten_unit& unit_;
  const errors& errors_;
  costs_are costs_are_;
  const own_options& own_;
  const clang::SourceManager* sources_ = nullptr;
};

class action : public clang::ASTFrontendAction {
 public:
  action(rewritten_unit& unit, costs_are costs, const own_options& own) : unit_(unit), costs_are_(costs), own_(own) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    compiler.getDiagnostics().setClient(&errors_, false);
    compiler.getFrontendOpts().SkipFunctionBodies = true;  // those that the consumer names
    compiler.getFrontendOpts().DisableFree = true;         // the process ends soon
    return std::make_unique<consumer>(unit_, errors_, costs_are_, own_);
  }

 private:
  rewritten_unit& unit_;
  costs_are costs_are_;
  const own_options& own_;
  errors errors_;
};

/// What arguments were called before. The tools of Clang 16 and 17 do not take a text that says it is preprocessed for a source; what is defined
/// beforehand must not be looked for in it again.
void to_older_clang([[maybe_unused]] std::vector<std::string>& arguments) {
#if CLANG_VERSION_MAJOR < 18
  static const std::map<std::string, std::string> before = {
      {"-xcpp-output", "-xc"},          {"-xc++-cpp-output", "-xc++"}, {"-std=c++23", "-std=c++2b"},
      {"-std=gnu++23", "-std=gnu++2b"}, {"-std=c23", "-std=c2x"},      {"-std=gnu23", "-std=gnu2x"}};
  for (auto& each : arguments) {
    if (const auto known = before.find(each); known != before.end()) each = known->second;
  }
  arguments.emplace_back("-undef");
#endif
}

}  // namespace

rewritten_unit rewrite_unit(llvm::StringRef text, std::vector<std::string> arguments, costs_are costs) {
  rewritten_unit unit;
  const auto own = own_of(arguments);
  to_older_clang(arguments);
  // What Clang does not understand, the compiler may: its errors are kept, but they end nothing.
  arguments.insert(arguments.end(), {"-fsyntax-only", "-fopenmp", "-ferror-limit=0", "-fno-spell-checking", "-w"});
  clang::tooling::runToolOnCodeWithArgs(std::make_unique<action>(unit, costs, own), text, arguments, "unit");
  return unit;
}

}  // namespace steelyard::rewriter
