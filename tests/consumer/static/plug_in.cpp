// SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

extern "C" __attribute__((visibility("default"))) const plug_in* its_plug_in() {
  static const plug_in self{work, reinterpret_cast<const void*>(&steelyard_loop_run), steelyard::threads};
  return &self;
}
