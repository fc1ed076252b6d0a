# SPDX-License-Identifier: Apache-2.0
"""What `automatic` has learnt of the library's loops in one process serves the next one; whatever is wrong with what it finds, a program runs."""
import os
import re
import socket
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAMS = Path(os.environ["STEELYARD_TEST_PROGRAMS"])
TOOL, SHIM = (os.environ.get(f"STEELYARD_TEST_{name}") for name in ("TOOL", "SHIM"))
COSTS = "00" * 256 + "01" * 256
WAY = "guided 0 2 chunks"
LINE = re.compile(r"^loop \d+ library 1 (\d+) 2 \S+ \d+ 2 (chunks|shares) \d+ \d+ \d+ \d+ [0-9a-zA-Z_-]{1024}$")
SECONDS = 600  # only a command that hangs takes so long
FOUND = "steelyard: automatic: as an earlier run has found, "


def sum_of(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def build_id(program):
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
    return re.search(r"Build ID: ([0-9a-f]+)", notes)[1]


class Case(unittest.TestCase):
    kind = "library"

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="steelyard-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.program = PROGRAMS / f"unit_loop_remembered_{self.kind}"
        self.kept = self.folder / "kept"
        self.kept.mkdir(mode=0o700)

    def done(self, *arguments, program=None, prefix=(), **changes):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("STEELYARD_", "LD_"))}
        variables = {"STEELYARD_KNOWLEDGE": str(self.kept), "STEELYARD_NUM_THREADS": "2", **changes}
        return subprocess.run([*prefix, str(program or self.program), *map(str, arguments)], capture_output=True, text=True, check=False,
                              timeout=SECONDS, env={**kept, **variables})

    def ran(self, instances, iterations=1000, **changes):
        """It computes what it should; returns what was said."""
        done = self.done(instances, iterations, **changes)
        self.assertEqual((done.returncode, done.stdout), (0, f"{instances * iterations}\n"), done)
        return done.stderr


class Kept(Case):
    known_place = {}

    def setUp(self):
        super().setUp()
        self.name = f"{build_id(self.program)}@{socket.gethostname()}"
        self.file = self.kept / self.name

    def learnt(self):
        """Until a process has settled when it ends: on a busy machine it may be about to look again."""
        for _ in range(50):
            self.ran(200)
            if self.file.exists():
                return self.file.read_text()
        self.fail("nothing was learnt")

    def place(self):
        """The loop's, in its module."""
        if self.kind not in Kept.known_place:
            Kept.known_place[self.kind] = int(self.learnt().splitlines()[4].split()[1])
            self.file.unlink()
        return Kept.known_place[self.kind]

    def line(self, iterations=1000, way=WAY, numbers="5000000 8000000 0 100", api="library", offset=None):
        return f"loop {self.place() if offset is None else offset} {api} 1 {iterations} 2 {way} {numbers} {COSTS}"

    def text(self, *loops, version=1):
        head = [f"steelyard knowledge {version}", f"build-id {build_id(self.program)}", f"host {socket.gethostname()}", "module /somewhere/app"]
        before = "".join(f"{line}\n" for line in (*head, *loops))
        return f"{before}sum {sum_of(before):016x}\n"

    def write(self, text):
        self.file.write_text(text)
        self.file.chmod(0o600)

    def found(self, iterations=1000, **changes):
        """What a process begins with; none: it begins from nothing."""
        said = self.ran(1, iterations, STEELYARD_VERBOSE="1", **changes)
        return re.fullmatch(re.escape(FOUND) + r".* of the limit: (\S+)( from learnt shares)?\n", said)[1] if said else None


