# SPDX-License-Identifier: Apache-2.0
"""What the loader sees of the drop-in: what it needs, what it shows, how it is to be loaded."""
import fnmatch
import re
import subprocess

from drop_in import SHIM, Case, main
from pathlib import Path

MAP = Path(__file__).parents[3] / "src/openmp/exports.map"
LOADER = re.compile(r"ld-linux-[\w-]+\.so\.\d+")


def readelf(option):
    return subprocess.run(["readelf", "-W", option, str(SHIM)], capture_output=True, text=True, check=True).stdout


def dynamic(tag):
    """The values of a tag of the dynamic section."""
    return re.findall(rf"\({tag}\)\s+(.*)", readelf("-d"))


def symbols():
    """(name, is defined) of each dynamic symbol."""
    rows = (line.split() for line in readelf("--dyn-syms").splitlines())
    return [(row[7].split("@")[0], row[6] != "UND") for row in rows if len(row) >= 8 and row[0].rstrip(":").isdigit()]


def undefined():
    return {name for name, defined in symbols() if not defined}


def exported():
    return {name for name, defined in symbols() if defined}


def promised():
    """The patterns of the global section of the map."""
    text = re.sub(r"/\*.*?\*/", "", MAP.read_text(), flags=re.S)
    return re.findall(r"[\w*]+(?=;)", text[text.index("global:"):text.index("local:")])


class Elf(Case):
    def test_needs_libc_only(self):
        needed = re.findall(r"\[(.*?)\]", "\n".join(dynamic("NEEDED")))
        self.assertIn("libc.so.6", needed)
        self.assertEqual([name for name in needed if name != "libc.so.6" and not LOADER.fullmatch(name)], [])

    def test_uses_nothing_of_cxx_nor_heap_nor_threads(self):
        banned = r"_Z.*|__gxx_.*|__cxa_(?!finalize$).*|_Unwind_.*|malloc|calloc|realloc|free|posix_memalign|aligned_alloc|" \
                 r"pthread_create|thrd_create|clone\d?|pthread_(mutex|cond|rwlock|spin)\w*|sem_\w+|signal|sigaction|kill"
        self.assertEqual([name for name in undefined() if re.fullmatch(banned, name)], [])

    def test_shows_its_map(self):
        patterns = promised()
        self.assertGreater(len(patterns), 20)
        shown = exported()
        self.assertEqual([n for n in shown if not any(fnmatch.fnmatchcase(n, p) for p in patterns)], [])
        self.assertEqual([p for p in patterns if not fnmatch.filter(shown, p)], [])
        globs = {"GOMP_loop_*_start": 35, "GOMP_loop_*_next": 14, "__kmpc_dispatch_init_*": 4,
                 "__kmpc_dispatch_next_*": 4, "__kmpc_for_static_init_*": 4, "steelyard_loop_cost_*": 4}
        self.assertEqual({p: len(fnmatch.filter(shown, p)) for p in patterns if "*" in p}, globs)

    def test_names_have_no_version(self):
        self.assertNotIn("Version definition section", readelf("-V"))

    def test_binds_to_itself_stays_and_starts_first(self):
        flags = " ".join(dynamic("FLAGS") + ["SYMBOLIC" for _ in dynamic("SYMBOLIC")])
        self.assertIn("SYMBOLIC", flags)
        first = " ".join(dynamic("FLAGS_1"))
        self.assertIn("NODELETE", first)
        self.assertIn("INITFIRST", first)

    def test_is_found_nowhere_else(self):
        self.assertEqual(dynamic("RPATH") + dynamic("RUNPATH"), [])

    def test_has_no_executable_stack_and_no_text_relocations(self):
        stack = re.search(r"GNU_STACK.*", readelf("-l")).group()
        self.assertRegex(stack, r"\bRW\b")
        self.assertEqual(dynamic("TEXTREL"), [])
        self.assertNotIn("TEXTREL", " ".join(dynamic("FLAGS")))

    def test_thread_local_block_is_static_and_small(self):
        self.assertIn("STATIC_TLS", " ".join(dynamic("FLAGS")))
        self.assertNotIn("__tls_get_addr", undefined())
        self.assertNotIn("__tls_get_offset", undefined())
        self.assertNotRegex(readelf("-r"), r"DTPMOD|TLSDESC")
        size = int(re.search(r"\sTLS\s+\S+\s+\S+\s+\S+\s+\S+\s+(\S+)", readelf("-l")).group(1), 16)
        self.assertLessEqual(size, 1024)


if __name__ == "__main__":
    main()
