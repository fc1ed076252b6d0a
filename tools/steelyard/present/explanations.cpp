// SPDX-License-Identifier: Apache-2.0
#include "present/explanations.hpp"

namespace steelyard::tool {
namespace {

constexpr family all_families[] = {
    {"dealt", "who runs what is fixed before the loop begins"},
    {"counter", "equal or shrinking chunks from a shared counter; nothing has to be known"},
    {"statistics", "chunks by the mean and spread of the times that earlier instances had"},
    {"members", "chunks by how fast each member is, as given or as chunks have shown"},
    {"stealing", "equal shares; who has run out takes from others"},
    {"learning", "what is fastest is found out over instances"},
};

constexpr explanation all_explanations[] = {
    {"static", "dealt", "⌈N/P⌉ or ⌊N/P⌋ in a row", "OpenMP",
     "iterations cost the same, and data is to stay where it is"},
    {"cyclic", "dealt", "blocks of c in turn, 1 by default", "OpenMP static,c",
     "costs rise or fall along the loop, and neighbours share no lines"},
    {"dynamic", "counter", "c, 1 by default", "self-scheduling; OpenMP dynamic",
     "iterations are long, or a good chunk is known"},
    {"guided", "counter", "⌈R/P⌉, at least c", "GSS: Polychronopoulos & Kuck 1987; libgomp",
     "costs vary little, or members come late"},
    {"guided:libomp", "counter", "⌊R/2P⌋; c once R < 2P(c+1)", "libomp, Taskflow",
     "as guided, where the first chunks of that are too long"},
    {"trapezoid", "counter", "f - kd, f = ⌊N/2P⌋, d a whole number", "TSS: Tzen & Ni 1993; libomp",
     "costs fall along the loop; many threads, since chunks are few"},
    {"trapezoid:real", "counter", "⌊f - kd⌋, d = (f - l)/(S - 1)", "TSS: Tzen & Ni 1993", "as trapezoid, as published"},
    {"factoring", "counter", "⌈R/2P⌉, R at the start of each batch of P", "FAC2: Flynn Hummel, Schonberg & Flynn 1992",
     "a loop of which nothing is known, run once"},
    {"mfsc", "counter", "⌊0.55 + T ln 2/ln T⌋, T = ⌈N/P⌉", "LB4OMP, DLS4LB",
     "equal chunks are wanted, and none is known that is good"},
    {"tfss", "counter", "the mean of P chunks of trapezoid, P times", "Chronopoulos, Andonie, Benche & Grosu 2001",
     "as trapezoid, with fewer sizes"},
    {"fiss", "counter", "c + jd in batch j, c = ⌊N/(P+1)P⌋", "Philip & Das 1997",
     "for comparison: chunks grow, so the last are the longest"},
    {"viss", "counter", "⌊c(2 - 2^-j)⌋ in batch j, c = ⌊N/P²⌋", "Philip & Das 1997", "for comparison: as fiss"},
    {"rand", "counter", "uniform from N/100P to N/2P", "Ciorba, Iwainsky & Buder 2018",
     "for comparison: what chance does"},
    {"fsc", "statistics", "(√2 N h/(σ P √ln P))^(2/3), always", "Kruskal & Weiss 1985",
     "times vary at random, and the loop runs more than once"},
    {"fac", "statistics", "⌈R/xP⌉, x by Pσ/(2μ√R), in batches of P", "Flynn Hummel, Schonberg & Flynn 1992",
     "as factoring, in a loop that runs more than once"},
    {"bold", "statistics", "t + s/2 - √(s(t + s/4)) + c₁w, t = R/P, by μ, σ, h and what is not completed yet",
     "Hagerup 1997", "as fac, where handing out is dear"},
    {"tap", "statistics", "⌈T + v²/2 - v√(2T + v²/4)⌉, T = R/P, v = 1.3 σ/μ", "Lucco 1992",
     "as guided, in a loop that runs more than once"},
    {"wf2", "members", "⌈w_i C⌉, C the batches of factoring, w given or as measured",
     "Flynn Hummel, Schmidt, Uma & Wein 1996", "cores are not equally fast, and it is known how fast (wf2:1.5,1)"},
    {"awf", "members", "as wf2, 1/w_i ~ Σ k t_ik/Σ k n_ik over time steps k", "Banicescu & Velusamy 2002",
     "cores are not equally fast, and the loop runs again and again"},
    {"awf-b", "members", "as awf over the chunks k of this instance, once a batch", "Cariño & Banicescu 2008",
     "cores change their speed while the loop runs"},
    {"awf-c", "members", "⌈w_i ⌈R/2P⌉⌉, weights as awf-b, with each chunk", "Cariño & Banicescu 2008", "as awf-b"},
    {"awf-d", "members", "as awf-b, handing out counts as time", "Cariño & Banicescu 2008",
     "as awf-b, where members wait for chunks"},
    {"awf-e", "members", "as awf-c, handing out counts as time", "Cariño & Banicescu 2008",
     "as awf-c, where members wait for chunks"},
    {"af", "members", "⌈(D + 2TR - √(D² + 4DTR))/2μ_i⌉, D = Σ σ_i²/μ_i, T = 1/Σ 1/μ_i", "Banicescu & Liu 2000",
     "cores differ and times vary"},
    {"maf", "members", "as af, handing out counts as time", "LB4OMP", "as af, where members wait for chunks"},
    {"pls", "members", "⌈w_i α N/P⌉ once, then ⌈R/P⌉; α = (1 - √3 σ/μ)/(1 + √3 σ/μ)", "Shih, Yang & Tseng 2007",
     "cores differ and times vary little"},
    {"binlpt", "stealing", "W/k of the work, k = ⌈N/c⌉ or 8P; heaviest first, to who has least",
     "BinLPT: Penna et al. 2017, 2019", "what iterations cost is known or declared, and chunks are to be few"},
    {"static_steal", "stealing", "a quarter of the next member's rest, of equal blocks", "libomp",
     "for comparison: what libomp does"},
    {"random", "stealing", "half of a random member's rest", "Cilk: Blumofe & Leiserson 1999", "for comparison"},
    {"wsr", "stealing", "half of a random member's rest, of cyclic blocks", "Mishra & Nandivada 2023",
     "for comparison"},
    {"wsri", "stealing", "half of the fullest member's rest, of cyclic blocks", "Mishra & Nandivada 2023",
     "costs rise or fall along the loop"},
    {"wsrw", "stealing", "half of the most work, of cyclic blocks", "Mishra & Nandivada 2023",
     "what iterations cost is known or declared"},
    {"wsr:paper", "stealing", "as wsr, dealt one by one", "Mishra & Nandivada 2023", "for comparison"},
    {"wsri:paper", "stealing", "as wsri, dealt one by one", "Mishra & Nandivada 2023", "for comparison"},
    {"wsrw:paper", "stealing", "as wsrw, dealt one by one", "Mishra & Nandivada 2023", "for comparison"},
    {"idws", "stealing", "half of the fullest member's rest, which it gives", "Rokos, Gorman & Kelly",
     "iterations so short that a chunk's atomic operation counts"},
    {"adaptive", "stealing", "1/(k+1) of the rest to each of k that ask", "Kaapi: Traoré, Roch, Gautier",
     "members come and go"},
    {"steal", "stealing", "half of the fullest member's rest, of equal blocks", "ours",
     "a loop of which nothing is known: the default"},
    {"steal:even", "stealing", "as steal, by a third of what it has at a time", "ours",
     "iterations cost about the same, and the loop is short"},
    {"nustatic", "learning", "one share of equal cost for each, as learnt or given",
     "Cammarota, Nicolau & Veidenbaum 2013", "the loop runs again and again, with costs that stay"},
    {"nustatic:paper", "learning", "the same from two serial instances", "Cammarota, Nicolau & Veidenbaum 2013",
     "for comparison"},
    {"jit", "learning", "nustatic, dynamic or guided with a chosen chunk, or fewer threads",
     "Cammarota, Nicolau & Veidenbaum 2013", "the loop runs again and again; nothing else is known"},
    {"automatic", "learning", "as the best of several schedules, by forecast and trial; steal at first", "ours",
     "nothing is known of the loops; expert:steal+guided chooses among these only"},
};

}  // namespace

std::span<const family> families() noexcept { return all_families; }

std::span<const explanation> explanations() noexcept { return all_explanations; }

const explanation* explanation_of(std::string_view schedule) noexcept {
  for (const auto& each : all_explanations) {
    if (each.schedule == schedule) return &each;
  }
  return nullptr;
}

}  // namespace steelyard::tool
