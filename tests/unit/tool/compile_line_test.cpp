// SPDX-License-Identifier: Apache-2.0
// What the compile launcher reads from a compiler's command line, and which commands it makes of it.
#include "launch/compile_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace {

using namespace steelyard::tool::launch;

compile_line read(const words& line) { return read_compile_line(line); }

std::vector<std::string> sources_of(const compile_line& line) {
  std::vector<std::string> names;
  for (const auto& each : line.sources) names.push_back(line.arguments[each.at]);
  return names;
}

bool has(const words& command, const std::string& word) {
  return std::find(command.begin(), command.end(), word) != command.end();
}

TEST(CompileLine, ObjectsAssemblyAndPrograms) {
  const auto object = read({"g++", "-fopenmp", "-O2", "-c", "a.cc", "-o", "b.o"});
  EXPECT_EQ(object.makes, compile_line::product::object);
  EXPECT_EQ(object.output, "b.o");
  EXPECT_EQ(sources_of(object), words{"a.cc"});
  EXPECT_EQ(object.sources[0].written_in, language::cxx);
  EXPECT_TRUE(object.openmp);
  EXPECT_EQ(object.plain_because, "");
  EXPECT_EQ(read({"gcc", "-S", "a.c"}).makes, compile_line::product::assembly);
  const auto program = read({"gcc", "a.c", "b.o", "-lm", "c.c"});
  EXPECT_EQ(program.makes, compile_line::product::program);
  EXPECT_EQ(sources_of(program), (words{"a.c", "c.c"}));
}

TEST(CompileLine, OpenmpIsWhatTheLastOptionSays) {
  EXPECT_FALSE(read({"gcc", "-c", "a.c"}).openmp);
  EXPECT_TRUE(read({"clang", "-fopenmp=libomp", "-c", "a.c"}).openmp);
  EXPECT_FALSE(read({"gcc", "-fopenmp", "-fno-openmp", "-c", "a.c"}).openmp);
  EXPECT_TRUE(read({"gcc", "-fno-openmp", "-fopenmp", "-c", "a.c"}).openmp);
  EXPECT_FALSE(read({"gcc", "-fopenmp-simd", "-c", "a.c"}).openmp);
  EXPECT_EQ(read({"gcc", "-fopenmp", "-fopenmp-simd", "-c", "a.c"}).plain_because, "");
  EXPECT_FALSE(read({"gcc", "-D", "-fopenmp", "-c", "a.c"}).openmp) << "a value of another option";
}

TEST(CompileLine, CompilersAndWhatStandsBeforeThem) {
  for (const char* known : {"gcc", "/usr/bin/g++-12", "aarch64-linux-gnu-gcc", "clang++-19", "cc", "c++"})
    EXPECT_EQ(read({known, "-fopenmp", "-c", "a.c"}).plain_because, "") << known;
  for (const char* unknown : {"icpx", "nvc", "mygcc", "gcc-wrapper", "tcc"})
    EXPECT_NE(read({unknown, "-fopenmp", "-c", "a.c"}).plain_because, "") << unknown;
  const auto cached = read({"/usr/bin/ccache", "distcc", "g++", "-fopenmp", "-c", "a.c"});
  EXPECT_EQ(cached.compiler, (words{"/usr/bin/ccache", "distcc", "g++"}));
  EXPECT_EQ(cached.sources.at(0).written_in, language::cxx) << "g++ takes .c for C++";
  EXPECT_EQ(preprocessing(cached, cached.sources[0], "").front(), "g++") << "no cache of what is read from memory";
  EXPECT_EQ(compiling(cached, cached.sources[0], "text").front(), "/usr/bin/ccache");
  EXPECT_NE(read({}).plain_because, "");
  EXPECT_NE(read({"ccache"}).plain_because, "");
}

