#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules of this repository that no compiler knows; CONTRIBUTING.md says why they are there.

usage: rules.py [DIRECTORY]     prints one line per finding; exit status 0 when there is none
"""
import json
import os
import re
import shutil
import subprocess
import sys

import messages
import prose

FILE_LINES = 400
HEADER_LINES = 300
README_BYTES = 8192
FUNCTION_LINES = 40
SOURCE = (".c", ".h", ".cpp", ".hpp", ".f90")
SCRIPT = (".py", ".sh", ".cmake", ".map")
ATOMIC_DIRECTORIES = ("src/",)
DOORS = ("src/sync/real.hpp", "src/sync/virtual.hpp", "src/sync/access.hpp")
ACCESS = re.compile(r"(?:\.|->)(load|store|exchange|fetch_\w+|compare_exchange\w*)\s*\(|\b(fence)\s*\(")
SITE = re.compile(r'\bsite(?:\s+(\w+))?\s*[({]"([^"]*)"[)}]')  # `site{"S1"}`, or a constant `site name{"S1"}`


class Tree:
    """The files of a checkout, by path from its top, and their text."""

    def __init__(self, top):
        self.top = top
        self.paths = sorted(self._list())
        self._texts = {}

    def _list(self):
        if os.path.exists(os.path.join(self.top, ".git")):
            command = ["git", "-C", self.top, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
            names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
            return {name for name in names if name and os.path.isfile(os.path.join(self.top, name))}
        return {
            os.path.relpath(os.path.join(where, name), self.top)
            for where, _, names in os.walk(self.top)
            for name in names
        }

    def text(self, path):
        if path not in self._texts:
            with open(os.path.join(self.top, path), encoding="utf-8", errors="replace") as file:
                self._texts[path] = file.read()
        return self._texts[path]

    def sources(self, *directories):
        return [p for p in self.paths if p.endswith(SOURCE) and p.startswith(directories)]

    def is_script(self, path):
        return path.endswith(SCRIPT) or os.path.basename(path) == "CMakeLists.txt" or self.text(path).startswith("#!")


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def without_comments(text):
    """The same text, comments blanked, positions and string literals kept."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
    blank = lambda m: m.group() if m.group()[0] == '"' else re.sub(r"[^\n]", " ", m.group())
    return pattern.sub(blank, text)


def arguments_after(text, opening):
    """What stands between the parenthesis at `opening` and its partner."""
    depth = 0
    for position in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return text[opening + 1 : position]
    return text[opening + 1 :]


def licence_named(tree):
    """Every source and script names its licence in its first lines."""
    for path in tree.paths:
        if path.endswith(SOURCE) or tree.is_script(path):
            if "SPDX-License-Identifier: Apache-2.0" not in "\n".join(tree.text(path).split("\n")[:4]):
                yield path, 1, "no SPDX-License-Identifier in the first lines"


def scripts_executable(tree):
    """What starts with #! can be started."""
    for path in tree.paths:
        if tree.text(path).startswith("#!") and not os.access(os.path.join(tree.top, path), os.X_OK):
            yield path, 1, "starts with #! but is not executable"


def atomics_tagged(tree):
    """Every atomic access of a protocol goes through the door and cites a rule written down beside it."""
    for path in tree.sources(*ATOMIC_DIRECTORIES):
        if path in DOORS:
            continue
        text = without_comments(tree.text(path))
        for raw in re.finditer(r"\bstd::atomic\w*|\b__atomic_\w+|\b__sync_\w+", text):
            yield path, line_of(text, raw.start()), f"{raw.group()}: atomics go through the door, sync/access.hpp"
        constants = {site.group(1) for site in SITE.finditer(text) if site.group(1)}
        for access in ACCESS.finditer(text):
            arguments = arguments_after(text, access.end() - 1)
            if not SITE.search(arguments) and not constants & set(re.findall(r"\w+", arguments)):
                name = access.group(1) or access.group(2)
                yield path, line_of(text, access.start()), f'{name}: no site{{"…"}} among its arguments'


