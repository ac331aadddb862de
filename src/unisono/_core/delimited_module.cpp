// SPDX-License-Identifier: MIT
// Python bindings of the scanner of delimited text.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "binding.hpp"
#include "delimited.hpp"

namespace nb = nanobind;
using namespace unisono;

// A Python string; lone surrogates, encoded with surrogatepass, are restored.
static nb::object to_str(std::string_view text) {
    PyObject *made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass");
    if (made == nullptr) throw nb::python_error();
    return nb::steal(made);
}

void bind_delimited(nb::module_ &m) {
    nb::class_<Delimited>(m, "Delimited", "A text with a separator: rows of cells, read when asked for.")
        .def(
            "__init__",
            [](Delimited *self, nb::bytes text, char separator, bool has_quotes) {
                const std::string_view view(text.c_str(), text.size());
                nb::gil_scoped_release release;
                new (self) Delimited(view, separator, has_quotes);
            },
            nb::keep_alive<1, 2>())
        .def_prop_ro(
            "fault",
            [](const Delimited &self) {
                const auto fault = self.fault();
                return fault == Delimited::Fault::none       ? ""
                       : fault == Delimited::Fault::unclosed ? "unclosed"
                                                             : "after";
            },
            "Why the text cannot be taken apart: '', 'unclosed' (a quote), 'after' (text after a closing quote).")
        .def_prop_ro("fault_line", &Delimited::fault_line, "The line on which the row begins that cannot be read.")
        .def(
            "lines", [](const Delimited &self) { return to_numpy(self.lines()); }, "The line each row begins on.")
        .def(
            "lengths", [](const Delimited &self) { return to_numpy(self.lengths()); }, "How many cells each row has.")
        .def(
            "row",
            [](const Delimited &self, std::int64_t row, std::size_t width) {
                nb::list cells;
                std::string room;
                for (std::size_t column = 0; column < width; ++column)
                    cells.append(to_str(self.cell(row, column, room)));
                return cells;
            },
            "The first cells of a row; those it does not have are empty.")
        .def(
            "cell",
            [](const Delimited &self, std::int64_t row, std::size_t column) {
                std::string room;
                return to_str(self.cell(row, column, room));
            },
            "One cell.")
        .def(
            "coded",
            [](const Delimited &self, std::size_t column, Longs rows) {
                Delimited::Coded found;
                {
                    nb::gil_scoped_release release;
                    found = self.coded(column, rows.data(), rows.size());
                }
                nb::list texts;
                for (const std::string_view text : found.texts) texts.append(to_str(text));
                return nb::make_tuple(to_numpy(std::move(found.codes)), texts);
            },
            "(code of each row's cell, the different cells).")
        .def(
            "numbers",
            [](const Delimited &self, std::size_t column, Longs rows, char comma) -> nb::object {
                Delimited::Numbers found;
                {
                    nb::gil_scoped_release release;
                    found = self.numbers(column, rows.data(), rows.size(), comma);
                }
                if (!found.is_sound) return nb::none();
                nb::object missing = nb::cast(to_numpy(std::move(found.missing)));
                if (found.is_whole) return nb::make_tuple(to_numpy(std::move(found.whole)), missing);
                return nb::make_tuple(to_numpy(std::move(found.values)), missing);
            },
            "(values, 1 where a cell is empty), or None where one is no number or needs a closer look.")
        .def(
            "blank",
            [](const Delimited &self, std::size_t column, Longs rows) {
                std::vector<std::uint8_t> found;
                {
                    nb::gil_scoped_release release;
                    found = self.blank(column, rows.data(), rows.size());
                }
                return to_numpy(std::move(found));
            },
            "1 where a cell holds nothing but blanks.");
}