TEST(CompileLine, WhatIsForTheCompilerAlone) {
  for (const char* word : {"-E", "-M", "-MM", "-g3", "-save-temps=obj", "--coverage", "-fprofile-generate", "-v",
                           "-gsplit-dwarf", "-fsyntax-only", "-fmodules", "-foffload=nvptx-none", "-ofile.o", "-",
                           "-coverage", "-fdebug-macro", "-fsanitize=unsigned-integer-overflow", "-fsanitize=integer"})
    EXPECT_NE(read({"gcc", "-fopenmp", "-c", "a.c", word}).plain_because, "") << word;
  EXPECT_NE(read({"gcc", "-fopenmp", "-c", "a.c", "-o"}).plain_because, "") << "no value";
  EXPECT_NE(read({"gcc", "-fopenmp", "-c", "a.c", "-o", "-"}).plain_because, "");
  EXPECT_NE(read({"gcc", "-fopenmp", "-c", "a.c", "-o", "/dev/null"}).plain_because, "");
  EXPECT_NE(read({"gcc", "-fopenmp", "-c", "a.c", "b.c", "-o", "c.o"}).plain_because, "");
  EXPECT_NE(read({"gcc", "-fopenmp", "-MD", "a.c", "-o", "a"}).plain_because, "");
  EXPECT_NE(read({"gcc", "-fopenmp", "-c", "a.f90"}).plain_because, "") << "nothing in C or C++";
  EXPECT_NE(read({"gcc", "-fopenmp", "a.c", "b.S"}).plain_because, "") << "the preprocessor reads b.S, too";
  EXPECT_EQ(read({"gcc", "-fopenmp", "a.c", "b.o", "libc.so.6", "-fsanitize=address"}).plain_because, "");
  EXPECT_EQ(read({"gcc", "-fopenmp", "-c", "a.c", "b.c"}).plain_because, "");
  EXPECT_EQ(read({"gcc", "-fopenmp", "-c", "a.c", "-g"}).plain_because, "");
}

TEST(CompileLine, LanguagesAreForcedForTheFilesBehind) {
  const auto line = read({"gcc", "-fopenmp", "-c", "a.c", "-x", "c++", "b.txt", "-x", "none", "c.txt", "-xc", "d"});
  EXPECT_EQ(sources_of(line), (words{"a.c", "b.txt", "d"}));
  EXPECT_EQ(line.sources[1].written_in, language::cxx);
  EXPECT_EQ(line.sources[2].written_in, language::c);
  EXPECT_NE(read({"gcc", "-fopenmp", "-x", "assembler", "-c", "a.s"}).plain_because, "");
}

TEST(CompileLine, ResponseFilesAreRead) {
  const auto file = std::filesystem::temp_directory_path() / "steelyard compile line";
  std::ofstream(file) << "-fopenmp -DNAME=\"'a b'\"\n-c 'x y.c'";
  const auto line = read({"gcc", "@" + file.native()});
  std::filesystem::remove(file);
  EXPECT_EQ(line.arguments, (words{"-fopenmp", "-DNAME='a b'", "-c", "x y.c"}));
  EXPECT_EQ(sources_of(line), words{"x y.c"});
  EXPECT_NE(read({"gcc", "-fopenmp", "@no such file", "a.c"}).plain_because, "");
}

