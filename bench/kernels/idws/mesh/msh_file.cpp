// SPDX-License-Identifier: Apache-2.0
#include "mesh/msh_file.hpp"

#include <charconv>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include "graph/input_error.hpp"
#include "graph/text_file.hpp"

namespace idws {

namespace {

constexpr std::uint64_t most = std::uint64_t{1} << 62;
constexpr std::uint64_t most_items = std::numeric_limits<int>::max() / 8;

enum element_type : std::uint64_t { line = 1, three_node_triangle = 2, single_point = 15 };

class reader {
 public:
  explicit reader(const std::string& name) : file_(name) { mesh_.name = name; }

  triangle_mesh read() {
    header();
    while (next()) {
      if (file_.line().starts_with("$Nodes")) {
        four_ ? nodes_4() : nodes_2();
        expect("$EndNodes");
      } else if (file_.line().starts_with("$Elements")) {
        if (numbers_.empty()) file_.fail("$Elements before $Nodes: write the mesh again with gmsh");
        four_ ? elements_4() : elements_2();
        expect("$EndElements");
      } else {
        skip_section();
      }
    }
    return std::move(mesh_);
  }

 private:
  bool next() {
    while (file_.next_line()) {
      if (!file_.is_blank()) return true;
    }
    return false;
  }
  void need_line(const char* before) {
    if (!next()) file_.fail(std::string("the file ends before its ") + before);
  }
  void expect(std::string_view word) {
    need_line(word.data());
    if (file_.field() != word) {
      file_.fail("'" + graph::printable(file_.line()) + "' where " + std::string(word) + " belongs");
    }
  }
  std::uint64_t number(const char* what, std::uint64_t least = 0, std::uint64_t limit = most) {
    return file_.number(what, least, limit);
  }
  double coordinate() {
    const std::string_view text = file_.field();
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size() || !(value - value == 0)) {
      file_.fail("'" + graph::printable(text) + "' is not a coordinate");
    }
    return value;
  }

  void header() {
    if (!next() || !file_.line().starts_with("$MeshFormat"))
      file_.fail("not a mesh of gmsh: it begins with $MeshFormat");
    need_line("version");
    const std::string_view version = file_.field();
    four_ = version == "4.1";
    if (!four_ && !version.starts_with("2")) {
      file_.fail("version " + graph::printable(version) + " cannot be read: save it with gmsh -format msh41");
    }
    if (number("kind of file", 0, 2) != 0) file_.fail("is binary: save it as text (without gmsh -bin)");
    expect("$EndMeshFormat");
  }

  // Sections that say nothing about the mesh itself.
  void skip_section() {
    const std::string name(file_.field());
    if (!name.starts_with("$")) file_.fail("'" + graph::printable(file_.line()) + "' where a section begins");
    const std::string end = "$End" + name.substr(1);
    do {
      need_line(end.c_str());
    } while (!file_.line().starts_with(end));
  }

  void add_node(std::uint64_t tag) {
    const double x = coordinate();
    const double y = coordinate();
    const double z = coordinate();
    if (mesh_.points.empty()) height_ = z;
    if (z != height_)
      file_.fail("node " + std::to_string(tag) + " is at another height: give a mesh of a plane domain");
    if (!numbers_.emplace(tag, static_cast<int>(mesh_.points.size())).second) {
      file_.fail("node " + std::to_string(tag) + " comes twice");
    }
    mesh_.points.push_back({x, y});
  }

  void nodes_2() {
    need_line("number of nodes");
    const std::uint64_t count = number("number of nodes", 1, most_items);
    for (std::uint64_t i = 0; i < count; ++i) {
      need_line("last node");
      add_node(number("node", 1));
    }
  }

  void nodes_4() {
    need_line("number of nodes");
    const std::uint64_t blocks = number("number of blocks", 1, most_items);
    number("number of nodes", 1, most_items);
    std::vector<std::uint64_t> tags;
    for (std::uint64_t block = 0; block < blocks; ++block) {
      need_line("last block of nodes");
      number("dimension", 0, 4);
      number("entity");
      number("parametric", 0, 2);
      tags.clear();
      for (auto left = number("number of nodes", 0, most_items); left > 0; --left) {
        need_line("last node");
        tags.push_back(number("node", 1));
      }
      for (const std::uint64_t tag : tags) {
        need_line("last node");
        add_node(tag);
      }
    }
  }

  int vertex() {
    const std::uint64_t tag = number("node", 1);
    const auto found = numbers_.find(tag);
    if (found == numbers_.end()) file_.fail("node " + std::to_string(tag) + " is not among the $Nodes");
    return found->second;
  }

  void add_element(std::uint64_t type) {
    if (type == line || type == single_point) return;
    if (type != three_node_triangle) {
      file_.fail("an element of type " + std::to_string(type) +
                 ": only meshes of triangles with three nodes can be read");
    }
    const int a = vertex();
    const int b = vertex();
    mesh_.triangles.push_back({a, b, vertex()});
  }

  void elements_2() {
    need_line("number of elements");
    const std::uint64_t count = number("number of elements", 1, most_items);
    for (std::uint64_t i = 0; i < count; ++i) {
      need_line("last element");
      number("element", 1);
      const std::uint64_t type = number("type of element", 1);
      for (auto tags = number("number of tags", 0, 64); tags > 0; --tags) number("tag");
      add_element(type);
    }
  }

  void elements_4() {
    need_line("number of elements");
    const std::uint64_t blocks = number("number of blocks", 1, most_items);
    for (std::uint64_t block = 0; block < blocks; ++block) {
      need_line("last block of elements");
      number("dimension", 0, 4);
      number("entity");
      const std::uint64_t type = number("type of element", 1);
      for (auto left = number("number of elements", 0, most_items); left > 0; --left) {
        need_line("last element");
        number("element", 1);
        add_element(type);
      }
    }
  }

  graph::text_file file_;
  triangle_mesh mesh_;
  std::unordered_map<std::uint64_t, int> numbers_;
  double height_ = 0;
  bool four_ = false;
};

}  // namespace

triangle_mesh read_msh(const std::string& file) {
  triangle_mesh mesh = reader(file).read();
  tidy(mesh);
  twins_of(mesh, triangles_around(mesh));  // refuses triangles that overlap before anything is printed
  return mesh;
}

}  // namespace idws
