// SPDX-License-Identifier: Apache-2.0
// Pieces are worked on in parallel and written in order: the writer's place in the output is an object that each write changes.
#include <cstdio>
#include <stdexcept>
#include <steelyard/dataflow.hpp>
#include <string>

using steelyard::fork_task, steelyard::r, steelyard::rw, steelyard::shared, steelyard::w;

void encode(std::string text, w<std::string> into) {
  if (text.empty()) throw std::invalid_argument("nothing to encode");
  into->clear();
  for (std::size_t i = 0; i < text.size();) {
    const auto end = std::min(text.find_first_not_of(text[i], i), text.size());
    *into += std::to_string(end - i) + text[i];
    i = end;
  }
}

void append(r<std::string> piece, rw<std::string> out) { *out += *piece + ' '; }

int main() {
  shared<std::string> out;
  for (int i = 1; i <= 5; ++i) {
    shared<std::string> piece;  // each round its own: rounds do not wait for each other
    fork_task(encode, std::string(static_cast<std::size_t>(i), static_cast<char>('a' + i)) + "zz", piece);
    fork_task(append, piece, out);
  }
  steelyard::sync_tasks();

  bool refused = false;
  try {
    shared<std::string> piece;
    fork_task(encode, std::string(), piece);
    steelyard::sync_tasks();
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  std::printf("%s; nothing is %s\n", out->c_str(), refused ? "refused" : "TAKEN");
  return *out == "1b2z 2c2z 3d2z 4e2z 5f2z " && refused ? 0 : 1;
}
