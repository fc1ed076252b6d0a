# SPDX-License-Identifier: Apache-2.0
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Steelyard(CMakePackage):
    """Steelyard balances irregular parallel work by itself. The command `steelyard` does it to OpenMP programs as they are; the
    library has loops, tasks and dataflow for C and C++."""

    homepage = "@HOMEPAGE@"
    url = "@ARCHIVE_URL@"

    license("Apache-2.0", checked_by="steelyard")

    version("@VERSION@", sha256="@SHA256@")

    variant("shared", default=True, description="Build the shared library; otherwise the static one alone")
    variant("tool", default=True, description="Build the command steelyard, and the drop-in for OpenMP programs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    with when("+tool"):
        depends_on("pkgconfig", type="build")
        depends_on("cli11@2:", type="build")
        depends_on("nlohmann-json@3.11:", type="build")
        depends_on("fmt@9:")
        depends_on("elfutils")
        depends_on("hwloc@2:")

    requires("platform=linux", msg="steelyard runs on Linux")
    requires("target=x86_64:", "target=aarch64:", policy="one_of", msg="steelyard runs on x86-64 and AArch64")
    conflicts("%gcc@:11", msg="steelyard needs C++20")
    conflicts("%clang@:15", msg="steelyard needs C++20")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("STEELYARD_TOOL", "tool"),
            self.define_from_variant("STEELYARD_OPENMP", "tool"),
            self.define("STEELYARD_EXAMPLES", False),
        ]

    def test_command(self):
        """the command lists the schedules"""
        if not self.spec.satisfies("+tool"):
            raise SkipTest("built without the command")
        steelyard = which(self.prefix.bin.steelyard, required=True)
        assert "steal" in steelyard("schedules", "--names", output=str.split, error=str.split)
