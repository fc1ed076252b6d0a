// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

/// What else is made from the descriptions of the command line, so that all of it says the same.
namespace steelyard::tool {

/// All commands, and those of a command's options that have a name.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
std::vector<const CLI::Option*> options_of(const CLI::App& command);

/// steelyard(1), in troff's man macros.
std::string man_page(const CLI::App& app);

/// A script that completes the command line in a shell: bash, zsh or fish. Throws `failure` for another.
std::string completion(const CLI::App& app, std::string_view shell);

}  // namespace steelyard::tool