HEADER_ACCESS = re.compile(
    r"\b__atomic_(?:load|store|exchange|compare|fetch|add|sub|thread_fence)\w*\s*\(|"
    r"(?:\.|->)(?:load|store|exchange|fetch_\w+|compare_exchange\w*)\s*\(\s*[^)]*memory_order")


def headers_tagged(tree):
    """An atomic access of a public header cites its row of a table `| site |`, too: `// H1` behind it, or a site where the model
    compiles it as well."""
    directories = {os.path.dirname(path) for path in tree.paths if path.endswith(".md")}
    rows = {tag for directory in directories for tag in documented_tags(tree, directory)}
    used = set()
    for path in tree.sources("include/"):
        for number, line in enumerate(tree.text(path).split("\n"), 1):
            if not HEADER_ACCESS.search(line.split("//")[0]):
                continue
            cited = re.search(r"// ([A-Z]\d+)$", line) or re.search(r'\bsite\{"([A-Z]\d+)"\}', line)
            used.add(cited.group(1) if cited else None)
            if cited is None or cited.group(1) not in rows:
                yield path, number, f"an atomic access that cites no row of a table `| site |`: {line.strip()[:60]}"
    for directory in filter(lambda name: name.startswith("include/"), directories):
        for tag, (path, number) in documented_tags(tree, directory).items():
            if tag not in used:
                yield path, number, f"site {tag}: no public header cites it"


def tags_of(tree, directory):
    """Sites used in a directory: tag → (path, line)."""
    tags = {}
    for path in tree.sources(*ATOMIC_DIRECTORIES):
        if os.path.dirname(path) == directory and path not in DOORS:
            text = without_comments(tree.text(path))
            for site in SITE.finditer(text):
                tags.setdefault(site.group(2), (path, line_of(text, site.start())))
    return tags


def documented_rows(tree, directory):
    """Rows of the tables headed `| site |` in a directory's .md files: (tag, path, line)."""
    for path in tree.paths:
        if not path.endswith(".md") or os.path.dirname(path) != directory:
            continue
        in_table = False
        for number, line in enumerate(tree.text(path).split("\n"), 1):
            first = line.strip().strip("|").split("|")[0].strip().strip("`") if line.strip().startswith("|") else None
            in_table = first is not None and (in_table or first == "site")
            for tag in re.findall(r"[A-Za-z]\w*", first) if in_table and first != "site" else ():
                yield tag, path, number


def documented_tags(tree, directory):
    """tag → (path, line) of its first row."""
    tags = {}
    for tag, path, number in documented_rows(tree, directory):
        tags.setdefault(tag, (path, number))
    return tags


def tags_documented(tree):
    """A tag in the code has its row in a table `| site | …` of a .md beside it, and a row has its access."""
    for directory in sorted({os.path.dirname(p) for p in tree.sources(*ATOMIC_DIRECTORIES)}):
        used, written = tags_of(tree, directory), documented_tags(tree, directory)
        for tag, (path, line) in used.items():
            if tag not in written:
                yield path, line, f'site{{"{tag}"}} has no row in a table `| site |` of a .md in {directory}'
        for tag, (path, line) in written.items():
            if tag not in used:
                yield path, line, f"site {tag}: no access in {directory} cites it"


def tags_unique(tree):
    """A tag has one row in its directory, and no invariant `**[I1]**` of that document is called the same."""
    for directory in sorted({os.path.dirname(path) for path in tree.paths if path.endswith(".md")}):
        first = documented_tags(tree, directory)
        for tag, path, line in documented_rows(tree, directory):
            if (path, line) != first[tag]:
                yield path, line, f"site {tag} has a row in line {first[tag][1]} of {first[tag][0]}, too"
            if f"**[{tag}]**" in tree.text(path):
                yield path, line, f"site {tag}: an invariant of {path} is called the same"


