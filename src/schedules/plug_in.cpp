// SPDX-License-Identifier: Apache-2.0
#include "schedules/plug_in.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "schedules/own.hpp"
#include "schedules/registry.hpp"
#include "support/words.hpp"

namespace steelyard::schedules {
namespace {

template <std::size_t Size>
void say(char (&into)[Size], const char* why, const char* more = "") noexcept {
  std::snprintf(into, Size, why, more);
}

/// Why the file could not be loaded, without its name.
const char* reason(const char* file) noexcept {
  const char* const said = dlerror();
  if (said == nullptr) return "nobody says why";
  const auto length = std::strlen(file);
  return std::strncmp(said, file, length) == 0 && said[length] == ':' ? said + length + 2 : said;
}

/// Whether its segments lie in a file of that size: else the loader crashes.
bool is_whole(int descriptor, std::uint64_t size) noexcept {
  ElfW(Ehdr) head;
  if (pread(descriptor, &head, sizeof head, 0) != sizeof head || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
    return true;  // no such file: the loader says so
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    ElfW(Phdr) part;
    const auto at = static_cast<off_t>(head.e_phoff + i * sizeof part);
    if (pread(descriptor, &part, sizeof part, at) != sizeof part) return false;
    if (part.p_type == PT_LOAD && (part.p_offset > size || part.p_filesz > size - part.p_offset)) return false;
  }
  return true;
}

/// Why the loader would wait or crash; nullptr: it says itself what is wrong.
const char* unfit(const char* file) noexcept {
  struct stat about {};
  if (stat(file, &about) != 0) return nullptr;
  if (!S_ISREG(about.st_mode)) return "is not a regular file; name the shared object of a plug-in";
  const int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return nullptr;
  const bool whole = is_whole(descriptor, static_cast<std::uint64_t>(about.st_size));
  close(descriptor);
  return whole ? nullptr : "is cut short; build it again";
}

}  // namespace

plug_in open_plug_in(const char* file) noexcept {
  plug_in found;
  // By its name: a reference would have the linker warn whoever links statically.
  const auto load = reinterpret_cast<decltype(&dlopen)>(dlsym(RTLD_DEFAULT, "dlopen"));
  if (load == nullptr) {
    say(found.wrong, "cannot be loaded by a program that is linked statically");
    return found;
  }
  if (const char* const why = unfit(file)) {
    say(found.wrong, "%s", why);
    return found;
  }
  void* const code = load(file, RTLD_NOW | RTLD_LOCAL);
  if (code == nullptr) {
    say(found.wrong, "cannot be loaded: %s", reason(file));
    return found;
  }
  using made = const steelyard_schedule* (*)();
  const auto make = reinterpret_cast<made>(dlsym(code, "steelyard_plug_in_v1"));
  if (make == nullptr) {
    say(found.wrong, "is no plug-in of a schedule; end its source with STEELYARD_PLUG_IN(name)");
    return found;
  }
  const auto* const table = make();
  if (const char* const fault = fault_of(table)) {
    say(found.wrong, "holds a schedule that %s", fault);
  } else {
    found.table = table;
  }
  return found;
}

plug_in_text split_plug_in(std::string_view text) noexcept {
  text = support::trimmed(text);
  plug_in_text found{text, {}};
  const auto comma = text.rfind(',');
  if (comma == std::string_view::npos || text.find_first_of("./", comma) != std::string_view::npos) return found;
  found.chunk = text;
  found.chunk.remove_prefix(comma);
  found.file.remove_suffix(text.size() - comma);
  found.file = support::trimmed(found.file);
  return found;
}

choice not_yet_loaded(std::string_view text) noexcept {
  choice stands_in{find("steal")};
  stands_in.file = support::trimmed(text);
  return stands_in;
}

plugged_choice load_choice(std::string_view text) noexcept {
  plugged_choice found;
  const auto [file, chunk] = split_plug_in(text);
  char path[4096];
  char name[64];
  if (getauxval(AT_SECURE) != 0) {
    say(found.wrong, "is not loaded into a program that has more rights than its user");
    return found;
  }
  if (file.size() >= sizeof path || chunk.size() >= sizeof name / 2) {
    say(found.wrong, "is too long");
    return found;
  }
  std::memcpy(path, file.data(), file.size());
  path[file.size()] = '\0';
  const auto code = open_plug_in(path);
  const char* const wrong = code.table != nullptr ? add_own(code.table) : nullptr;
  if (code.table == nullptr) {
    std::memcpy(found.wrong, code.wrong, sizeof found.wrong);
  } else if (wrong != nullptr) {
    say(found.wrong, "holds a schedule that %s", wrong);
  } else {
    std::snprintf(name, sizeof name, "%s%.*s", code.table->name, static_cast<int>(chunk.size()), chunk.data());
    const auto parsed = parse_choice(name);
    found.value = parsed.value;
    if (parsed.error != choice_error::none) say(found.wrong, "%s", explain(parsed.error));
  }
  return found;
}

}  // namespace steelyard::schedules
