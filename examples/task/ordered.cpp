// SPDX-License-Identifier: Apache-2.0
// An ordered_output: tasks make the lines of a picture, on any thread, and they are written from the first to the last.
#include <cstdio>
#include <steelyard/task.hpp>
#include <string>

// How soon z = z² + c leaves the circle of radius 2, as a character.
char escape(double re, double im) {
  double x = 0, y = 0;
  int steps = 0;
  for (; steps < 5000 && x * x + y * y < 4; ++steps) {
    const double next = x * x - y * y + re;
    y = 2 * x * y + im;
    x = next;
  }
  return steps == 5000 ? '#' : " .:-=+*"[steps % 7];
}

void draw(int row, std::string& into) {
  into.clear();  // it has what was written there before
  for (int column = 0; column < 76; ++column) into += escape(column / 25.0 - 2.2, row / 12.0 - 1.0);
}

int main() {
  std::string picture;
  steelyard::ordered_output<std::string> out(8, [&picture](const std::string& line) { picture += line + '\n'; });
  for (int row = 0; row < 25; ++row) out.append([row](std::string& into) { draw(row, into); });
  out.wait();

  std::string expected, line;
  for (int row = 0; row < 25; ++row) {
    draw(row, line);
    expected += line + '\n';
  }
  std::printf("25 lines, %s\n", picture == expected ? "in order" : "not as they should be");
  return picture == expected ? 0 : 1;
}
