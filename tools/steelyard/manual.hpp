// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

/// What else is made from the descriptions of the command line, so that all of it says the same.
namespace steelyard::tool {

/// steelyard(1), in troff's man macros.
std::string man_page(const CLI::App& app);

/// A script that completes the command line in a shell: bash, zsh or fish. Throws `failure` for another.
std::string completion(const CLI::App& app, std::string_view shell);

}  // namespace steelyard::tool
