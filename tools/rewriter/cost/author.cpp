// SPDX-License-Identifier: Apache-2.0
#include "author.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

namespace steelyard::rewriter::cost {

using namespace clang;

namespace {

/// What stands between a word's parentheses; empty where they do not match.
StringRef argument_of(StringRef rest) {
  rest = rest.trim();
  if (!rest.consume_front("(") || !rest.consume_back(")")) return "";
  int depth = 0;
  for (const char each : rest) {
    depth += each == '(' ? 1 : (each == ')' ? -1 : 0);
    if (depth < 0) return "";
  }
  return depth == 0 ? rest.trim() : "";
}

void read(StringRef pragma, author& said) {
  if (!pragma.consume_front("steelyard")) return;
  pragma = pragma.trim();
  if (pragma == "leave") said.leave = true;
  if (pragma.consume_front("cost")) said.cost = argument_of(pragma).str();
}

}  // namespace

author said_by_author(const OMPExecutableDirective& directive, const ASTContext& context) {
  const auto& sources = context.getSourceManager();
  const auto [file, offset] = sources.getDecomposedLoc(sources.getFileLoc(directive.getBeginLoc()));
  StringRef above = sources.getBufferData(file).take_front(offset);
  above = above.take_front(above.rfind('\n') == StringRef::npos ? 0 : above.rfind('\n'));
  author said;
  while (!above.empty()) {
    auto [rest, line] = above.rsplit('\n');
    if (above.find('\n') == StringRef::npos) std::swap(rest, line), rest = "", line = above;
    line = line.trim();
    if (!line.empty() && !line.consume_front("#")) break;
    line = line.ltrim();
    if (line.consume_front("pragma")) read(line.trim(), said);
    above = rest;
  }
  return said;
}

}  // namespace steelyard::rewriter::cost