def files_short(tree):
    """A file holds one concept."""
    for path in tree.sources("src/", "tools/", "include/"):
        lines = tree.text(path).count("\n")
        if lines > FILE_LINES:
            yield path, lines, f"{lines} lines, more than {FILE_LINES}"


def headers_short(tree):
    """A header is read by whoever uses it; one that is long says why, `// long: …` in its first lines."""
    for path in tree.sources("src/", "tools/", "include/"):
        lines = tree.text(path).count("\n")
        if path.endswith((".h", ".hpp")) and lines > HEADER_LINES:
            first = "\n".join(tree.text(path).split("\n")[:10])
            if not re.search(r"^\s*(?://|/?\*) long: \w", first, re.M):
                yield path, lines, f"a header of {lines} lines, more than {HEADER_LINES}, and no `// long: why` above"


def functions_short(tree):
    """Quality lives in the tail: no function grows without end."""
    paths = tree.sources("src/", "tools/", "include/", "examples/")
    if not paths or functions_short in not_checked():
        return
    command = ["ctags", "--output-format=json", "--fields=+ne", "--kinds-C++=f", "--kinds-C=f", "-f", "-", *paths]
    tags = subprocess.run(command, cwd=tree.top, check=True, capture_output=True, text=True).stdout
    for tag in map(json.loads, filter(None, tags.split("\n"))):
        length = tag.get("end", tag["line"]) - tag["line"] + 1
        if length > FUNCTION_LINES:
            yield tag["path"], tag["line"], f"{tag['name']}: {length} lines, more than {FUNCTION_LINES}"


def layers_of(tree):
    """What each layer may link, as the top CMakeLists.txt says: name → names."""
    text = tree.text("CMakeLists.txt") if "CMakeLists.txt" in tree.paths else ""
    found = re.findall(r"^\s*steelyard_layer\((\w+)(?:\s+AFTER\s+([\w\s]+))?\)", text, re.M)
    return {name: set(after.split()) for name, after in found}


def includes_point_down(tree):
    """A layer includes only itself and what stands before it in the top CMakeLists.txt; public headers nothing of src/."""
    allowed = {name: {name} | after for name, after in layers_of(tree).items()}
    for path in tree.sources("src/", "include/"):
        layer = path.split("/")[1] if path.startswith("src/") else None
        if layer is not None and layer not in allowed:
            yield path, 1, f"src/{layer} is no layer of the top CMakeLists.txt"
            continue
        for include in re.finditer(r'^\s*#\s*include\s*[<"](\w+)/', tree.text(path), re.M):
            target = include.group(1)
            if target in allowed and (layer is None or target not in allowed[layer]):
                where = f"layer {layer}" if layer else "a public header"
                yield path, line_of(tree.text(path), include.start()), f"{where} includes {target}/"


def arrows_of(layers):
    """(layer, layer) of each arrow that a picture of them needs: none where others lead there."""
    return {(name, lower) for name, after in layers.items() for lower in after
            if not any(lower in layers.get(between, ()) for between in after)}


def layers_drawn(tree):
    """The picture in ARCHITECTURE.md, arrows `a --> b` under `flowchart`, is what the top CMakeLists.txt says."""
    layers, file = layers_of(tree), "ARCHITECTURE.md"
    text = tree.text(file) if file in tree.paths else ""
    picture = re.search(r"^```mermaid\nflowchart.*?^```", text, re.M | re.S)
    if not picture:
        if layers:
            yield file, 1, "no picture of the layers: a mermaid flowchart"
        return
    start = line_of(text, picture.start())
    drawn = {}
    for number, line in enumerate(picture.group().split("\n")[2:-1], start + 2):
        arrow = re.fullmatch(r"\s*(\w+) --> (\w+)", line)
        if arrow:
            drawn[arrow.groups()] = number
        elif line.strip():
            yield file, number, f"no arrow `a --> b` between layers: {line.strip()}"
    wanted = arrows_of(layers)
    for arrow in sorted(wanted - drawn.keys()):
        yield file, start, f"the picture of the layers lacks `{' --> '.join(arrow)}`"
    for arrow in sorted(drawn.keys() - wanted):
        yield file, drawn[arrow], f"the build knows no such arrow, or others lead there: {' --> '.join(arrow)}"
    for name, after in layers.items():
        for lower in sorted(set().union(*(layers.get(each, set()) for each in after)) - after):
            yield "CMakeLists.txt", 1, f"layer {name} stands AFTER one that stands AFTER {lower}, and does not say so"


