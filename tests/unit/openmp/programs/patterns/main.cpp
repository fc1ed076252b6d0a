// SPDX-License-Identifier: Apache-2.0
#include "pattern.hpp"

int main(int argc, char** argv) {
  std::vector<patterns::pattern> all;
  for (const auto* some :
       {&patterns::chains, &patterns::values, &patterns::bounds, &patterns::teams, &patterns::libraries}) {
    all.insert(all.end(), some->begin(), some->end());
  }
  return patterns::run_named(all, argc, argv);
}
