# SPDX-License-Identifier: Apache-2.0
# Every program on every kind of graph.
set(graph_programs betweenness bfs components kcore pagerank triangles)
foreach(program IN LISTS graph_programs)
  verifies(${program}.rmat ${program} "16384 vertices.*" --rmat 14,8 --repeat 5)
  verifies(${program}.lattice ${program} "16384 vertices" --lattice 128 --repeat 5)
  verifies(${program}.smallest_lattice ${program} "4 vertices" --lattice 2)
  verifies(${program}.small_rmat ${program} "2 vertices" --rmat 1,8)
  foreach(file IN ITEMS tiny.snap tiny_pattern.mtx tiny_real.mtx tiny_integer.mtx)
    string(REGEX REPLACE ".*\\." "--" option ${file})
    verifies(${program}.${file} ${program} "8 vertices" ${option} ${data}/${file})
  endforeach()
  add_case(${program}.no_verify ${program} 0 "OUTPUT=not verified" -- --rmat 8 --repeat 1 --no-verify)
  add_case(${program}.help ${program} 0 "OUTPUT=--rmat SCALE" -- --help)
endforeach()

# Known answers, so that kernel and check cannot be wrong together.
foreach(file IN ITEMS tiny.snap tiny_pattern.mtx tiny_real.mtx tiny_integer.mtx)
  string(REGEX REPLACE ".*\\." "--" option ${file})
  verifies(triangles.known.${file} triangles "8 vertices, 7 edges\n2 triangles" ${option} ${data}/${file})
  verifies(components.known.${file} components "8 vertices, 7 edges\n3 components" ${option} ${data}/${file})
  verifies(kcore.known.${file} kcore "largest core number 2\n" ${option} ${data}/${file})
endforeach()
verifies(pagerank.known pagerank "8 vertices, 8 edges, 10 sweeps" --snap ${data}/tiny.snap)

file(WRITE ${made}/windows.snap "# line ends of Windows\r\n1\t2\r\n\r\n2\t3\r\n3\t1")
verifies(triangles.windows_lines triangles "3 vertices, 3 edges\n1 triangles" --snap ${made}/windows.snap)
file(WRITE ${made}/sparse_ids.snap "0 2147483647\n2147483647 5\n")
verifies(components.sparse_ids components "3 vertices, 2 edges\n1 components" --snap ${made}/sparse_ids.snap)

# schedule(runtime) under each kind of schedule, with more threads than this machine may have.
foreach(schedule IN ITEMS static "static,1" dynamic "dynamic,64" guided)
  string(REPLACE "," "_" suffix ${schedule})
  foreach(program IN ITEMS pagerank kcore)
    verifies(${program}.runtime_${suffix} ${program} "" --rmat 12)
    set_tests_properties(openmp_examples.${program}.runtime_${suffix} PROPERTIES
      ENVIRONMENT "OMP_NUM_THREADS=7;OMP_SCHEDULE=${schedule}")
  endforeach()
endforeach()

verifies(mandelbrot.small mandelbrot "64 rows" --size 64)
verifies(mandelbrot.odd mandelbrot "63 rows" --size 63 --limit 50)
verifies(mandelbrot.smallest mandelbrot "2 rows" --size 2 --limit 1)
verifies(adjoint.small adjoint "length 1000" --size 1000)
verifies(adjoint.one adjoint "length 1" --size 1)
if(TARGET openmp_example_triangular)
  verifies(triangular.small triangular "500 rows, 2 runs" 500 2)
  verifies(triangular.one triangular "1 rows" 1)
endif()

add_case(debian_graph.golden debian_graph 0 "GOLDEN=${data}/packages.snap" -- --index ${data}/packages.txt)
add_case(debian_graph.bare_name debian_graph 0 "GOLDEN=${data}/packages.snap" -- ${data}/packages.txt)
add_case(debian_graph.standard_input debian_graph 0 "GOLDEN=${data}/packages.snap" "INPUT=${data}/packages.txt" --)
verifies(debian_graph.is_snap components "7 vertices, 12 edges\n1 components" --snap ${data}/packages.snap)