SCHEDULE = re.compile(r'\btraits about\{\s*(?:\.name = )?"([^"]*)"')


def schedules_tested(tree):
    """One schedule, one file, one test file of the same name, or golden vectors, which a test of all schedules replays."""
    for path in tree.sources("src/schedules/"):
        declaration = SCHEDULE.search(tree.text(path))
        name = os.path.splitext(os.path.basename(path))[0]
        test = f"tests/unit/schedules/{name}_test.cpp"
        vectors = (f"tests/golden/{name}.txt", f"tests/golden/{name.replace('_', '-')}.txt")
        if declaration and not {test, *vectors}.intersection(tree.paths):
            yield path, line_of(tree.text(path), declaration.start()), f"a schedule without {test} or {vectors[-1]}"


def schedules_stressed(tree):
    """Every schedule runs in the small host of tests/stress, so every one under the sanitizers."""
    file = "tests/stress/CMakeLists.txt"
    text = tree.text(file) if file in tree.paths else ""
    listed = re.search(r"^foreach\(schedule ([^)]*)\)", text, re.M)
    names = listed.group(1).split() if listed else []
    for path in tree.sources("src/schedules/"):
        for name in SCHEDULE.findall(tree.text(path)):
            if name not in names:
                yield file, line_of(text, listed.start()) if listed else 1, f"schedule {name} of {path} is not stressed"


def no_machine_paths(tree):
    """Nothing depends on where somebody's machine keeps things."""
    directories = re.compile(r'(?<![\w.$}/])/(work|root|home|tmp)\b(?=[/"\'\s]|$)', re.M)
    for path in tree.paths:
        if path.startswith(("src/", "tools/", "include/", "examples/", "cmake/", "bench/", "ci/")):
            for found in directories.finditer(tree.text(path)):
                yield path, line_of(tree.text(path), found.start()), f"hard-coded path {found.group()}"


def without_code(text):
    """The text of a document, code blanked, positions kept."""
    return re.sub(r"```.*?```|`[^`\n]*`", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def anchors(text):
    """The names GitHub gives the headings of a document; of equal ones, each after the first has a number."""
    found, seen = set(), {}
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        name = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if name in seen else name)
        seen[name] = seen.get(name, 0) + 1
    return found


def links_lead_somewhere(tree):
    """A document cites only what exists."""
    for path in tree.paths:
        if not path.endswith(".md"):
            continue
        text = without_code(tree.text(path))
        for link in re.finditer(r"\]\(([^)\s]+)\)", text):
            target, _, section = link.group(1).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            file = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            if not os.path.exists(os.path.join(tree.top, file)):
                yield path, line_of(text, link.start()), f"link to {target}, which does not exist"
            elif section and file.endswith(".md") and section not in anchors(tree.text(file)):
                yield path, line_of(text, link.start()), f"link to {link.group(1)}: no such section"


def citations_lead_somewhere(tree):
    """So does a source, in its comments and in what it prints (the manual page): seen from it, or from a folder above."""
    pages = [path for path in tree.paths if path.endswith(".dox")]
    for path in [*tree.sources("src/", "tools/", "include/", "examples/"), *pages]:
        text = tree.text(path).replace("\\\\-", "-")  # as troff has it
        for cited in re.finditer(r"(?<![\w./-])[\w./-]+\.md\b(?:#([\w-]+))?", text):
            name, section = cited.group().split("#")[0], cited.group(1)
            places, folder = [], os.path.dirname(path)
            while True:
                places.append(os.path.normpath(os.path.join(folder, name)))
                if not folder:
                    break
                folder = os.path.dirname(folder)
            file = next((place for place in places if place in tree.paths), None)
            if file is None or section and section not in anchors(tree.text(file)):
                yield path, line_of(text, cited.start()), f"cites {cited.group()}, which does not exist"


