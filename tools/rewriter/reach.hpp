// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clang {
class ASTContext;
}

namespace steelyard::rewriter {

struct worksharing_loop;

/// By what a loop can be scheduled once the drop-in is loaded; the least last.
enum class reach {
  any,      ///< every schedule: who runs an iteration cannot be noticed
  shares,   ///< contiguous shares in the order of the threads, of sizes that are learnt
  written,  ///< the program leaves it to the runtime already, where the drop-in is
  left,     ///< nothing
};

struct verdict {
  reach by = reach::any;
  std::string reason;            ///< why not by any schedule
  bool float_reduction = false;  ///< of the loop or its region: other parts group its terms in another way
  bool keeps = false;            ///< its blocks, with the drop-in too: where they end can be noticed
  bool asks = false;             ///< its region, as far as it is seen, asks for thread numbers
};

/// Of a template's loop what all of its instantiations allow.
[[nodiscard]] verdict judge(const worksharing_loop& loop, bool for_clang, clang::ASTContext& context);

}  // namespace steelyard::rewriter
