// SPDX-License-Identifier: Apache-2.0
#include "sync/arena.hpp"

#include <array>
#include <memory>
#include <string>

#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

constexpr std::size_t line = support::line_size;

/// Threads take so many blocks of a line each, and write into them; a block that two have is a data race.
class takers : public world {
 public:
  static constexpr unsigned most_threads = 3;
  static constexpr unsigned in_chunk = 3;
  static constexpr unsigned most_chunks = 6;

  explicit takers(std::array<unsigned, most_threads> counts) : counts_(counts), arena_((1 + in_chunk) * line) {}

  void run(unsigned thread) override {
    const auto map = [&](std::size_t bytes) -> void* {
      check(bytes == sizeof(chunk), "a chunk of another size");
      const unsigned mine = mapped_[thread]++;
      check(mine < most_chunks, "chunks are left though they have room");
      return &chunks_[thread][mine];
    };
    for (unsigned i = 0; i < counts_[thread]; ++i) {
      auto* const got = static_cast<std::byte*>(arena_.take(line, map));
      mark_of(got).write(thread + 1);
    }
  }

  /// Whoever is alone fills a chunk before it brings another.
  void finish() override {
    unsigned all = 0;
    unsigned chunks = 0;
    unsigned threads = 0;
    for (unsigned thread = 0; thread < most_threads; ++thread) {
      all += counts_[thread];
      chunks += mapped_[thread];
      threads += counts_[thread] != 0 ? 1 : 0;
    }
    // Each time that a chunk is full, each thread may bring one.
    check(chunks <= (all + in_chunk - 1) / in_chunk * threads, "chunks are left though they have room");
  }

 private:
  struct alignas(line) chunk {
    std::array<std::byte, (1 + in_chunk) * line> bytes;
  };

  /// Whose the block is.
  data<unsigned>& mark_of(const std::byte* block) {
    for (unsigned thread = 0; thread < most_threads; ++thread) {
      for (unsigned which = 0; which < most_chunks; ++which) {
        const auto* const begin = chunks_[thread][which].bytes.data();
        if (block < begin + line || block >= begin + sizeof(chunk)) continue;
        check((block - begin) % static_cast<std::ptrdiff_t>(line) == 0, "a block lies across two lines");
        return marks_[thread][which][static_cast<std::size_t>(block - begin) / line - 1];
      }
    }
    check(false, "a block lies in no chunk");
    return marks_[0][0][0];
  }

  std::array<unsigned, most_threads> counts_;
  std::array<std::array<chunk, most_chunks>, most_threads> chunks_;
  std::array<std::array<std::array<data<unsigned>, in_chunk>, most_chunks>, most_threads> marks_;
  std::array<unsigned, most_threads> mapped_{};
  sync::arena<sync::model> arena_;
};

protocol::test takers_test(const std::string& name, unsigned threads,
                           std::array<unsigned, takers::most_threads> counts) {
  return {{"arena/" + name, threads, [=] { return std::make_unique<takers>(counts); }}, {}};
}

protocol tested() {
  return {"arena",
          {takers_test("alone", 1, {5}), takers_test("two", 2, {2, 2}), takers_test("one_more", 2, {3, 1}),
           takers_test("three", 3, {1, 1, 1})}};
}

TEST(arena, each_block_has_one_holder_and_chunks_are_used) { expect_holds(tested()); }
TEST(arena, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
