// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

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
  /// The place of the code at `offset` (an address relative to the load bias). Inlined calls give the innermost
  /// place: where the directive stands in the source.
  [[nodiscard]] location find(const std::string& module, std::uint64_t offset);

 private:
  struct end_session {
    void operator()(Dwfl* session) const;
  };
  std::map<std::string, std::unique_ptr<Dwfl, end_session>> sessions_;
};

/// From Clang's ident string `;file;function;line;column;;`; empty when it is none.
[[nodiscard]] location from_ident(const std::string& ident);

/// The name as in the source: `count._omp_fn.0`, `_Z5countv`, `count.omp_outlined` all mean count.
[[nodiscard]] std::string source_name(const std::string& symbol);

}  // namespace steelyard::tool
