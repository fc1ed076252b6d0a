#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads the Spack recipe with stand-ins for what Spack documents, and calls what Spack would call.

usage: spack.py PACKAGE_PY CMAKELISTS ARCHIVE
"""
import hashlib
import re
import sys
import types
from contextlib import contextmanager
from pathlib import Path

DIRECTIVES = ("license", "version", "variant", "depends_on", "conflicts", "requires")
OTHERS = ("when", "which", "SkipTest")


class CMakePackage:
    """What a recipe may use of its base class."""

    def define(self, name, value):
        return f"-D{name}={'ON' if value is True else 'OFF' if value is False else value}"

    def define_from_variant(self, name, variant):
        assert variant in self.variants, f"no variant {variant}"
        return self.define(name, self.variants[variant])


def stand_ins(recorded):
    """The modules that a recipe imports; `recorded` gets (directive, arguments, keywords, condition)."""
    conditions = []

    @contextmanager
    def when(condition):
        conditions.append(condition)
        yield
        conditions.pop()

    def directive(name):
        return lambda *arguments, **keywords: recorded.append((name, arguments, keywords, tuple(conditions)))

    package = types.ModuleType("spack.package")
    for name in DIRECTIVES:
        setattr(package, name, directive(name))
    package.when, package.which, package.SkipTest = when, None, type("SkipTest", (Exception,), {})
    package.__all__ = [*DIRECTIVES, *OTHERS]
    cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
    cmake.CMakePackage = CMakePackage
    parents = ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems")
    return {**{name: types.ModuleType(name) for name in parents}, package.__name__: package, cmake.__name__: cmake}


def load(path, recorded):
    sys.modules.update(stand_ins(recorded))
    names = {"__name__": "package", "__file__": path}
    exec(compile(Path(path).read_text(), path, "exec"), names)  # a name that Spack does not have fails here
    return names


def command_said(recipe, names):
    """Runs the stand-alone test as if the command had been built."""
    class Command:
        def __call__(self, *arguments, **options):
            return "static\nsteal\n" if arguments == ("schedules", "--names") else ""

    names["which"] = lambda path, required: Command()
    recipe.spec = types.SimpleNamespace(satisfies=lambda what: what == "+tool")
    recipe.prefix = types.SimpleNamespace(bin=types.SimpleNamespace(steelyard="steelyard"))
    recipe.test_command()


def main(path, cmakelists, archive):
    recorded = []
    names = load(path, recorded)
    recipe = names["Steelyard"]()
    assert isinstance(recipe, CMakePackage) and recipe.__doc__

    said = lambda directive: [(arguments, keywords) for name, arguments, keywords, _ in recorded if name == directive]
    project = Path(cmakelists).read_text()
    ((version,), digest), = said("version")
    assert f"VERSION {version} " in project, version
    assert digest == {"sha256": hashlib.sha256(Path(archive).read_bytes()).hexdigest()}, digest
    assert recipe.url.endswith(f"/steelyard-{version}.tar.gz"), recipe.url
    assert {arguments[0].split("@")[0] for arguments, _ in said("depends_on")} >= {"c", "cxx", "cmake"}

    variants = {arguments[0]: keywords["default"] for arguments, keywords in said("variant")}
    for name, _, _, conditions in recorded:
        for condition in conditions:
            assert condition.lstrip("+~") in variants, condition
    known = {"BUILD_SHARED_LIBS", *re.findall(r"option\((\w+)", project)}
    for value in (True, False):
        recipe.variants = dict.fromkeys(variants, value)
        for argument in recipe.cmake_args():
            option = re.fullmatch(r"-D(\w+)=(ON|OFF)", argument)
            assert option and option.group(1) in known, argument
    command_said(recipe, names)
    print(f"steelyard {version}: {len(recorded)} directives, variants {', '.join(variants)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
