// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "simulator/machine.hpp"

namespace steelyard::simulator {

/// One of those in bench/machines.
inline machine preset(const std::string& name) {
  const std::ifstream file(std::string(STEELYARD_MACHINES) + "/" + name + ".txt");
  std::stringstream text;
  text << file.rdbuf();
  return parse_machine(text.str());
}

}  // namespace steelyard::simulator
