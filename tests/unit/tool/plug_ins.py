# SPDX-License-Identifier: Apache-2.0
"""Plug-ins of schedules, for the tests that use them."""
import subprocess
from pathlib import Path

from command import TOOL, Case

INCLUDES = [Path(__file__).resolve().parents[3] / "include", TOOL.parent.parent / "include"]
RULE = """
#include <steelyard/own_schedule.hpp>
struct thirds {
  static constexpr const char* name = "thirds";
  static constexpr const char* summary = "a third of a P-th of the rest at a time";
  explicit thirds(const steelyard::loop_shape& loop) noexcept : parts(3 * std::uint64_t{loop.members}) {}
  std::uint64_t size(std::uint64_t rest) const noexcept { return rest / parts; }
  std::uint64_t parts;
};
STEELYARD_PLUG_IN(thirds)
"""


class PlugIns(Case):
    def plug_in(self, name, source):
        (self.folder / f"{name}.cpp").write_text(source)
        words = ["g++", "-std=c++20", "-O2", "-fPIC", "-shared", self.folder / f"{name}.cpp", "-o", self.folder / f"{name}.so"]
        for each in INCLUDES:
            words += ["-I", each]
        subprocess.run(list(map(str, words)), check=True)
        return f"{name}.so"
