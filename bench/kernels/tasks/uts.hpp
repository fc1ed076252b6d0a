// SPDX-License-Identifier: Apache-2.0
// Unbalanced tree search (Olivier et al., LCPC 2006): trees that are made as they are walked. A node's state is a SHA-1 digest,
// that of a child the digest of its parent's and the child's number.
#pragma once

#include <nettle/sha1.h>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace uts {

struct node {
  std::uint8_t state[SHA1_DIGEST_SIZE];
  int depth;

  // A number from 0 to 2^31 - 1.
  [[nodiscard]] std::uint32_t number() const {
    const auto* last = state + 16;
    return (std::uint32_t{last[0]} << 24 | std::uint32_t{last[1]} << 16 | std::uint32_t{last[2]} << 8 | last[3]) &
           0x7fffffffU;
  }

  [[nodiscard]] node child(std::uint32_t i) const { return made_from(state, sizeof state, i, depth + 1); }

  // Of `bytes` and a number, the most significant byte first.
  static node made_from(const std::uint8_t* bytes, std::size_t count, std::uint32_t number, int depth) {
    const std::uint8_t digits[4] = {static_cast<std::uint8_t>(number >> 24), static_cast<std::uint8_t>(number >> 16),
                                    static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number)};
    sha1_ctx context;
    sha1_init(&context);
    sha1_update(&context, count, bytes);
    sha1_update(&context, sizeof digits, digits);
    node made{};
    sha1_digest(&context, sizeof made.state, made.state);
    made.depth = depth;
    return made;
  }
};

// Geometric: the number of children has that distribution down to a depth, with the same mean. Binomial: `most` children or
// none, but the root.
struct tree {
  bool geometric;
  double at_root;  // geometric: the mean everywhere
  int depth;       // geometric: no node is deeper
  double probability;
  int most;
  std::uint32_t seed;
  std::int64_t nodes;

  [[nodiscard]] node root() const {
    const std::uint8_t zeros[16] = {};
    return node::made_from(zeros, sizeof zeros, seed, 0);
  }

  [[nodiscard]] int children(const node& of) const {
    const double drawn = of.number() / 2147483648.0;
    if (!geometric) {
      if (of.depth == 0) return static_cast<int>(at_root);
      return drawn < probability ? most : 0;
    }
    if (of.depth >= depth) return 0;
    const double success = 1 / (1 + at_root);
    const int count = static_cast<int>(std::floor(std::log(1 - drawn) / std::log(1 - success)));
    return count < 100 ? count : 100;
  }
};

// Of the benchmark's samples: T1 is geometric with a fixed mean, T3 binomial; depth 10 and 1572.
inline constexpr tree t1{true, 4, 10, 0, 0, 19, 4130071};
inline constexpr tree t3{false, 2000, 0, 0.124875, 8, 42, 4112897};

}  // namespace uts
