// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace steelyard::tool::launch {

/// The last part of a path.
[[nodiscard]] std::string name_of(const std::string& path);

/// What a compiler is, as far as the launcher needs it.
struct compiler_kind {
  bool known = false;  ///< GCC or Clang
  bool clang = false;
  bool takes_c_for_cxx = false;  ///< as g++ does
  bool wrapper = false;          ///< adds options of its own before it starts GCC or Clang, as mpicc does
  std::string target{};          ///< of a cross compiler, as its name says it; empty: this machine
};

/// By its name alone: `aarch64-linux-gnu-g++-12` is known, `mpicc` is not.
[[nodiscard]] compiler_kind kind_by_name(const std::string& compiler);

/// Starts it, and sees by the macros that it predefines whether it is GCC or Clang, for this machine. Takes as long as to
/// preprocess an empty file. Nothing is known of what fails, and of other compilers that define the macros of these two.
[[nodiscard]] compiler_kind kind_by_asking(const std::string& compiler);

/// Whether programs are built by commands of this name: those of GCC and Clang, and wrappers of MPI and HDF5.
[[nodiscard]] bool names_a_compiler(const std::string& name);

}  // namespace steelyard::tool::launch
