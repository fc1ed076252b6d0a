# SPDX-License-Identifier: Apache-2.0
# What the scripts here share; each sources it with BUILD_DIR CMAKE GENERATOR C_COMPILER CXX_COMPILER.
build=$1 cmake=$2 generator=$3 cc=$4 cxx=$5
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CCACHE_BASEDIR=$work  # a compiler cache knows the objects of earlier runs, in directories of other names

fail() { echo "FAIL: $*"; exit 1; }
# Shows what a command says only if it fails.
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }; }
# project NAME SOURCE [OPTION…]: a project that is configured and built, in $work/NAME.
project() {
  quietly "$cmake" -S "$2" -B "$work/$1" -G "$generator" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" "${@:3}"
  quietly "$cmake" --build "$work/$1"
}
# install_moved PREFIX: installs the build, and moves what is installed.
install_moved() {
  quietly "$cmake" --install "$build" --prefix "$work/first"
  mv "$work/first" "$1"
}
libdir_of() { dirname "$(find "$1" -name 'libsteelyard.*' -print -quit)"; }