TEST(CompileLine, ThePreprocessorAloneWritesDependencies) {
  const auto line = read({"gcc", "-fopenmp", "-MD", "-MP", "-DX=1", "-I", "inc", "-c", "d/a.c", "-lm", "-Wl,-z,now"});
  const auto first = preprocessing(line, line.sources[0], "memory");
  for (const char* word : {"-E", "-MD", "-MP", "-DX=1", "inc", "d/a.c", "-MF", "memory", "-MQ", "a.o"})
    EXPECT_TRUE(has(first, word)) << word;
  EXPECT_EQ(dependencies_of(line, line.sources[0]), "a.d");
  for (const char* word : {"-MD", "-MP", "-MF", "-MQ"})
    EXPECT_FALSE(has(preprocessing(line, line.sources[0], ""), word)) << word;
  for (const char* word : {"-c", "-o", "-lm"}) EXPECT_FALSE(has(first, word)) << word;
  const auto second = compiling(line, line.sources[0], "text");
  for (const char* word : {"-MD", "-MP", "-DX=1", "inc", "d/a.c", "-E"}) EXPECT_FALSE(has(second, word)) << word;
  for (const char* word : {"-c", "-fopenmp", "cpp-output", "text", "-o", "a.o"}) EXPECT_TRUE(has(second, word)) << word;
  for (const words& named : {words{"-MF", "own.d"}, words{"-MFown.d"}}) {
    words all{"gcc", "-fopenmp", "-MMD", "-MT", "target", "-c", "a.c"};
    all.insert(all.end(), named.begin(), named.end());
    const auto own = read(all);
    for (const char* word : {"own.d", "-MFown.d", "a.d", "-MQ"})
      EXPECT_FALSE(has(preprocessing(own, own.sources[0], "memory"), word)) << word;
    EXPECT_EQ(dependencies_of(own, own.sources[0]), "own.d");
  }
  const auto none = read({"gcc", "-fopenmp", "-c", "a.c"});
  EXPECT_EQ(dependencies_of(none, none.sources[0]), "");
}

TEST(CompileLine, TextsStandInPlaceOfTheirSources) {
  const auto line = read({"clang", "-fopenmp", "a.c", "b.o", "c.c", "-o", "p"});
  EXPECT_EQ(linking(line, {"text", ""}),
            (words{"clang", "-fopenmp", "-x", "cpp-output", "text", "-x", "none", "b.o", "c.c", "-o", "p",
                   "-Wno-gnu-line-marker", "-Wno-unknown-warning-option"}));
  const auto two = read({"gcc", "-fopenmp", "-c", "a.c", "b.c"});
  EXPECT_EQ(one_of(two, two.sources[1]), (words{"gcc", "-fopenmp", "-c", "b.c"}));
  EXPECT_EQ(compiling(two, two.sources[1], "text"),
            (words{"gcc", "-fopenmp", "-c", "-x", "cpp-output", "text", "-o", "b.o"}));
}

TEST(CompileLine, WarningsAreAskedForWithoutMakingAnything) {
  const auto gcc = read({"ccache", "gcc", "-fopenmp", "-Ia", "-MD", "-MF", "d", "-c", "a.c", "b.c", "-lm"});
  EXPECT_EQ(warning(gcc, gcc.sources[0], false, ""), (words{"gcc", "-fopenmp", "-Ia", "a.c", "-S", "-o", "/dev/null"}));
  EXPECT_TRUE(has(warning(gcc, gcc.sources[1], false, ""), "b.c"));
  EXPECT_EQ(warning(gcc, gcc.sources[0], false, "text"),
            (words{"gcc", "-fopenmp", "-x", "cpp-output", "text", "-lm", "-S", "-o", "/dev/null"}));
  const auto clang = read({"clang", "-fopenmp", "a.c", "-o", "a"});
  EXPECT_EQ(warning(clang, clang.sources[0], false, "").back(), "-fsyntax-only");
  EXPECT_EQ(warning(clang, clang.sources[0], true, "").back(), "/dev/null");
}

TEST(CompileLine, ClangReadsInTheCompilersLanguage) {
  const auto line =
      read({"aarch64-linux-gnu-g++", "-fopenmp", "-std=c++20", "-O2", "-DX", "-funsigned-char", "-c", "a.cc"});
  EXPECT_EQ(reading(line, line.sources[0]),
            (words{"-xc++-cpp-output", "-std=c++20", "-funsigned-char", "--target=aarch64-linux-gnu"}));
  const auto mapped = read({"clang", "-fopenmp", "-ffile-prefix-map=/a=/b", "-resource-dir", "/r", "-c", "a.c"});
  EXPECT_EQ(reading(mapped, mapped.sources[0]), (words{"-xcpp-output", "--prefix-map=/a=/b", "--for-clang"}));
  EXPECT_EQ(mapped.sources.size(), 1U) << "/r is a word of the option before";
}

}  // namespace
