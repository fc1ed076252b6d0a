// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "read/loop_calls.hpp"

struct Dwfl;

namespace steelyard::tool {

/// A place in the source.
struct location {
  std::string file;  ///< as the compiler was given it; empty: unknown
  unsigned line = 0;
  std::string function;      ///< the one that holds the directive; empty: unknown
  std::string inlined_into;  ///< the function whose code holds it, when it was inlined

  /// `graph.c:12 (relax)`; without a line `otherwise (relax)`, without a function `otherwise`.
  [[nodiscard]] std::string text(const std::string& otherwise) const;
};

/// Finds source places of code in executables and libraries, from their DWARF (also in separate files found by build
/// id), or else their symbol tables. Nothing is run, no process is looked at.
class symboliser {
 public:
  /// The place of the code at `offset` (an address relative to the load bias). Inlined calls give the innermost place.
  [[nodiscard]] location find(const std::string& module, std::uint64_t offset);

  /// Of a function that starts at `offset`: its first line, which in an outlined one is the directive's.
  [[nodiscard]] location find_start(const std::string& module, std::uint64_t offset);

  /// Of the loop that the call at `offset` begins. The compiler gives that call the place of what it computed last, which
  /// may be a function inlined into the loop's bound, as `v.size()`. So the function is the innermost in which more of the
  /// loop is asked for, too (where no such call is found, the outermost), and the line that of the statement before.
  [[nodiscard]] location find_loop(const std::string& module, std::uint64_t offset);

  /// The calls of a module that begin a loop, or go on with it.
  [[nodiscard]] const std::vector<loop_call>& calls(const std::string& module);

 private:
  struct end_session {
    void operator()(Dwfl* session) const;
  };
  [[nodiscard]] Dwfl* session_of(const std::string& module);

  std::map<std::string, std::unique_ptr<Dwfl, end_session>> sessions_;
  std::map<std::string, std::vector<loop_call>> calls_;
};

/// From Clang's ident string `;file;function;line;column;;`; empty when it is none.
[[nodiscard]] location from_ident(const std::string& ident);

}  // namespace steelyard::tool
