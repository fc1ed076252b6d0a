// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include <steelyard/own_schedule.h>

/// Whether a schedule keeps its contract (docs/own-schedules.md), whoever wrote it.
namespace steelyard::tool::check {

/// One thing that is looked at: what is wrong, in words that tell the loop, or nothing.
struct trial {
  const char* name;
  const char* what;
  std::optional<std::string> (*run)(const steelyard_schedule&);
};

[[nodiscard]] std::span<const trial> trials() noexcept;

struct answer {
  bool right = false;
  std::string text;  ///< what is wrong, or what there is to say
};

/// Asks in a process of its own: what crashes, ends the process, or has not ended after so many seconds, is wrong, too. Throws `failure` where
/// no process can be had.
[[nodiscard]] answer run_apart(const std::function<answer()>& what, unsigned seconds = 60);

/// The same of a trial: what is wrong, or nothing.
[[nodiscard]] std::optional<std::string> run_apart(const trial& what, const steelyard_schedule& schedule,
                                                   unsigned seconds = 60);

}  // namespace steelyard::tool::check
