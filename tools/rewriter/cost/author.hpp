// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clang {
class ASTContext;
class OMPExecutableDirective;
}  // namespace clang

namespace steelyard::rewriter::cost {

/// What `#pragma steelyard …` in front of a directive says.
struct author {
  bool leave = false;  ///< `leave`: as it is
  std::string cost;    ///< `cost(…)`: an expression for one iteration
};

/// Unknown pragmas survive preprocessing and mean nothing to Clang, so that they are read from the text: other pragmas, line markers and
/// blank lines may stand between them and the directive.
[[nodiscard]] author said_by_author(const clang::OMPExecutableDirective& directive, const clang::ASTContext& context);

}  // namespace steelyard::rewriter::cost
