// SPDX-License-Identifier: Apache-2.0
#include "mutants.hpp"

#include <cstdio>
#include <fstream>
#include <map>

namespace steelyard::model {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The proofs for one protocol, by "site | mutation". An entry is `protocol | site | mutation | proof`; lines that start
/// with a blank continue the proof.
std::map<std::string, std::string> proofs_for(const std::string& protocol_name, const std::string& path) {
  std::map<std::string, std::string> proofs;
  std::ifstream file(path);
  std::string* last = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == ' ') {
      if (last != nullptr) *last += ' ' + trimmed(line);
      continue;
    }
    last = nullptr;
    std::vector<std::string> fields;
    for (std::size_t from = 0, bar = 0; fields.size() < 3 && (bar = line.find('|', from)) != std::string::npos;
         from = bar + 1) {
      fields.push_back(trimmed(line.substr(from, bar - from)));
    }
    if (fields.size() < 3 || fields[0] != protocol_name) continue;
    last = &proofs[fields[1] + " | " + fields[2]];
    *last = trimmed(line.substr(line.find('|', line.find('|', line.find('|') + 1) + 1) + 1));
  }
  return proofs;
}

std::string row(const std::string& site, const std::string& edit, const std::string& fate) {
  char text[256];
  std::snprintf(text, sizeof text, "  %-10s %-52s %s\n", site.c_str(), edit.c_str(), fate.c_str());
  return text;
}

struct fate {
  std::string killer;
  std::string message;
};

/// The first test that fails on the mutant.
fate fate_of(const mutation& mutant, const protocol& tested) {
  for (const auto& test : tested.tests) {
    auto how = test.how;
    how.mutant = &mutant;
    const auto found = explore(test.what, how);
    if (found.failed) return {test.what.name, found.failed->message};
  }
  return {};
}

std::set<access> accesses_of(const protocol& tested, mutant_report& report) {
  std::set<access> seen;
  for (const auto& test : tested.tests) {
    auto how = test.how;
    how.seen = &seen;
    const auto found = explore(test.what, how);
    if (found.failed)
      report.complaints.push_back(test.what.name + " fails without a mutation: " + found.failed->message);
  }
  std::erase_if(seen, [&](const access& a) {
    return a.site == "kernel" || tested.elsewhere.find(a.site.front()) != std::string::npos;
  });
  return seen;
}

}  // namespace

mutant_report run_mutants(const protocol& tested, const std::string& equivalent) {
  mutant_report report;
  auto proofs = proofs_for(tested.name, equivalent);
  std::size_t generated = 0;
  std::size_t killed = 0;
  std::size_t proved = 0;
  for (const auto& where : accesses_of(tested, report)) {
    for (const auto& mutant : mutations_of(where)) {
      ++generated;
      const auto key = where.site + " | " + mutant.text();
      const auto end = fate_of(mutant, tested);
      const auto proof = proofs.find(key);
      const bool listed = proof != proofs.end() && !proof->second.empty();
      if (!end.killer.empty()) {
        ++killed;
        report.table += row(where.site, mutant.text(), "killed by " + end.killer + ": " + end.message);
        if (listed) report.complaints.push_back("killed, but listed as equivalent: " + key);
      } else {
        proved += listed ? 1 : 0;
        report.table += row(where.site, mutant.text(), listed ? "equivalent" : "SURVIVED");
        if (!listed) report.complaints.push_back("survived without a proof: " + tested.name + " | " + key);
      }
      if (proof != proofs.end()) proofs.erase(proof);
    }
  }
  for (const auto& [key, proof] : proofs) report.complaints.push_back("listed, but not generated: " + key);
  report.table = tested.name + ": " + std::to_string(generated) + " mutants, " + std::to_string(killed) + " killed, " +
                 std::to_string(proved) + " equivalent\n" + report.table;
  return report;
}

}  // namespace steelyard::model
