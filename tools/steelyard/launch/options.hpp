// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// What the launcher knows of the options of GCC and Clang.
namespace steelyard::tool::launch {

/// Whether the next word is the option's value.
[[nodiscard]] bool takes_a_word(std::string_view option);

/// Whether the preprocessor alone reads it.
[[nodiscard]] bool is_preprocessors(std::string_view option);

/// Whether the linker alone reads it.
[[nodiscard]] bool is_linkers(std::string_view option);

/// Whether a compilation with it has to stay as it is: it names files after its input, keeps what lies between, or shows macros.
[[nodiscard]] bool forbids_rewriting(std::string_view option);

/// Whether it changes what the language is.
[[nodiscard]] bool is_of_the_language(std::string_view option);

}  // namespace steelyard::tool::launch