class Remembered(Kept):
    def test_it_is_of_a_number_of_threads_and_of_a_way_in(self):
        self.write(self.text(self.line()))
        self.assertIsNone(self.found(STEELYARD_NUM_THREADS="3"))
        self.write(self.text(self.line(api="gomp"), self.line(offset=self.place() + 1)))
        self.assertIsNone(self.found())

    def test_what_is_wrong_costs_one_instance(self):
        """Instances take a thousandth of what is remembered: the second one is observed, and all is learnt anew."""
        self.write(self.text(self.line(numbers="50000000000 80000000000 0 100")))
        before = self.file.read_text()
        for _ in range(50):
            self.ran(200)
            if self.file.read_text() != before:
                break
        (line,) = self.file.read_text().splitlines()[4:-1]
        self.assertLess(int(line.split()[10]), 50_000_000_000)

    def test_loops_that_others_know_stay(self):
        others = [self.line(offset=1, way="steal 0 2 chunks"), self.line(api="gomp"), self.line(api="another-way-in")]
        self.write(self.text(*others, self.line(iterations=50_000)))
        before = self.file.read_text()
        for _ in range(50):
            self.ran(200)
            if self.file.read_text() != before:
                break
        lines = self.file.read_text().splitlines()[4:-1]
        self.assertEqual(lines[:3], others)
        self.assertEqual(len(lines), 5)

    def test_lines_that_make_no_sense_are_passed_over(self):
        for wrong in (self.line(way="nosuch 0 2 chunks"), self.line(numbers="0 1 1 1"), "loop 1", "", self.line(way="wsrw 0 2 chunks")):
            self.write(self.text(wrong))
            self.assertIsNone(self.found(), wrong)
            self.write(self.text(wrong, self.line()))
            self.assertEqual(self.found(), "guided", wrong)

    def said_of_the_file(self):
        (line,) = self.ran(200).splitlines()
        return line.replace(str(self.file), "FILE")

    def test_files_that_are_wrong_are_ignored_in_one_line(self):
        right = self.text(self.line())
        for text, wanted in ((right[:-30], "is damaged"), (right.replace("5000000", "5000001"), "is damaged"), ("words", "is no file of what Steelyard has learnt"),
                             (self.text(self.line(), version=2), "was written by another version of Steelyard")):
            self.write(text)
            self.assertEqual(self.said_of_the_file(), f"steelyard: FILE {wanted}; it is ignored, and written anew")

    def test_what_others_may_have_written_is_not_read(self):
        self.write(self.text(self.line()))
        self.file.chmod(0o602)
        self.assertEqual(self.said_of_the_file(), "steelyard: FILE is not read (others may write to it)")
        self.kept.chmod(0o707)
        self.assertEqual(self.ran(200), f"steelyard: STEELYARD_KNOWLEDGE={self.kept} cannot be used (others may write to it); nothing is remembered\n")

    def test_links_and_what_is_no_file(self):
        other = self.folder / "other"
        other.write_text(self.text(self.line()))
        self.file.symlink_to(other)
        self.assertRegex(self.said_of_the_file(), r"\Asteelyard: FILE is not read \(.*\)\Z")
        self.assertEqual(other.read_text(), self.text(self.line()))
        self.file.unlink()
        os.mkfifo(self.file, 0o600)
        self.assertEqual(self.said_of_the_file(), "steelyard: FILE is not read (it is not a regular file)")

    def test_folders_that_cannot_be_used(self):
        for folder in (self.folder / "none", "/dev/null", "/proc"):
            # A process that has not settled when it ends, on a busy machine, has nothing to say.
            said = next(filter(None, (self.ran(200, STEELYARD_KNOWLEDGE=str(folder)) for _ in range(50))), "")
            self.assertEqual(len(said.splitlines()), 1, folder)
        self.assertEqual(self.ran(200, STEELYARD_KNOWLEDGE="relative"),
                         "steelyard: STEELYARD_KNOWLEDGE=relative is neither off nor the whole path of a folder; it is ignored\n")
        for off in ("off", "0", ""):
            self.assertEqual(self.ran(200, STEELYARD_KNOWLEDGE=off), "")
        self.assertEqual(os.listdir(self.kept), [])

    def test_a_full_disk_leaves_what_was_there(self):
        before = self.learnt()
        for _ in range(3):
            done = self.done(200, 4000, prefix=("bash", "-c", 'ulimit -f 0; exec "$0" "$@"'))
            self.assertEqual((done.returncode, done.stdout), (0, f"{200 * 4000}\n"), done)
            self.assertLessEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertEqual(self.file.read_text(), before)
            self.assertEqual(sorted(os.listdir(self.kept)), sorted([".lock", self.name]))

    def test_the_programs_environment_and_errors_are_its_own(self):
        """It has replaced its environment by memory that is gone when it ends; and it looks at errno behind its first loop."""
        self.write(self.text(self.line())[:-1])
        for _ in range(5):
            done = self.done(-1)
            self.assertEqual((done.returncode, done.stdout), (0, "errno 0\n"), done)

    def test_other_ranks_of_a_job_read_and_do_not_write(self):
        self.write(self.text(self.line()))
        self.assertEqual(self.found(PMI_RANK="1"), "guided")
        self.file.unlink()
        for rank in ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"):
            self.assertEqual(self.ran(200, **{rank: "1"}), "")
        self.assertEqual(os.listdir(self.kept), [])

    def test_other_schedules_learn_nothing_of_the_kind(self):
        self.write(self.text(self.line())[:-1])  # who reads it says so
        for schedule in ("steal", "jit", "automatic,4"):
            self.assertEqual(self.ran(50, STEELYARD_SCHEDULE=schedule), "")


