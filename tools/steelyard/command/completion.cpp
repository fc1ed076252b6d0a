// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "command/manual.hpp"
#include "text/failure.hpp"

namespace steelyard::tool {
namespace {

/// What the value of an option is, for a shell to offer.
enum class value { none, schedule, file, folder, other };
value value_of(const CLI::Option& one) {
  const auto& text = one.get_option_text();
  if (text.empty()) return value::none;
  if (text.starts_with("NAME[") || text.starts_with("A,B")) return value::schedule;
  if (text == "FILE" || text == "PATTERN") return value::file;
  return text == "FOLDER" ? value::folder : value::other;
}

std::string names_of(const CLI::Option& one, const char* separator) {
  std::string all;
  for (const auto& name : one.get_lnames()) all += (all.empty() ? "--" : separator + std::string("--")) + name;
  for (const auto& name : one.get_snames()) all += (all.empty() ? "-" : separator + std::string("-")) + name;
  return all;
}

/// The options of a command whose values are of one kind, as a pattern of `case`.
std::string pattern_of(const CLI::App& app, value kind) {
  std::string all;
  for (const auto* command : commands_of(app)) {
    for (const auto* one : options_of(*command)) {
      if (value_of(*one) == kind) all += (all.empty() ? "" : "|") + names_of(*one, "|");
    }
  }
  return all.empty() ? "''" : all;
}

std::string bash(const CLI::App& app) {
  std::string commands;
  std::string words;
  for (const auto* command : commands_of(app)) {
    commands += command->get_name() + " ";
    words += fmt::format("    {}) words='", command->get_name());
    for (const auto* one : options_of(*command)) words += names_of(*one, " ") + " ";
    words += "' ;;\n";
  }
  return fmt::format(
      "# Completes the command steelyard in bash: source it, or keep it where bash-completion looks.\n"
      "_steelyard() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words='' i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    [ \"${{COMP_WORDS[i]}}\" = -- ] || continue\n"
      "    if [ $((i + 1)) = \"$COMP_CWORD\" ]; then mapfile -t COMPREPLY < <(compgen -c -f -- \"$word\"); else\n"
      "      mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
      "    fi\n"
      "    compopt -o filenames\n"
      "    return\n"
      "  done\n"
      "  case $before in\n"
      "    {}) words=$(\"${{COMP_WORDS[0]}}\" schedules --names 2>/dev/null) ;;\n"
      "    {}) mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); compopt -o filenames; return ;;\n"
      "    {}) mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); compopt -o filenames; return ;;\n"
      "    {}) return ;;\n"
      "    *) if [ \"$COMP_CWORD\" = 1 ]; then words='{}--help --version'; else case ${{COMP_WORDS[1]}} in\n"
      "{}    esac; fi ;;\n"
      "  esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
      "}}\n"
      "complete -F _steelyard steelyard\n",
      pattern_of(app, value::schedule), pattern_of(app, value::file), pattern_of(app, value::folder),
      pattern_of(app, value::other), commands, words);
}

std::string zsh(const CLI::App& app) {
  return "#compdef steelyard\nautoload -U +X bashcompinit && bashcompinit\n" + bash(app);
}

/// In single quotes of fish.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("\\'", at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return "'" + text + "'";
}

std::string fish(const CLI::App& app) {
  std::string all = "# Completes the command steelyard in fish.\n";
  for (const auto* command : commands_of(app)) {
    all += fmt::format("complete -c steelyard -f -n __fish_use_subcommand -a {} -d {}\n", command->get_name(),
                       quoted(command->get_description()));
    for (const auto* one : options_of(*command)) {
      all += fmt::format("complete -c steelyard -n '__fish_seen_subcommand_from {}'", command->get_name());
      for (const auto& name : one->get_lnames()) all += " -l " + name;
      for (const auto& name : one->get_snames()) all += " -s " + name;
      const auto its = value_of(*one);
      if (its == value::schedule) all += " -x -a '(steelyard schedules --names)'";
      if (its == value::folder) all += " -x -a '(__fish_complete_directories)'";
      if (its == value::file) all += " -r";
      if (its == value::other) all += " -x";
      all += " -d " + quoted(one->get_description()) + "\n";
    }
  }
  return all;
}

}  // namespace

std::string completion(const CLI::App& app, std::string_view shell) {
  if (shell == "bash") return bash(app);
  if (shell == "zsh") return zsh(app);
  if (shell == "fish") return fish(app);
  throw failure(bad_usage, fmt::format("no completion for '{}'; there is one for bash, zsh and fish", shell));
}

}  // namespace steelyard::tool
