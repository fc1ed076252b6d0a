# SPDX-License-Identifier: Apache-2.0
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd, stdcpp_library
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir


class Steelyard(ConanFile):
    """The library; the drop-in for OpenMP programs comes with the command, which is in the Spack and the Debian packages."""

    name = "steelyard"
    version = "@VERSION@"
    description = "Balances irregular parallel work by itself: loops, tasks and dataflow"
    license = "Apache-2.0"
    homepage = "@HOMEPAGE@"
    topics = ("parallel", "scheduling", "work-stealing", "tasks", "dataflow", "openmp")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    # No fPIC: the archive is always position-independent.
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    def validate(self):
        if self.settings.os != "Linux" or self.settings.arch not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration("steelyard runs on Linux, x86-64 and AArch64")
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self, src_folder="src")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("STATIC", "OPENMP", "TOOL", "EXAMPLES"):
            toolchain.cache_variables[f"STEELYARD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "share", "doc"))

    def package_info(self):
        # What the package installs for CMake is better than what would be generated: it asks for C++20, too.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "steelyard")]
        self.cpp_info.set_property("pkg_config_name", "steelyard")
        self.cpp_info.libs = ["steelyard"]
        if not self.options.shared:
            self.cpp_info.system_libs = [name for name in (stdcpp_library(self), "m", "dl", "pthread") if name]
            # Threads run the code of a plug-in that links the archive, also when it is closed.
            self.cpp_info.exelinkflags = self.cpp_info.sharedlinkflags = ["-Wl,-z,nodelete"]
