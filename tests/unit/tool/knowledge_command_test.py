# SPDX-License-Identifier: Apache-2.0
"""`steelyard knowledge`: what automatic has learnt, shown, carried away and forgotten."""
import fcntl
import os
import socket
import stat

from command import Case, main

COSTS = "00" * 256 + "01" * 256


def sum_of(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def line(offset=16, iterations=1000, way="guided 0 2 chunks", granule=1, api="gomp"):
    return f"loop {offset} {api} {granule} {iterations} 2 {way} 5500000 10000000 0 100 {COSTS}"


def text(*lines, build="ab12", host="elsewhere", module="/opt/app"):
    head = ["steelyard knowledge 1", f"build-id {build}", f"host {host}", f"module {module}"]
    before = "".join(f"{each}\n" for each in (*head, *lines))
    return f"{before}sum {sum_of(before):016x}\n"


class Knowledge(Case):
    def setUp(self):
        super().setUp()
        self.kept = self.folder / "cache" / "steelyard"

    def said(self, *words, **changes):
        done = self.steelyard("knowledge", *words, **changes)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        return done.stdout

    def write(self, name, what):
        self.kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self.kept / name).write_text(what)
        (self.kept / name).chmod(0o600)

    def test_run_remembers(self):
        program = self.compiled("loop", "-fopenmp")
        if program is None:
            self.skipTest("no OpenMP here")
        self.assertEqual(self.steelyard("run", "--", program).returncode, 0)
        self.assertEqual(stat.S_IMODE(self.kept.stat().st_mode), 0o700)
        said = self.steelyard("run", "-s", "automatic", "--", program, STEELYARD_KNOWLEDGE="a-folder").stderr
        self.assertEqual(said, "steelyard: STEELYARD_KNOWLEDGE=a-folder is neither off nor the whole path of a folder; it is ignored\n")

    def test_run_without_a_home_remembers_nothing(self):
        program = self.compiled("loop", "-fopenmp")
        if program is None:
            self.skipTest("no OpenMP here")
        for home in ("", "relative", str(self.folder / "loop")):
            done = self.steelyard("run", "--", program, XDG_CACHE_HOME="", HOME=home)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "499500\n", ""))

    def test_what_is_known_is_shown(self):
        self.assertEqual(self.said(), f"Nothing is known in {self.kept}.\n")
        self.write("ab12@elsewhere", text(line(), line(offset=32, way="dynamic 7 2 chunks", granule=4)))
        lines = self.said("show").splitlines()
        self.assertEqual(lines[0].split(), ["loop", "iterations", "threads", "schedule", "time/limit", "host"])
        self.assertEqual(lines[1].split(), ["app+0x10", "1000", "2", "guided", "1.10", "elsewhere"])
        self.assertEqual(lines[2].split(), ["app+0x20", "4000", "2", "dynamic,28", "1.10", "elsewhere"])
        self.assertEqual(self.said(), self.said("show"))

    def test_of_loops_whose_costs_are_not_known_no_limit_is_shown(self):
        self.write("ab12@elsewhere", text("loop 16 gomp 1 63 2 static 0 2 chunks 1179 0 0 0 no-costs"))
        self.assertEqual(self.said("show").splitlines()[1].split(), ["app+0x10", "63", "2", "static", "-", "elsewhere"])

    def test_a_loops_file_is_made_of_it(self):
        self.write("ab12@elsewhere", text(line(way="steal 0 2 chunks", iterations=50), line(), line(offset=32, way="nustatic 0 2 shares")))
        made = self.said("loops")
        self.assertEqual(made, "/opt/app+0x10? guided  # 1000 iterations, 2 threads\n/opt/app+0x20? nustatic  # 1000 iterations, 2 threads\n")
        program = self.compiled("loop", "-fopenmp")
        if program is not None:
            (self.folder / "loops").write_text(made)
            self.assertEqual(self.steelyard("run", "--loops", "loops", "--", program).stderr, "")

    def test_loops_of_the_library_are_shown_and_no_loops_file_names_them(self):
        self.write("ab12@elsewhere", text(line(offset=32, api="library"), line()))
        lines = self.said("show").splitlines()
        self.assertEqual(lines[1].split(), ["app+0x20", "1000", "2", "guided", "1.10", "elsewhere"])
        self.assertEqual(len(lines), 3)
        self.assertEqual(self.said("loops"), "/opt/app+0x10? guided  # 1000 iterations, 2 threads\n")

    def test_run_remembers_loops_of_the_library(self):
        """A stand-in for it says whether it was told a folder."""
        source = """#include <stdio.h>
#include <stdlib.h>
void loop(void) {
  const char* folder = getenv("STEELYARD_KNOWLEDGE");
  puts(folder == NULL ? "none" : folder);
}
"""
        library = self.compiled("libsteelyard.so.0", "-shared", "-fPIC", "-Wl,-soname,libsteelyard.so.0", source=source)
        if library is None:
            self.skipTest("no compiler here")
        program = self.compiled("app", library, f"-Wl,-rpath,{self.folder}", source="void loop(void); int main(void) { loop(); return 0; }\n")
        self.assertEqual(self.steelyard("run", "-s", "steal", "--", program).stdout, "none\n")
        self.assertEqual(self.steelyard("run", "--", program).stdout, f"{self.kept}\n")
        self.assertEqual(self.steelyard("run", "-s", "automatic", "--", program).stdout, f"{self.kept}\n")
        self.assertEqual(self.steelyard("run", "--", program, STEELYARD_KNOWLEDGE="off").stdout, "off\n")

    def test_it_is_carried_to_another_host(self):
        self.write("ab12@elsewhere", text(line(), line(offset=32, api="library")))
        self.write("cd34@elsewhere", text(line(offset=48), build="cd34", module="/opt/lib.so"))
        self.assertEqual(self.said("export", "all"), "")
        self.assertEqual(self.said("export", "-"), (self.folder / "all").read_text())
        self.assertEqual(self.said("clear"), "2 modules forgotten\n")
        self.assertEqual(self.said("clear"), "0 modules forgotten\n")
        self.assertEqual(self.said("import", "all"), "2 modules imported\n")
        host = socket.gethostname()
        self.assertEqual((self.kept / f"ab12@{host}").read_text(), text(line(), line(offset=32, api="library"), host=host))
        self.assertEqual((self.kept / f"cd34@{host}").read_text(), text(line(offset=48), build="cd34", module="/opt/lib.so", host=host))
        self.assertEqual(stat.S_IMODE((self.kept / f"ab12@{host}").stat().st_mode), 0o600)

    def test_what_is_known_here_is_kept(self):
        host = socket.gethostname()
        self.write(f"ab12@{host}", text(line(way="steal 0 2 chunks"), host=host))
        (self.folder / "all").write_text(text(line(), line(offset=64)))
        self.assertEqual(self.said("import", "all"), "1 module imported\n")
        self.assertEqual((self.kept / f"ab12@{host}").read_text(), text(line(offset=64), line(way="steal 0 2 chunks"), host=host))

    def test_files_that_are_wrong(self):
        self.write("ab12@elsewhere", text(line())[:-1])
        self.write("cd34@elsewhere", "steelyard knowledge 7\n")
        self.write("README@nowhere", "words")
        done = self.steelyard("knowledge", "show")
        self.assertEqual((done.returncode, done.stdout), (0, f"Nothing is known in {self.kept}.\n"))
        self.assertEqual(done.stderr.splitlines(),
                         [f"steelyard: {self.kept}/README@nowhere is no file of what Steelyard has learnt; it is left out",
                          f"steelyard: {self.kept}/ab12@elsewhere is damaged; it is left out",
                          f"steelyard: {self.kept}/cd34@elsewhere was written by another version of Steelyard; it is left out"])
        (self.folder / "half").write_text(text(line()) + text(line(), build="cd34")[:-3])
        self.refused(2, "half is damaged; nothing is imported", "knowledge", "import", "half")
        self.assertEqual(sorted(each.name for each in self.kept.iterdir()), ["README@nowhere", "ab12@elsewhere", "cd34@elsewhere"])

    def test_of_a_program_that_was_built_anew_the_last_build_counts(self):
        for build, way, when in (("0f", "guided 0 2 chunks", 200), ("ff", "steal 0 2 chunks", 100)):
            self.write(f"{build}@here", text(line(way=way), build=build, host="here"))
            os.utime(self.kept / f"{build}@here", (when, when))
        self.assertEqual(len(self.said("show").splitlines()), 2)
        self.assertTrue(self.said("loops").startswith("/opt/app+0x10? guided "))

    def test_names_that_a_loops_file_cannot_hold(self):
        self.write("ab12@here", text(line(), module="/opt/my app #x\x7f"))
        self.assertTrue(self.said("loops").startswith("# /opt/my app #x?+0x10? guided "), self.said("loops"))

    def test_what_is_no_file_of_ones_own(self):
        outside = self.folder / "outside"
        outside.write_text(text(line()))
        self.write("ab12@a", text(line()))
        (self.kept / "ab12@b").symlink_to(outside)
        (self.kept / "ab12@c").symlink_to(self.kept / "ab12@c")
        os.mkfifo(self.kept / "ab12@d")
        (self.kept / "ab12@e").write_text(text(line()))
        (self.kept / "ab12@e").chmod(0o666)
        (self.kept / "ab12@f").write_text("x")
        os.truncate(self.kept / "ab12@f", 1 << 30)
        done = self.steelyard("knowledge", "show")
        self.assertEqual(len(done.stdout.splitlines()), 2)
        self.assertEqual(done.stderr.splitlines(), [f"steelyard: {self.kept}/ab12@{name} {why}; it is left out" for name, why in (
            ("b", "is a link"), ("c", "is a link"), ("d", "is not a regular file"), ("e", "may be written by others"), ("f", "is too large"))])
        host = socket.gethostname()
        os.mkfifo(self.kept / f"ab12@{host}")
        self.assertEqual(self.said("import", "outside"), "1 module imported\n")
        self.assertEqual((self.kept / f"ab12@{host}").read_text(), text(line(), host=host))

    def test_a_folder_of_others(self):
        self.write("ab12@a", text(line()))
        (self.folder / "outside").write_text(text(line()))
        self.kept.chmod(0o777)
        why = f"{self.kept}: may be written by others; name a folder that is yours alone in STEELYARD_KNOWLEDGE"
        for words in (["show"], ["loops"], ["clear"], ["export", "x"], ["import", "outside"]):
            self.refused(2, why, "knowledge", *words)
        self.refused(2, f"{self.folder}/outside: cannot be read: Not a directory; name a folder that is yours alone in STEELYARD_KNOWLEDGE",
                     "knowledge", STEELYARD_KNOWLEDGE=str(self.folder / "outside"))

    def test_another_process_that_writes_is_waited_for_a_second(self):
        self.write("ab12@a", text(line()))
        (self.folder / "all").write_text(text(line()))
        with open(self.kept / ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.refused(2, f"{self.kept}: cannot be written (Resource temporarily unavailable); name a folder that is yours in STEELYARD_KNOWLEDGE",
                         "knowledge", "import", "all")

    def test_old_builds_make_room(self):
        program = self.compiled("loop", "-fopenmp")
        if program is None:
            self.skipTest("no OpenMP here")
        for number in range(300):
            self.write(f"ab{number:04}@a", text(line()))
            os.utime(self.kept / f"ab{number:04}@a", (1000 + number, 1000 + number))
        self.write(".ab12@a.77", "half")
        os.utime(self.kept / ".ab12@a.77", (1000, 1000))
        self.kept.chmod(0o700)
        self.assertEqual(self.steelyard("run", "--", program).returncode, 0)
        left = sorted(each.name for each in self.kept.iterdir() if each.name.startswith(("ab", ".ab")))
        self.assertEqual(left[0], "ab0044@a")
        self.assertLessEqual(len(left), 257)

    def test_who_asks_for_another_schedule_gets_no_folder(self):
        program = self.compiled("loop", "-fopenmp")
        if program is None:
            self.skipTest("no OpenMP here")
        self.assertEqual(self.steelyard("run", "-s", "steal", "--", program).returncode, 0)
        self.assertEqual(self.steelyard("compare", "--rounds", "1", "--schedules", "automatic", "--", program).returncode, 0)
        self.assertFalse(self.kept.exists())

    def test_wrong_use(self):
        self.refused(2, "knowledge has no 'exprt'; did you mean export?", "knowledge", "exprt")
        self.refused(2, "knowledge has no 'all'; write show, loops, export, import or clear", "knowledge", "all")
        self.refused(2, "knowledge show takes no 'x'", "knowledge", "show", "x")
        self.refused(2, "no file given; write steelyard knowledge import FILE", "knowledge", "import")
        self.refused(2, "none: cannot be read; name a file that `knowledge export` has written", "knowledge", "import", "none")
        self.refused(2, ".: is not a regular file; name a file that `knowledge export` has written", "knowledge", "import", ".")
        self.refused(2, "/dev/zero: is not a regular file; name a file that `knowledge export` has written", "knowledge", "import", "/dev/zero")
        with open(self.folder / "huge", "w") as huge: huge.truncate(8 << 30)
        self.refused(2, "huge: is too large; name a file that `knowledge export` has written", "knowledge", "import", "huge")
        self.refused(2, "none/x: cannot be written; name a file in a folder of yours", "knowledge", "export", "none/x")
        self.refused(2, "STEELYARD_KNOWLEDGE=off: nothing is remembered; unset it", "knowledge", STEELYARD_KNOWLEDGE="off")
        self.refused(2, "STEELYARD_KNOWLEDGE=x: is neither off nor the whole path of a folder", "knowledge", STEELYARD_KNOWLEDGE="x")
        self.refused(2, "neither HOME nor XDG_CACHE_HOME is set; set STEELYARD_KNOWLEDGE to a folder's whole path", "knowledge",
                     HOME="", XDG_CACHE_HOME="")


if __name__ == "__main__":
    main()
