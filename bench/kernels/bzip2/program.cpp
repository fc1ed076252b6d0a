// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <bzlib.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "../tasks/peak.hpp"

namespace bzip2 {

namespace {

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::_Exit(EXIT_FAILURE);
}

}  // namespace

void request::parse(int argc, char** argv, const char* summary) {
  const argument table[] = {argument_text("--input", "FILE", "what is compressed", &input),
                            argument_text("--output", "FILE", "what bunzip2 can read", &output),
                            argument_number("--threads", "that compress", 1, 4096, &threads),
                            argument_number("--window", "blocks that are in memory", 1, 1 << 20, &window)};
  arguments_parse(argc, argv, summary, table, sizeof table / sizeof table[0]);
  if (input == nullptr || output == nullptr) bad_input("no input or no output: write --input FILE --output FILE");
}

source::source(const char* name) : file_(open(name, O_RDONLY | O_CLOEXEC)) {
  struct stat facts {};
  if (file_ < 0 || fstat(file_, &facts) != 0) bad_input("%s: cannot be opened", name);
  bytes_ = static_cast<std::size_t>(facts.st_size);
}
source::~source() { close(file_); }

std::size_t source::read(std::size_t i, char* into) const {
  const std::size_t first = i * block_bytes, wanted = std::min(block_bytes, bytes_ - first);
  for (std::size_t done = 0; done < wanted;) {
    const ssize_t now = pread(file_, into + done, wanted - done, static_cast<off_t>(first + done));
    if (now <= 0) fail("the input");
    done += static_cast<std::size_t>(now);
  }
  return wanted;
}

void piece::compress(const source& from, std::size_t i) {
  auto size = static_cast<unsigned>(most);
  const auto bytes = static_cast<unsigned>(from.read(i, plain_.get()));
  if (BZ2_bzBuffToBuffCompress(packed_.get(), &size, plain_.get(), bytes, 9, 0, 0) != BZ_OK) fail("libbz2");
  size_ = size;
}

writer::writer(const char* name) : file_(open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (file_ < 0) bad_input("%s: cannot be opened", name);
}
writer::~writer() { close(file_); }

void writer::write(const piece& next) {
  for (std::size_t done = 0; done < next.size();) {
    const ssize_t now = ::write(file_, next.data() + done, next.size() - done);
    if (now <= 0) fail("the output");
    done += static_cast<std::size_t>(now);
  }
  bytes_ += next.size();
}

void print(const source& from, const writer& to, double seconds) {
  std::printf("bzip2: %zu bytes in %zu blocks, %zu compressed\n", from.bytes(), from.blocks(), to.bytes());
  std::printf("kernel: %.9f s\n", seconds);
  std::printf("peak memory: %ld KiB\n", peak_kib());
}

}  // namespace bzip2
