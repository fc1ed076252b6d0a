// SPDX-License-Identifier: Apache-2.0
#include "sync/interrupt.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "support/assert.hpp"
#include "support/say.hpp"
#include "sync/forks.hpp"
#include "sync/real.hpp"

namespace steelyard::sync {
namespace {

// Initial-exec: reading it in a handler calls nothing.
[[gnu::tls_model("initial-exec")]] constinit thread_local answering* top = nullptr;

/// What our signals carry: an address that nobody else sends.
constexpr char mark = 0;

struct sigaction previous;

bool is_ours(const siginfo_t& info) noexcept {
  return info.si_code == SI_QUEUE && info.si_value.sival_ptr == &mark && info.si_pid == getpid();
}

/// As if our handler were not there.
void chain(int number, siginfo_t* info, void* context) noexcept {
  if ((previous.sa_flags & SA_SIGINFO) != 0) return previous.sa_sigaction(number, info, context);
  if (previous.sa_handler == SIG_IGN) return;
  if (previous.sa_handler != SIG_DFL) return previous.sa_handler(number);
  sigaction(number, &previous, nullptr);
  raise(number);
}

void handle(int number, siginfo_t* info, void* context) noexcept {
  const int before = errno;
  if (is_ours(*info)) {
    answering::answer_all();
  } else {
    chain(number, info, context);
  }
  errno = before;
}

bool install(int number) noexcept {
  struct sigaction ours {};
  ours.sa_sigaction = handle;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  return sigaction(number, &ours, &previous) == 0;
}

bool is_free(int number) noexcept {
  struct sigaction found {};
  return sigaction(number, nullptr, &found) == 0 && (found.sa_flags & SA_SIGINFO) == 0 && found.sa_handler == SIG_DFL;
}

/// pthread_sigqueue, but by the system's number: a thread that has ended is an error here, not undefined.
bool send(pid_t thread, int number) noexcept {
  siginfo_t info{};
  info.si_signo = number;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = const_cast<char*>(&mark);
  return syscall(SYS_rt_tgsigqueueinfo, info.si_pid, thread, number, &info) == 0;
}

/// Some systems (emulators) have handlers for signals that they cannot send.
bool install_if_it_arrives(int number) noexcept {
  if (!install(number)) return false;
  if (send(gettid(), number)) return true;  // there is nothing to answer yet
  sigaction(number, &previous, nullptr);
  return false;
}

int choose_and_install() noexcept {
  const char* const asked = std::getenv("STEELYARD_SIGNAL");
  if (asked != nullptr && *asked != '\0') {
    if (std::strcmp(asked, "USR1") == 0 || std::strcmp(asked, "SIGUSR1") == 0) return install(SIGUSR1) ? SIGUSR1 : 0;
    support::say("STEELYARD_SIGNAL='%.80s' is ignored; USR1 is known", asked);
  }
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  // A blocked one may be waited for (sigwait, signalfd). A thread that blocks all does not say which.
  const bool blocks_all = sigismember(&blocked, SIGRTMIN) != 0 && sigismember(&blocked, SIGRTMAX) != 0;
  for (int number = SIGRTMAX; number >= SIGRTMIN; --number) {
    const bool may_be_waited_for = !blocks_all && sigismember(&blocked, number) != 0;
    if (!may_be_waited_for && is_free(number) && install_if_it_arrives(number)) return number;
  }
  return 0;
}

}  // namespace

answering::answering(void (*answer)(void*, unsigned), void* of, unsigned number) noexcept
    : answer_(answer), of_(of), number_(number), outer_(top) {
  STEELYARD_ASSERT(answer != nullptr && outer_ != this, "[I1] the list is whole");
  real::signal_fence(site{"Q1"});  // a handler finds it whole
  top = this;
  real::signal_fence(site{"Q1"});
}

answering::~answering() {
  STEELYARD_ASSERT(top == this, "[I1] such objects are nested as the thread's calls are");
  top = outer_;
  real::signal_fence(site{"Q1"});
}

void answering::answer_all() noexcept {
  for (const answering* each = top; each != nullptr; each = each->outer_) each->answer_(each->of_, each->number_);
}

int interrupt_signal() noexcept {
  static constinit made_once<int> chosen;
  return chosen.get(choose_and_install);
}

void accept_interrupts() noexcept {
  static constinit thread_local bool accepted = false;
  if (accepted) return;
  accepted = true;
  sigset_t ours;
  sigemptyset(&ours);
  if (const int number = interrupt_signal(); number != 0) sigaddset(&ours, number);
  pthread_sigmask(SIG_UNBLOCK, &ours, nullptr);
}

bool interrupt(pid_t thread) noexcept {
  const int number = interrupt_signal();
  if (number == 0) return false;
  const int before = errno;
  const bool sent = send(thread, number);
  errno = before;
  return sent;
}

}  // namespace steelyard::sync
