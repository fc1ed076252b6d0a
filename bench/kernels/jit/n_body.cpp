// SPDX-License-Identifier: Apache-2.0
// Bodies that repel each other at distances below 1, in a square that is closed to a ring along both axes. An iteration is a square
// cell of side 1, row by row: it computes the forces on the bodies in it. Half of the bodies are a crowd that crosses the square in
// the course of the instances, from the first rows to the last, so the expensive iterations move.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "loop.h"
#include "program.h"

namespace {

constexpr double strength = 0.05;
constexpr long bodies_of_cell = 8;  // on average

struct body {
  double x, y, speed_x, speed_y;
};

struct force {
  double x, y;
};

struct world {
  long side;  // cells along each axis
  double time_step;
  std::vector<body> bodies;
  std::vector<body> sorted;
  std::vector<long> first;  // body of each cell, and one more
  std::vector<force> forces;
};

double wrapped(double at, double side) {
  const double inside = at - side * std::floor(at / side);
  return inside < side ? inside : 0;
}

// The crowd goes as far up as the square is high.
world make(long count, long instances) {
  const long side = std::max(4L, std::lround(std::sqrt(static_cast<double>(count) / bodies_of_cell)));
  world w{
      side, 1.0 / static_cast<double>(instances), {}, {}, std::vector<long>(static_cast<std::size_t>(side * side) + 1),
      {}};
  const auto length = static_cast<double>(side);
  std::uint64_t state = 1;
  const auto centred = [&state] { return course_random(&state) + course_random(&state) + course_random(&state) - 1.5; };
  for (long i = 0; i < count; ++i) {
    const bool crowd = i % 2 == 0;
    const double x = crowd ? 0.5 + centred() / 8 : course_random(&state);
    const double y = crowd ? centred() / 8 : course_random(&state);
    w.bodies.push_back({wrapped(x * length, length), wrapped(y * length, length), 0, crowd ? length : 0});
  }
  w.sorted = w.bodies;
  w.forces.resize(w.bodies.size());
  return w;
}

std::size_t cell_of(const world& w, const body& b) {
  return static_cast<std::size_t>(static_cast<long>(b.y) * w.side + static_cast<long>(b.x));
}

// Bodies of a cell follow each other, in an order that depends on nothing else.
void sort(world& w) {
  std::vector<long> behind(w.first.size(), 0);
  for (const body& b : w.bodies) ++behind[cell_of(w, b) + 1];
  for (std::size_t cell = 1; cell < behind.size(); ++cell) behind[cell] += behind[cell - 1];
  w.first = behind;
  for (const body& b : w.bodies) w.sorted[static_cast<std::size_t>(behind[cell_of(w, b)]++)] = b;
  std::swap(w.bodies, w.sorted);
}

struct look {
  long side;
  const body* bodies;
  const long* first;
  force* forces;
};

void add_forces(const look& w, force& sum, const body& on, long row, long column) {
  const long y = (row + w.side) % w.side, x = (column + w.side) % w.side;
  const auto shift_y = static_cast<double>(row - y), shift_x = static_cast<double>(column - x);
  const long cell = y * w.side + x;
  for (long other = w.first[cell]; other < w.first[cell + 1]; ++other) {
    const double dx = on.x - (w.bodies[other].x + shift_x);
    const double dy = on.y - (w.bodies[other].y + shift_y);
    const double square = dx * dx + dy * dy;
    const double push = square < 1 ? strength * (1 - square) : 0;
    sum.x += push * dx;
    sum.y += push * dy;
  }
}

void forces_of_cell(const look& w, long cell) {
  const long row = cell / w.side, column = cell % w.side;
  for (long i = w.first[cell]; i < w.first[cell + 1]; ++i) {
    force sum{0, 0};
    for (long up = -1; up <= 1; ++up) {
      for (long right = -1; right <= 1; ++right) add_forces(w, sum, w.bodies[i], row + up, column + right);
    }
    w.forces[i] = sum;
  }
}

void find_forces(world& w) {
  const look at{w.side, w.bodies.data(), w.first.data(), w.forces.data()};
  const long cells = w.side * w.side;
#pragma omp parallel for schedule(CLAUSE)
  LOOP(cell, cells) { forces_of_cell(at, cell); };
}

void move(world& w) {
  const double time = w.time_step;
  const auto length = static_cast<double>(w.side);
  body* const bodies = w.bodies.data();
  const force* const forces = w.forces.data();
  const long count = static_cast<long>(w.bodies.size());
#pragma omp parallel for schedule(CLAUSE)
  LOOP(i, count) {
    body& b = bodies[i];
    b.speed_x += time * forces[i].x;
    b.speed_y += time * forces[i].y;
    b.x = wrapped(b.x + time * b.speed_x, length);
    b.y = wrapped(b.y + time * b.speed_y, length);
  };
}

force momentum(const world& w) {
  force sum{0, 0};
  for (const body& b : w.bodies) {
    sum.x += b.speed_x;
    sum.y += b.speed_y;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  course c = course_of("n-body", "bodies", 8000, 50);
  course_begin(&c, argc, argv, nullptr, 0);
  world w = make(c.size, c.instances);
  const force before = momentum(w);
  while (c.done < c.instances) {
    sort(w);
    course_start(&c);
    find_forces(w);
    move(w);
    course_stop(&c);
    course_next(&c);
  }
  for (const body& b : w.bodies) course_add(&c, &b.x, 4);
  const force after = momentum(w);  // forces between two bodies cancel
  const double error = std::fabs(after.x - before.x) + std::fabs(after.y - before.y);
  return course_end(&c, error / (std::fabs(before.y) + 1), 1e-9);
}
