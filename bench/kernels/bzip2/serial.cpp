// SPDX-License-Identifier: Apache-2.0
// bzip2-serial: one block after the other.
#include "program.hpp"

int main(int argc, char** argv) {
  bzip2::request wanted;
  wanted.parse(argc, argv, "Compresses in serial");
  bzip2::piece only;
  return measure(wanted, [&only](const bzip2::source& from, bzip2::writer& to) {
    for (std::size_t i = 0; i < from.blocks(); ++i) {
      only.compress(from, i);
      to.write(only);
    }
  });
}