class Common:
    """Of the library of either kind."""

    def test_a_process_leaves_what_it_has_learnt(self):
        lines = self.learnt().splitlines()
        self.assertEqual(lines[:3], ["steelyard knowledge 1", f"build-id {build_id(self.program)}", f"host {socket.gethostname()}"])
        self.assertEqual(lines[3], f"module {self.program.resolve()}")
        self.assertRegex(lines[4], LINE)
        self.assertEqual(LINE.match(lines[4])[1], "1000")
        self.assertEqual(lines[5:], [f"sum {sum_of(''.join(line + chr(10) for line in lines[:-1])):016x}"])
        self.assertEqual(sorted(os.listdir(self.kept)), sorted([".lock", self.name]))
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)

    def test_the_next_one_begins_with_what_the_first_has_found(self):
        self.assertIsNone(self.found())
        chosen = self.learnt().splitlines()[4].split()[6]
        self.assertEqual(self.found(), chosen)
        for way, name in (("static 0 2 chunks", "static"), ("nustatic 0 2 shares", "nustatic"), ("dynamic 7 2 chunks", "dynamic")):
            self.write(self.text(self.line(way=way)))
            self.assertEqual(self.found(), name)
            self.assertEqual(self.found(1200), name, "about as many iterations")
            self.assertIsNone(self.found(3000), "another loop")

    def test_a_child_of_fork_leaves_it_to_its_parent(self):
        """The child learns from two hundred loops, of a module that its parent has asked about; the parent leaves by _exit."""
        for _ in range(3):
            done = self.done(-2)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "child\nparent\n", ""), done)
        self.assertEqual(os.listdir(self.kept), [])
        self.learnt()  # as a process that is not forked does


class Shared(Common, Kept):
    @unittest.skipUnless(TOOL, "the command is not built")
    def test_the_command_needs_no_further_words(self):
        kept = self.folder / "cache" / "steelyard"
        changes = {"STEELYARD_KNOWLEDGE": "", "XDG_CACHE_HOME": str(kept.parent), "STEELYARD_LIBRARY": SHIM}
        for _ in range(50):
            self.assertEqual(self.ran(200, prefix=(TOOL, "run", "--"), **changes), "")
            if (kept / self.name).exists():
                break
        self.assertRegex((kept / self.name).read_text().splitlines()[4], LINE)
        shown = subprocess.run([TOOL, "knowledge"], capture_output=True, text=True, check=True, env={**os.environ, **changes}).stdout
        self.assertIn(f"{self.program.name}+0x{self.place():x}", shown)


class OfTheArchive(Common, Kept):
    """The library is a part of the program."""
    kind = "static"


@unittest.skipUnless((PROGRAMS / "unit_loop_remembered_whole").exists(), "no libc to link statically")
class OfAWholeProgram(Common, Kept):
    """Statically linked as a whole, libc included."""
    kind = "whole"


class Nameless(Case):
    kind = "nameless"

    def test_a_program_without_a_build_id_is_not_remembered(self):
        for _ in range(3):
            self.assertEqual(self.ran(200), "")
        self.assertEqual(os.listdir(self.kept), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
