// SPDX-License-Identifier: Apache-2.0
// Lattice Boltzmann, D3Q19 with one relaxation time (BGK): a fluid driven along x through obstacles, which it bounces back from. An
// iteration is a cell: it collects what its neighbours send (stream), and relaxes that towards equilibrium (collide). A cell holds 20
// values: one for each of 19 velocities, and whether it is an obstacle.
#include <math.h>
#include <stdlib.h>

#include "loop.h"
#include "program.h"

enum { velocities = 19, obstacle = 19, values = 20 };

static const double omega = 1.6;    // 1 / relaxation time
static const double drive = 0.001;  // what a collision adds to the speed along x

// Opposite velocities follow each other: 1 and 2, 3 and 4, …
static const int direction[velocities][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                                             {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                                             {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                                             {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};

static double weight(int q) { return q == 0 ? 1.0 / 3 : q < 7 ? 1.0 / 18 : 1.0 / 36; }
static int opposite(int q) { return q == 0 ? 0 : q % 2 != 0 ? q + 1 : q - 1; }

typedef struct lattice {
  long edge;                  // cells along each axis, the walls included
  long distance[velocities];  // from a cell to its neighbour, in cells
  double *from, *to;
} lattice;

static void collect(const lattice* l, long i, double* f) {
  const double* const own = l->from + i * values;
  for (int q = 0; q < velocities; ++q) {
    const double* const sender = l->from + (i - l->distance[q]) * values;
    f[q] = sender[obstacle] != 0 ? own[opposite(q)] : sender[q];
  }
}

static void collide(const double* f, double* after) {
  double density = 0, flow[3] = {0, 0, 0};
  for (int q = 0; q < velocities; ++q) {
    density += f[q];
    for (int axis = 0; axis < 3; ++axis) flow[axis] += f[q] * (double)direction[q][axis];
  }
  const double u[3] = {flow[0] / density + drive, flow[1] / density, flow[2] / density};
  const double square = 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  for (int q = 0; q < velocities; ++q) {
    double along = 0;
    for (int axis = 0; axis < 3; ++axis) along += 3 * u[axis] * (double)direction[q][axis];
    const double equilibrium = weight(q) * density * (1 + along + 0.5 * along * along - square);
    after[q] = f[q] + omega * (equilibrium - f[q]);
  }
}

static void step_cell(const lattice* l, long i) {
  if (l->from[i * values + obstacle] != 0) return;
  double f[velocities];
  collect(l, i, f);
  collide(f, l->to + i * values);
}

static void step(const lattice* l) {
  const long cells = l->edge * l->edge * l->edge;
#pragma omp parallel for schedule(CLAUSE)
  LOOP(i, cells) { step_cell(l, i); };
}

static int is_wall(const lattice* l, long x, long y, long z) {
  const long last = l->edge - 1;
  return x == 0 || y == 0 || z == 0 || x == last || y == last || z == last;
}

// Balls of a tenth of the edge, at random: some hold a fifth of the fluid's place.
static void place_balls(const lattice* l) {
  const double edge = (double)l->edge, radius = edge / 10;
  uint64_t state = 1;
  for (int ball = 0; ball < 50; ++ball) {
    const double at[3] = {edge * course_random(&state), edge * course_random(&state), edge * course_random(&state)};
    for (long i = 0; i < l->edge * l->edge * l->edge; ++i) {
      const double x = (double)(i % l->edge) - at[0], y = (double)(i / l->edge % l->edge) - at[1];
      const double z = (double)(i / l->edge / l->edge) - at[2];
      if (x * x + y * y + z * z < radius * radius) l->from[i * values + obstacle] = 1;
    }
  }
}

// A fluid at rest, its density a little uneven.
static void fill(lattice* l) {
  const long edge = l->edge;
  uint64_t state = 2;
  for (int q = 0; q < velocities; ++q) {
    l->distance[q] = (direction[q][2] * edge + direction[q][1]) * edge + direction[q][0];
  }
  place_balls(l);
  for (long i = 0; i < edge * edge * edge; ++i) {
    double* const cell = l->from + i * values;
    if (is_wall(l, i % edge, i / edge % edge, i / edge / edge)) cell[obstacle] = 1;
    const double density = 1 + 0.01 * course_random(&state);
    for (int q = 0; q < velocities; ++q) cell[q] = cell[obstacle] != 0 ? 0 : weight(q) * density;
    for (int v = 0; v < values; ++v) l->to[i * values + v] = cell[v];
  }
}

static double mass_of(const lattice* l) {
  double sum = 0;
  for (long i = 0; i < l->edge * l->edge * l->edge; ++i) {
    for (int q = 0; q < velocities; ++q) sum += l->from[i * values + q];
  }
  return sum;
}

int main(int argc, char** argv) {
  course c = course_of("lattice-boltzmann", "edge of the cube, in cells", 109, 50);  // 1.3 million cells
  course_begin(&c, argc, argv, NULL, 0);
  if (c.size < 3) bad_input("--size %ld: at least 3, walls are a cell thick", c.size);
  const long all = c.size * c.size * c.size * values;
  double* const memory = course_doubles(2 * all);
  lattice l = {.edge = c.size, .distance = {0}, .from = memory, .to = memory + all};
  fill(&l);
  const double before = mass_of(&l);
  while (c.done < c.instances) {
    course_start(&c);
    step(&l);
    course_stop(&c);
    course_next(&c);
    double* const next = l.to;
    l.to = l.from;
    l.from = next;
  }
  course_add(&c, l.from, all);
  const double error = c.verify ? fabs(mass_of(&l) / before - 1) : 0;  // the fluid's mass does not change
  free(memory);
  return course_end(&c, error, 1e-11);
}
