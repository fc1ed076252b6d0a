// SPDX-License-Identifier: Apache-2.0
#include "read/report.hpp"

#include "scratch.hpp"

namespace steelyard::tool {
namespace {

constexpr const char* whole = R"({"steelyard_report":1,"pid":7,"ppid":6,"host":"h","program":"/p/app","mode":"take",
 "schedule":"steal","threads":2,"process_ns":5000,"omp_schedule":null,"warnings":["careful"],
 "runtimes":["/l/libgomp.so.1"],"modules":[{"path":"/p/app"},{"path":"/l/libx.so"}],
 "sites":[{"module":1,"offset":"0x11a4","body":"0x1100","abi":"gomp","ident":null,"clause":"dynamic","clause_chunk":4,
   "decision":"passed","reason":"monotonic","schedule":null,"chunk":0,"granule":4,"members":2,"instances":3,"iterations":30,
   "chunks":9,"steals":1,"wall_ns":100,"busy_ns":150,"span_ns":200,"own_ns":90,"work_ns":1,"limit_low_ns":80,"limit_high_ns":90}],
 "regions":[{"module":0,"offset":"0x10","abi":"gomp","instances":1,"wall_ns":400,"loops":2,"members":2,"own_ns":300,
   "stretches":3,"busy_ns":500,"span_ns":700,"avoidable_ns":100}]})";

TEST(report, every_field) {
  const auto found = parse_report(whole);
  EXPECT_EQ(found.pid, 7);
  EXPECT_EQ(found.threads, 2U);
  EXPECT_EQ(found.process_time, 5000);
  EXPECT_EQ(found.omp_schedule, std::nullopt);
  EXPECT_EQ(found.warnings, std::vector<std::string>{"careful"});
  ASSERT_EQ(found.sites.size(), 1U);
  const auto& site = found.sites[0];
  EXPECT_EQ(site.key.text(), "libx.so+0x11a4");
  EXPECT_EQ(site.module_path, "/l/libx.so");
  EXPECT_EQ(site.body, 0x1100U);
  EXPECT_EQ(site.clause_chunk, 4U);
  EXPECT_EQ(site.granule, 4U);
  EXPECT_EQ(site.ident, "");
  EXPECT_EQ(site.times.passed, "monotonic");
  EXPECT_EQ(site.times.wall, 100);
  EXPECT_EQ(site.times.own, 90);
  EXPECT_EQ(site.times.limit_high, 90);
  ASSERT_EQ(found.regions.size(), 1U);
  EXPECT_EQ(found.regions[0].key.text(), "app+0x10");
  EXPECT_EQ(found.regions[0].body, std::nullopt);
  EXPECT_EQ(found.regions[0].abi, "gomp");
  auto times = found.regions[0].times;
  times.add(times);
  EXPECT_EQ(times.instances, 2U);
  EXPECT_EQ(times.loops, 4U);
  EXPECT_EQ(times.wall, 800);
  EXPECT_EQ(times.own, 600);
  EXPECT_EQ(times.busy, 1000);
  EXPECT_EQ(times.span, 1400);
  EXPECT_EQ(times.avoidable, 200);
}

TEST(report, absent_and_unknown_keys_are_tolerated) {
  const auto found = parse_report(R"({"steelyard_report":1,"new":{},"modules":[],"sites":[
    {"module":-1,"offset":"0x1","decision":"taken","clause_chunk":-1}]})");
  EXPECT_EQ(found.sites.at(0).module_path, "unknown");
  EXPECT_EQ(found.sites.at(0).clause_chunk, 0U);
  EXPECT_EQ(found.sites.at(0).granule, 0U);
  EXPECT_EQ(found.sites.at(0).times.passed, "");
}

TEST(report, what_is_no_report_is_refused) {
  for (const char* text : {"", "{", "[]", "{}", R"({"steelyard_report":2})", R"({"steelyard_report":1,"sites":[{}]})",
                           R"({"steelyard_report":1,"modules":[],"sites":[{"module":0,"offset":"0x1"}]})",
                           R"({"steelyard_report":1,"sites":[{"module":-1,"offset":"17"}]})",
                           R"({"steelyard_report":1,"sites":[{"module":-1,"offset":"0xzz"}]})"}) {
    EXPECT_THROW(static_cast<void>(parse_report(text)), report_error) << text;
  }
}

TEST(report, times_add_up_over_processes) {
  loop_times sum;
  sum.add(
      {.processes = 1, .instances = 1, .steals = 2, .members = 4, .wall = 10, .busy = 15, .span = 20, .passed = ""});
  sum.add({.processes = 2,
           .instances = 2,
           .steals = 3,
           .members = 2,
           .wall = 1,
           .busy = 1,
           .span = 2,
           .passed = "ordered"});
  EXPECT_EQ(sum.processes, 3U);
  EXPECT_EQ(sum.instances, 3U);
  EXPECT_EQ(sum.steals, 5U);
  EXPECT_EQ(sum.members, 4U);
  EXPECT_EQ(sum.wall, 11);
  EXPECT_EQ(sum.passed, "ordered");
}

class reports : public scratch {};

TEST_F(reports, a_folder_of_them) {
  write("a.json", whole);
  write("b.json", "{\"cut off");
  std::vector<std::string> unreadable;
  EXPECT_EQ(read_reports(folder_, unreadable).size(), 1U);
  ASSERT_EQ(unreadable.size(), 1U);
  EXPECT_TRUE(unreadable[0].starts_with("b.json: ")) << unreadable[0];
}

}  // namespace
}  // namespace steelyard::tool
