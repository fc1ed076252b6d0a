// SPDX-License-Identifier: Apache-2.0
// The dataflow kernels, over a policy: what a runtime has to offer.
//   Flow::shared<T>          an object that tasks share
//   flow.run(f)              calls f(), which forks tasks; returns when all have ended
//   flow.fork(f, a...)       see accesses.hpp
//   Flow::most_in_flight     not 0: it runs a task at once when more than so many are waiting
//   Flow::begins_in_run      false: no task begins before f has returned
//   flow.fib                 see fib.hpp; it may be missing
#pragma once

#include "dense.hpp"
#include "fib.hpp"
#include "micro.hpp"
#include "program.hpp"
#include "smith_waterman.hpp"
#include "sparse_lu.hpp"

namespace dataflow_kernels {

template <class Flow>
int run(const request& wanted, Flow& flow) {
  if (wanted.kernel == "cholesky") return measure<cholesky<Flow>>(wanted, flow);
  if (wanted.kernel == "lu") return measure<lu<Flow>>(wanted, flow);
  if (wanted.kernel == "smith-waterman") return measure<smith_waterman<Flow>>(wanted, flow);
  if (wanted.kernel == "sparse-lu") return measure<sparse_lu<Flow>>(wanted, flow);
  if (wanted.kernel == "fib") {
    if constexpr (has_fib<Flow>) return measure<fib<Flow>>(wanted, flow);
    bad_input("--kernel fib: this runtime orders only tasks that one task has forked");
  }
  if (wanted.kernel != "stolen") return measure<chain<Flow>>(wanted, flow);
  if (!Flow::begins_in_run) bad_input("--kernel stolen: this runtime's tasks wait for who forks them");
  return measure<stolen<Flow>>(wanted, flow);
}

}  // namespace dataflow_kernels
