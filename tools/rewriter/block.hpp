// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace steelyard::rewriter {

struct worksharing_loop;

/// The variables that a separate loop has for itself, by name.
struct block_variables {
  std::vector<std::string> counted;  ///< of its loops, declared outside of them
  std::vector<std::string> copied;   ///< firstprivate
};

/// Those of a loop that does without its worksharing construct, as a block with plain variables and a barrier behind (form.md); none: it
/// needs the construct.
[[nodiscard]] std::optional<block_variables> variables_of_block(const worksharing_loop& loop,
                                                                const clang::ASTContext& context);

}  // namespace steelyard::rewriter