def english_plain(tree):
    """Documents, and what public headers say to their users, are read by people who meet the project for the first time."""
    headers = [path for path in tree.sources("include/") if "/detail/" not in path]
    texts = {path: tree.text(path) for path in tree.paths if path.endswith(".md")}
    texts |= {path: prose.comments(tree.text(path)) for path in tree.paths if path.endswith(".dox") or path in headers}
    for path, text in texts.items():
        for line, message in prose.findings(text):
            yield path, line, message


def mistakes_told(tree):
    """Who makes a mistake reads what it is and what to do: a test expects the sentence, and a document explains it."""
    for path, position, message in messages.findings(tree, without_comments):
        yield path, line_of(tree.text(path), position), message


def front_door_short(tree):
    """Who comes to the README wants to know whether to try it."""
    size = len(tree.text("README.md").encode()) if "README.md" in tree.paths else 0
    if size > README_BYTES:
        yield "README.md", 1, f"{size} bytes, more than {README_BYTES}"


def one_header_for_all(tree):
    """<steelyard/steelyard.hpp> leads to every header of the C++ interface."""
    top = "include/steelyard/steelyard.hpp"
    waiting, reached = [top], set()
    while waiting:
        path = waiting.pop()
        if path in tree.paths and path not in reached:
            reached.add(path)
            waiting += ["include/" + name for name in re.findall(r"#include <(steelyard/.*)>", tree.text(path))]
    for path in tree.sources("include/steelyard/") if reached else ():
        if re.fullmatch(r"include/steelyard/\w+\.hpp", path) and path not in reached:
            yield path, 1, f"{top} does not lead to it"


def variables_listed(tree):
    """Of a variable that nobody reads a program says so: what is read is in the list, and documented."""
    listed = tree.text("src/support/variables.hpp") if "src/support/variables.hpp" in tree.paths else ""
    known = set(re.findall(r'"([A-Z_]+)"', listed))
    documents = "".join(tree.text(path) for path in tree.paths if path.endswith(".md"))
    for path in tree.sources("src/") + tree.sources("tools/"):
        text = without_comments(tree.text(path))
        for found in re.finditer(r'"STEELYARD_([A-Z_]+)"', text):
            name = found[1]
            if name not in known:
                yield path, line_of(text, found.start()), f"STEELYARD_{name} is not in src/support/variables.hpp"
            elif f"STEELYARD_{name}" not in documents:
                yield path, line_of(text, found.start()), f"no document says what STEELYARD_{name} is"


RULES = (
    licence_named,
    scripts_executable,
    atomics_tagged,
    tags_documented,
    tags_unique,
    headers_tagged,
    files_short,
    headers_short,
    functions_short,
    includes_point_down,
    layers_drawn,
    schedules_tested,
    schedules_stressed,
    no_machine_paths,
    links_lead_somewhere,
    citations_lead_somewhere,
    english_plain,
    mistakes_told,
    front_door_short,
    one_header_for_all,
    variables_listed,
)


def not_checked():
    """The rules that need a program which is not installed."""
    return () if shutil.which("ctags") else (functions_short,)


def findings(top):
    tree = Tree(top)
    return [(path, line, rule.__name__, message) for rule in RULES for path, line, message in rule(tree)]


def main(arguments):
    top = arguments[0] if arguments else os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found = findings(top)
    for path, line, rule, message in found:
        print(f"{path}:{line}: {message} [{rule}]")
    left_out = "".join(f", {rule.__name__} not checked: no ctags" for rule in not_checked())
    print(f"{len(RULES) - len(not_checked())} of {len(RULES)} rules checked, {len(found)} findings{left_out}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
