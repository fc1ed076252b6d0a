# SPDX-License-Identifier: Apache-2.0
"""What `automatic` has learnt in one process serves the next one; and whatever is wrong with what it finds, a program runs."""
import fcntl
import os
import re
import socket
import stat
import subprocess
import unittest

from drop_in import PROGRAMS, SHIM, Case, attempts, clean_environment, main, run

COSTS = "00" * 256 + "01" * 256
WAY = "guided 0 2 chunks"
CHUNKS = {"static 0 2 chunks": 2, "nustatic 0 2 shares": 2, "dynamic 7 2 chunks": 143}  # of 1000 iterations
DIGITS = re.compile(r"^loop (\d+) gomp 1 (\d+) 2 (\S+) (\d+) 2 (chunks|shares) (\d+) (\d+) (\d+) (\d+) [0-9a-zA-Z_-]{1024}$", re.M)


def sum_of(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def build_id(program):
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
    return re.search(r"Build ID: ([0-9a-f]+)", notes)[1]


class Knowledge(Case):
    known_place = None
    schedule = "automatic"

    def setUp(self):
        super().setUp()
        self.program = PROGRAMS / "remembered"
        self.kept = self.folder / "kept"
        self.kept.mkdir(mode=0o700)
        self.name = f"{build_id(self.program)}@{socket.gethostname()}"
        self.file = self.kept / self.name

    def environment(self, **changes):
        return {"STEELYARD_SCHEDULE": self.schedule, "STEELYARD_KNOWLEDGE": str(self.kept), "OMP_NUM_THREADS": "2", **changes}

    def ran(self, instances, iterations=1000, **changes):
        """It computes what it should; returns what was said."""
        done = run([self.program, instances, iterations], self.environment(**changes))
        self.assertEqual((done.returncode, done.stdout), (0, f"{instances * iterations}\n"), done)
        return done.stderr

    def site(self, instances, iterations=1000):
        """What the report says of the loop."""
        self.assertEqual(self.ran(instances, iterations, STEELYARD_REPORT=str(self.folder / "report-%p")), "")
        (report,) = self.reports()
        (found,) = report["sites"]
        return found

    def site_runs_by(self, way, instances, iterations=1000, known=None, chunks=None):
        """What the report says of the loop, in a process that nothing disturbs and that begins with what is known: a thread that is kept from its core for
        long looks like a loop that is badly balanced, or the others open the loop without what it has found."""
        for _ in attempts():
            if known is not None:
                self.write(known)
            found = self.site(instances, iterations)
            if found["way"] == way and chunks in (None, found["chunks"]):
                return found
        return self.fail(f"it runs by {found['way']} in {found['chunks']} chunks, not by {way}")

    def says(self, words, known):
        """So does a process that nothing disturbs and that begins with what is known."""
        for _ in attempts():
            self.write(known)
            said = self.ran(1, STEELYARD_VERBOSE="1")
            if words in said:
                return
        self.fail(f"it says {said}")

    def learnt(self):
        """Until a process has settled when it ends: on a busy machine it may be about to look again."""
        for _ in attempts():
            self.ran(200)
            if self.file.exists() and DIGITS.search(self.file.read_text()):
                return self.file.read_text()
        self.fail("nothing was learnt")

    def text(self, *loops, version=1, build=None, host=None):
        head = [f"steelyard knowledge {version}", f"build-id {build or build_id(self.program)}",
                f"host {host or socket.gethostname()}", "module /somewhere/app"]
        before = "".join(f"{line}\n" for line in (*head, *loops))
        return f"{before}sum {sum_of(before):016x}\n"

    def line(self, iterations=1000, way=WAY, numbers="5000000 8000000 0 100", costs=COSTS, offset=None):
        place = self.place() if offset is None else offset
        return f"loop {place} gomp 1 {iterations} 2 {way} {numbers} {costs}"

    def place(self):
        """The loop's, in its module."""
        if Knowledge.known_place is None:
            Knowledge.known_place = int(self.site(1)["offset"], 16)
        return Knowledge.known_place

    def write(self, text):
        self.file.write_text(text)
        self.file.chmod(0o600)

    def test_a_process_leaves_what_it_has_learnt(self):
        lines = self.learnt().splitlines()
        self.assertEqual(lines[:3], ["steelyard knowledge 1", f"build-id {build_id(self.program)}", f"host {socket.gethostname()}"])
        self.assertEqual(lines[3], f"module {self.program.resolve()}")
        self.assertRegex(lines[4], DIGITS)
        self.assertEqual("\n".join([*lines[:-1], ""]) + lines[-1] + "\n", self.file.read_text())
        self.assertEqual(lines[-1], f"sum {sum_of(''.join(line + chr(10) for line in lines[:-1])):016x}")
        self.assertEqual(sorted(os.listdir(self.kept)), sorted([".lock", self.name]))
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)

    def test_the_next_one_begins_with_it(self):
        self.assertEqual(self.site_runs_by("steal", 1)["settled_after"], 0)
        for way, name in (("static 0 2 chunks", "static"), ("nustatic 0 2 shares", "nustatic"), ("dynamic 7 2 chunks", "dynamic,7")):
            known = self.text(self.line(way=way))
            self.site_runs_by(name, 1, known=known, chunks=CHUNKS[way])
            self.site_runs_by(name, 1, 1200, known=known)  # about as many iterations
            self.site_runs_by("steal", 1, 3000)  # another loop
            self.says(f"as an earlier run has found, {name}: ", known)

    def test_the_next_one_begins_with_what_was_compared_without_costs(self):
        for way, name in (("static 0 2 chunks", "static"), ("steal 0 2 chunks", "steal")):
            known = self.text(self.line(way=way, numbers="50000000 0 0 0", costs="no-costs"))
            self.assertEqual(self.site_runs_by(name, 2, known=known)["settled_after"], 0)
        self.site_runs_by("steal", 2, 3000)  # another loop

    def test_places_that_fork_one_body_know_the_same(self):
        self.name = f"{build_id(PROGRAMS / 'one-body')}@{socket.gethostname()}"
        for _ in attempts():
            done = run([PROGRAMS / "one-body"], self.environment())
            self.assertEqual((done.returncode, done.stdout), (0, "201 201\n"), done)
            if (self.kept / self.name).exists():
                break
        places = [line.split(maxsplit=2) for line in (self.kept / self.name).read_text().splitlines() if line.startswith("loop ")]
        self.assertEqual(len(places), 2, "the second one has run once")
        self.assertNotEqual(places[0][1], places[1][1])
        self.assertEqual(places[0][2], places[1][2])

    def test_a_report_tells_the_same_of_both(self):
        done = run([PROGRAMS / "one-body"], self.environment(STEELYARD_REPORT=str(self.folder / "report-%p")))
        self.assertEqual((done.returncode, done.stdout), (0, "201 201\n"), done)
        (report,) = self.reports()
        once, often = sorted(report["sites"], key=lambda site: site["instances"])
        self.assertEqual((once["instances"], often["instances"]), (1, 200))
        self.assertEqual(once["body"], often["body"])
        self.assertEqual((once["way"], once["way_reason"]), (often["way"], often["way_reason"]))

    def test_what_may_not_be_chosen_is_neither_begun_with_nor_told(self):
        self.write(self.text(self.line(way="static 0 2 chunks")))
        before = self.file.read_text()
        self.schedule = "expert:guided"
        ways = set()
        for _ in attempts():
            ways.add(self.site(200)["way"])
            if "guided" in ways:
                break
        self.assertIn("guided", ways)
        self.assertLessEqual(ways, {"steal", "guided"})
        self.assertEqual(self.file.read_text(), before)
        self.schedule = "expert:static+guided"
        self.site_runs_by("static", 1, known=before)

    def test_it_is_of_a_number_of_threads(self):
        self.write(self.text(self.line()))
        self.assertNotIn("an earlier run", self.ran(1, STEELYARD_VERBOSE="1", OMP_NUM_THREADS="3"))

    def test_what_is_wrong_costs_one_instance(self):
        """Instances take a thousandth of what is remembered: the second one is observed, and all is learnt anew."""
        self.write(self.text(self.line(numbers="5000000000 8000000000 0 100")))
        self.assertNotIn("an earlier run", self.ran(50, STEELYARD_VERBOSE="1"))

    def test_what_serves_until_it_is_learnt_anew_is_not_what_was_found(self):
        self.write(self.text(self.line(iterations=12_000, way="static 0 2 chunks")))
        said = self.ran(1, 12_000, STEELYARD_VERBOSE="1")
        self.assertIn(", 1 instance, steal: ", said)
        self.assertNotIn("an earlier run", said)

    def test_loops_that_others_know_stay(self):
        other = self.line(offset=1, way="steal 0 2 chunks")
        self.write(self.text(other, self.line(iterations=50_000)))
        before = self.file.read_text()
        while self.file.read_text() == before:
            self.ran(200)
        lines = self.file.read_text().splitlines()
        self.assertEqual(len(lines), 4 + 3 + 1)
        self.assertIn(other, lines)

    def test_no_more_than_512_loops(self):
        self.write(self.text(*(self.line(offset=place, way="steal 0 2 chunks") for place in range(1, 1 + 512))))
        before = self.file.read_text()
        while self.file.read_text() == before:
            self.ran(200)
        lines = self.file.read_text().splitlines()[4:-1]
        self.assertEqual(len(lines), 512)
        self.assertEqual(lines[0].split()[1], "2", "the oldest one has gone")

    def said_of_the_file(self, text):
        self.write(text)
        (line,) = self.ran(1).splitlines()
        return line.replace(str(self.file), "FILE")

    def test_files_that_are_wrong_are_ignored_in_one_line(self):
        right = self.text(self.line())
        self.assertEqual(self.ran(1), "")
        damaged = "steelyard: FILE is damaged; it is ignored, and written anew"
        for length in (1, 15, 21, 22, 30, 200, len(right) - 30, len(right) - 1):
            wanted = damaged if length > 20 else "steelyard: FILE is no file of what Steelyard has learnt; it is ignored, and written anew"
            self.assertEqual(self.said_of_the_file(right[:length]), wanted, length)
        self.assertEqual(self.said_of_the_file(right.replace("5000000", "5000001")), damaged)
        self.assertEqual(self.said_of_the_file(right + "more"), damaged)
        other = "steelyard: FILE was written by another version of Steelyard; it is ignored, and written anew"
        self.assertEqual(self.said_of_the_file(self.text(self.line(), version=2)), other)
        foreign = "steelyard: FILE is no file of what Steelyard has learnt; it is ignored, and written anew"
        for text in (self.text(self.line(), build="ab" * 20), self.text(self.line(), host="elsewhere"), "\0" * 100, "steel", ""):
            self.assertEqual(self.said_of_the_file(text), foreign)
        for _ in attempts():
            self.ran(200)
            if self.file.read_text() != "":
                break
        self.assertTrue(self.file.read_text().startswith("steelyard knowledge 1\n"))

    def test_lines_that_make_no_sense_are_passed_over(self):
        for words in ({"numbers": "nan 8000000 0 100"}, {"numbers": "0 8000000 0 100"}, {"numbers": "1 0 0 100"}, {"numbers": "-1 1 0 1"},
                      {"numbers": "1 99999999999999999999 0 100"}, {"numbers": "5000000 8000000 0"}, {"costs": COSTS[2:]},
                      {"costs": "~" * 1024}, {"costs": "00" * 512}, {"iterations": 0}, {"iterations": 2**64}, {"way": "guided 9 2 chunks"},
                      {"way": "guided 0 3 chunks"}, {"way": "guided 0 0 chunks"}, {"way": "guided 0 2 shares"}, {"way": "nosuch 0 2 chunks"},
                      {"way": "dynamic 1073741824 2 chunks"}, {"way": "wsrw 0 2 chunks"}, {"way": "guided 0 2 both"}):
            self.write(self.text(self.line(**words)))
            self.assertEqual(self.ran(1), "")
            self.assertNotIn("an earlier run", self.ran(1, STEELYARD_VERBOSE="1"), words)

    def test_a_file_that_is_too_large_is_not_read(self):
        self.write("steelyard knowledge 1\n")
        os.truncate(self.file, 1 << 30)
        self.assertEqual(self.ran(1), f"steelyard: {self.file} is not read (it is too large)\n")

    def test_what_others_may_have_written_is_not_read(self):
        self.write(self.text(self.line()))
        for mode in (0o620, 0o602):
            self.file.chmod(mode)
            self.assertEqual(self.ran(1), f"steelyard: {self.file} is not read (others may write to it)\n")
        self.file.chmod(0o600)
        for mode in (0o770, 0o707):
            self.kept.chmod(mode)
            self.assertEqual(self.ran(1), f"steelyard: STEELYARD_KNOWLEDGE={self.kept} cannot be used (others may write to it); nothing is remembered\n")

    def test_links_and_what_is_no_file(self):
        (self.folder / "other").write_text(self.text(self.line()))
        self.file.symlink_to(self.folder / "other")
        self.assertRegex(self.ran(1), rf"\Asteelyard: {self.file} is not read \(.*\)\n\Z")
        self.file.unlink()
        self.file.mkdir()
        self.assertEqual(self.ran(1), f"steelyard: {self.file} is not read (it is not a regular file)\n")
        self.file.rmdir()
        os.mkfifo(self.file, 0o600)
        self.assertEqual(self.ran(1), f"steelyard: {self.file} is not read (it is not a regular file)\n")

    def test_folders_that_cannot_be_used(self):
        for folder in (self.folder / "none", "/dev/null", "/proc"):
            said = self.ran(200, STEELYARD_KNOWLEDGE=str(folder))
            self.assertLessEqual(len(said.splitlines()), 1, said)
        self.assertEqual(self.ran(200, STEELYARD_KNOWLEDGE="relative"),
                         "steelyard: STEELYARD_KNOWLEDGE=relative is neither off nor the whole path of a folder; it is ignored\n")
        long = "/" + 4095 * "a"
        self.assertEqual(self.ran(200, STEELYARD_KNOWLEDGE=long), f"steelyard: STEELYARD_KNOWLEDGE={long[:80]} is too long for the path of a folder; it is ignored\n")
        for off in ("off", "0", ""):
            self.assertEqual(self.ran(200, STEELYARD_KNOWLEDGE=off), "")
        self.assertEqual(os.listdir(self.kept), [])

    def test_a_full_disk_leaves_what_was_there(self):
        before = self.learnt()
        for _ in range(3):
            done = subprocess.run(["bash", "-c", f"ulimit -f 0; exec {self.program} 200 4000"], capture_output=True, text=True, check=False,
                                  env={**clean_environment(), **self.environment(), "LD_PRELOAD": str(SHIM)})
            self.assertEqual((done.returncode, done.stdout), (0, f"{200 * 4000}\n"), done)
            self.assertLessEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertEqual(self.file.read_text(), before)
            self.assertEqual(sorted(os.listdir(self.kept)), sorted([".lock", self.name]))

    def test_two_processes_at_once(self):
        environment = {**clean_environment(), **self.environment(), "LD_PRELOAD": str(SHIM)}
        sizes = (100, 300, 900, 2700)
        for _ in range(3):
            all_of_them = [subprocess.Popen([self.program, "100", str(n)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for n in sizes]
            for n, each in zip(sizes, all_of_them):
                self.assertEqual(each.communicate(), (f"{100 * n}\n".encode(), b""))
            if not self.file.exists():
                continue
            lines = self.file.read_text().splitlines()
            self.assertEqual(lines[-1], f"sum {sum_of(''.join(line + chr(10) for line in lines[:-1])):016x}")
            counts = [int(line.split()[4]) for line in lines[4:-1]]
            self.assertLessEqual(set(counts), set(sizes))
            self.assertEqual(len(counts), len(set(counts)))

    def test_who_waits_for_another_process_leaves_after_a_second(self):
        before = self.learnt()
        with open(self.kept / ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for _ in attempts():
                said = self.ran(200, 4000)
                if said:
                    break
            self.assertRegex(said, rf"\Asteelyard: {self.kept} cannot be written \(.*\); what was learnt is lost\n\Z")
        self.assertEqual(self.file.read_text(), before)

    def test_a_library_has_a_file_of_its_own(self):
        for _ in attempts():
            done = run([PROGRAMS / "remembered-elsewhere", "200"], self.environment())
            self.assertEqual((done.returncode, done.stdout), (0, "200000\n"), done)
            library = self.kept / f"{build_id(PROGRAMS / 'remembered.so')}@{socket.gethostname()}"
            if library.exists():
                break
        self.assertIn(f"module {(PROGRAMS / 'remembered.so').resolve()}\n", library.read_text())
        self.assertFalse(self.file.exists())

    def test_a_program_without_a_build_id_is_not_remembered(self):
        for _ in range(3):
            done = run([PROGRAMS / "remembered-nameless", "200"], self.environment())
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "200000\n", ""), done)
        self.assertEqual(os.listdir(self.kept), [])

    def test_the_programs_environment_and_errors_are_its_own(self):
        """It has replaced its environment by memory that is gone when it ends; and it looks at errno behind its first loop."""
        for _ in range(5):
            done = run([PROGRAMS / "remembered", "-1"], self.environment())
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "errno 0\n", ""), done)

    def test_a_child_of_fork_leaves_it_to_its_parent(self):
        """The child runs the loop alone, as its parent has before."""
        for _ in range(3):
            done = run([PROGRAMS / "remembered", "-2"], self.environment())
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "child\nparent\n", ""), done)

    def test_one_rank_of_a_job_writes(self):
        for rank in ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"):
            for _ in range(3):
                self.assertEqual(self.ran(200, **{rank: "1"}), "")
        self.assertFalse(self.file.exists())

    def test_other_schedules_learn_nothing_of_the_kind(self):
        for schedule in ("steal", "jit", "automatic,4"):
            self.assertEqual(self.ran(50, STEELYARD_SCHEDULE=schedule), "")
        self.assertEqual(os.listdir(self.kept), [])


if __name__ == "__main__":
    main()
