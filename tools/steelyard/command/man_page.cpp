// SPDX-License-Identifier: Apache-2.0
#include "command/manual.hpp"

#include <fmt/format.h>

namespace steelyard::tool {
namespace {

/// Text that troff prints as it is.
std::string plain(const std::string& text) {
  std::string all;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) all += "\\&";
    if (c == '\\') {
      all += "\\e";
    } else if (c == '-') {
      all += "\\-";
    } else {
      all += c;
    }
    begins = c == '\n';
  }
  return all;
}

/// Lines that stay as they are.
std::string verbatim(const std::string& text) { return fmt::format(".nf\n{}\n.fi\n", plain(text)); }

std::string option(const CLI::Option& one) {
  std::string names;
  for (const auto& name : one.get_snames()) names += fmt::format("{}\\fB\\-{}\\fR", names.empty() ? "" : ", ", name);
  for (const auto& name : one.get_lnames()) {
    names += fmt::format("{}\\fB\\-\\-{}\\fR", names.empty() ? "" : ", ", plain(name));
  }
  const auto& value = one.get_option_text();
  return fmt::format(".TP\n{}{}\n{}\n", names, value.empty() ? "" : " \\fI" + plain(value) + "\\fR",
                     plain(one.get_description()));
}

std::string options(const CLI::App& command) {
  std::string all;
  for (const auto* one : options_of(command)) all += option(*one);
  return all;
}

std::string command(const CLI::App& one) {
  std::string rest = one.get_prefix_command() ? " \\-\\- PROGRAM [ARGUMENTS]" : "";
  for (const auto* positional : one.get_options([](const CLI::Option* each) { return each->get_positional(); })) {
    rest += " " + plain(positional->get_option_text());
  }
  return fmt::format(".SS steelyard {} [OPTIONS]{}\n{}.\n{}.PP\n{}", plain(one.get_name()), rest,
                     plain(one.get_description()), options(one), verbatim(one.get_footer()));
}

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* one) { return one->nonpositional(); });
}

std::string man_page(const CLI::App& app) {
  std::string commands;
  for (const auto* one : commands_of(app)) commands += command(*one);
  return fmt::format(
      ".TH STEELYARD 1 \"\" \"steelyard {}\" \"User Commands\"\n"
      ".SH NAME\nsteelyard \\- balance the parallel loops of OpenMP programs\n"
      ".SH SYNOPSIS\n\\fBsteelyard\\fR COMMAND [OPTIONS] [\\-\\- PROGRAM [ARGUMENTS]]\n"
      ".SH DESCRIPTION\n{}\n"
      ".SH OPTIONS\n{}"
      ".SH COMMANDS\n{}"
      ".SH EXAMPLES\n{}"
      ".SH ENVIRONMENT\n"
      ".TP\n\\fBSTEELYARD_LIBRARY\\fR\nthe drop\\-in to load, where it is not beside the command\n"
      ".TP\n\\fBSTEELYARD_CC_LOG\\fR\na file to which `steelyard cc` adds a line for each source that it compiles as "
      "it was\n"
      ".TP\n\\fBNO_COLOR\\fR, \\fBTERM\\fR, \\fBCOLUMNS\\fR\nwhether there is colour, and how wide text may be\n"
      ".PP\nWhat the drop\\-in itself reads is in docs/drop\\-in.md.\n",
      STEELYARD_VERSION, plain(app.get_description()), options(app), commands, verbatim(app.get_footer()));
}

}  // namespace steelyard::tool
