// SPDX-License-Identifier: MIT
// Text with a separator (CSV and similar): finds the cells, and reads columns as numbers or as codes of distinct texts.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace unisono {

// The ASCII blanks that Python's str.strip() removes.
inline bool is_blank(char c) {
    return c == ' ' || ('\t' <= c && c <= '\r') || ('\x1c' <= c && c <= '\x1f');
}

// Number of UTF-8 bytes of the blank at the beginning, 0 if there is none; the blanks are those of str.isspace().
inline std::size_t blank_bytes(std::string_view text) {
    if (text.empty()) return 0;
    if (is_blank(text[0])) return 1;
    if (static_cast<unsigned char>(text[0]) < 0x80) return 0;
    static constexpr std::string_view wide[] = {
        "\xc2\x85",     "\xc2\xa0",     "\xe1\x9a\x80", "\xe2\x80\x80", "\xe2\x80\x81", "\xe2\x80\x82", "\xe2\x80\x83",
        "\xe2\x80\x84", "\xe2\x80\x85", "\xe2\x80\x86", "\xe2\x80\x87", "\xe2\x80\x88", "\xe2\x80\x89", "\xe2\x80\x8a",
        "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80"};
    for (const std::string_view blank : wide)
        if (text.substr(0, blank.size()) == blank) return blank.size();
    return 0;
}

// A cell as a position: exactly the number that Python reads.
struct Number {
    enum class Kind { missing, whole, decimal, other };  // other: left to Python (not a number, or too large)
    Kind kind = Kind::other;
    std::int64_t whole = 0;
    double value = 0;

    static constexpr std::int64_t largest = std::int64_t{1} << 53;

    // `comma` is a second decimal sign beside the point; '.' for none.
    static Number of(std::string_view cell, char comma) {
        while (!cell.empty() && is_blank(cell.front())) cell.remove_prefix(1);
        while (!cell.empty() && is_blank(cell.back())) cell.remove_suffix(1);
        if (cell.empty()) return {Kind::missing};
        std::size_t i = cell[0] == '+' || cell[0] == '-' ? 1 : 0;
        const bool is_negative = cell[0] == '-';
        std::uint64_t digits = 0;  // all of them as one number, as long as there is room
        int n_digits = 0, n_kept = 0, n_fraction = 0;
        bool has_point = false;
        for (; i < cell.size(); ++i) {
            const char c = cell[i];
            if ('0' <= c && c <= '9') {
                ++n_digits;
                n_fraction += has_point;
                if (n_kept > 0 || c != '0') ++n_kept;
                if (n_kept <= 18) digits = 10 * digits + static_cast<unsigned>(c - '0');
            } else if ((c == '.' || c == comma) && !has_point) {
                has_point = true;
            } else {
                break;
            }
        }
        if (n_digits == 0) return {};
        int exponent = 0;
        const bool is_whole = i == cell.size() && !has_point;
        if (i < cell.size()) {
            if ((cell[i] != 'e' && cell[i] != 'E') || !read_exponent(cell.substr(i + 1), exponent)) return {};
        }
        if (is_whole) {
            if (n_kept > 18 || digits > static_cast<std::uint64_t>(largest)) return {};
            const auto whole = static_cast<std::int64_t>(digits);
            return {Kind::whole, is_negative ? -whole : whole};
        }
        exponent -= n_fraction;
        double value = 0;
        if (n_kept <= 18 && digits <= static_cast<std::uint64_t>(largest) && -22 <= exponent && exponent <= 22) {
            // Both factors are exact, so the result is rounded once, to the nearest, as in Python.
            value = static_cast<double>(digits);
            value = exponent < 0 ? value / power(-exponent) : value * power(exponent);
        } else if (!read_exactly(cell, comma, value)) {
            return {};
        }
        if (!(value <= static_cast<double>(largest))) return {};
        return {Kind::decimal, 0, is_negative ? -value : value};
    }

  private:
    static bool read_exponent(std::string_view rest, int &exponent) {
        const bool is_negative = !rest.empty() && rest[0] == '-';
        if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) rest.remove_prefix(1);
        if (rest.empty() || rest.size() > 6) return false;
        for (const char c : rest) {
            if (c < '0' || c > '9') return false;
            exponent = 10 * exponent + (c - '0');
        }
        if (is_negative) exponent = -exponent;
        return true;
    }

    static double power(int exponent) {
        static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
        return powers[exponent];
    }

    // Numbers of many digits, if the standard library can parse them; otherwise they are left to Python.
    static bool read_exactly(std::string_view cell, char comma, double &value) {
#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
        std::string plain(cell.substr(cell[0] == '+' || cell[0] == '-' ? 1 : 0));
        if (comma != '.') std::replace(plain.begin(), plain.end(), comma, '.');
        const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
        return error == std::errc() && end == plain.data() + plain.size();
#else
        return false;
#endif
    }
};

// A text split as by Python's csv.reader(strict=True): rows of cells, and the line on which each row begins.
class Delimited {
  public:
    enum class Fault { none, unclosed, after_quote };

    Delimited(std::string_view text, char separator, bool has_quotes) : text_(text) { scan(separator, has_quotes); }

    Fault fault() const { return fault_; }
    // The line on which the row begins that cannot be read.
    std::int64_t fault_line() const { return lines_.back(); }
    const std::vector<std::int64_t> &lines() const { return lines_; }

    std::vector<std::int64_t> lengths() const {
        std::vector<std::int64_t> lengths(lines_.size());
        for (std::size_t row = 0; row < lengths.size(); ++row) lengths[row] = n_cells(row);
        return lengths;
    }

    // A cell; `room` is its buffer if doubled quotes are replaced by single ones. Cells beyond the last are empty.
    std::string_view cell(std::int64_t row, std::size_t column, std::string &room) const {
        if (row < 0 || row >= static_cast<std::int64_t>(lines_.size()) || column >= n_cells(row)) return {};
        const Cell found = cells_[firsts_[row] + column];
        const std::string_view raw = text_.substr(found.begin, found.size);
        if (!found.has_doubled) return raw;
        room.clear();
        for (std::size_t i = 0; i < raw.size(); ++i) {
            room.push_back(raw[i]);
            if (raw[i] == '"') ++i;
        }
        return room;
    }

    struct Coded {
        std::vector<std::int32_t> codes;
        std::vector<std::string_view> texts;  // in the order of first appearance
        std::deque<std::string> kept;         // owns the texts that differ from the bytes of the file (doubled quotes)
    };

    // The cells of a column in the given rows as codes of the distinct cells.
    Coded coded(std::size_t column, const std::int64_t *rows, std::size_t n) const {
        Coded found;
        found.codes.resize(n);
        std::unordered_map<std::string_view, std::int32_t> known;
        std::string room;
        for (std::size_t i = 0; i < n; ++i) {
            const std::string_view text = cell(rows[i], column, room);
            // Tables are often sorted, so the cell often equals the one above.
            if (i > 0 && found.texts[found.codes[i - 1]] == text) {
                found.codes[i] = found.codes[i - 1];
                continue;
            }
            auto place = known.find(text);
            if (place == known.end()) {
                std::string_view lasting = text;
                if (!text.empty() && text.data() == room.data()) lasting = found.kept.emplace_back(room);
                place = known.emplace(lasting, static_cast<std::int32_t>(found.texts.size())).first;
                found.texts.push_back(lasting);
            }
            found.codes[i] = place->second;
        }
        return found;
    }

    struct Numbers {
        bool is_sound = false;  // every cell is a number or empty
        bool is_whole = true;
        std::vector<std::int64_t> whole;
        std::vector<double> values;  // filled from the first decimal number on
        std::vector<std::uint8_t> missing;
    };

    Numbers numbers(std::size_t column, const std::int64_t *rows, std::size_t n, char comma) const {
        Numbers found;
        found.whole.resize(n);
        found.missing.resize(n);
        std::string room;
        for (std::size_t i = 0; i < n; ++i) {
            const Number number = Number::of(cell(rows[i], column, room), comma);
            if (number.kind == Number::Kind::other) return found;
            found.missing[i] = number.kind == Number::Kind::missing;
            found.whole[i] = number.whole;
            if (number.kind == Number::Kind::decimal && found.is_whole) {
                found.is_whole = false;
                found.values.resize(n);
                std::copy(found.whole.begin(), found.whole.begin() + i, found.values.begin());
            }
            if (!found.is_whole)
                found.values[i] = number.kind == Number::Kind::decimal ? number.value : double(number.whole);
        }
        found.is_sound = true;
        return found;
    }

    // 1 where a cell holds nothing but blanks.
    std::vector<std::uint8_t> blank(std::size_t column, const std::int64_t *rows, std::size_t n) const {
        std::vector<std::uint8_t> found(n);
        std::string room;
        for (std::size_t i = 0; i < n; ++i) {
            std::string_view rest = cell(rows[i], column, room);
            for (std::size_t size; (size = blank_bytes(rest)) > 0;) rest.remove_prefix(size);
            found[i] = rest.empty();
        }
        return found;
    }

  private:
    struct Cell {
        std::uint64_t begin;
        std::uint64_t size : 63;
        std::uint64_t has_doubled : 1;
    };

    std::size_t n_cells(std::size_t row) const { return firsts_[row + 1] - firsts_[row]; }

    void scan(char separator, bool has_quotes) {
        bool ends[256] = {};
        for (const char c : {'\n', '\r', separator}) ends[static_cast<unsigned char>(c)] = true;
        const std::size_t n = text_.size();
        std::size_t i = 0;
        std::int64_t line = 1;
        const auto is_end = [&] { return i == n || ends[static_cast<unsigned char>(text_[i])]; };
        const auto is_new_line = [&] { return i < n && (text_[i] == '\n' || text_[i] == '\r'); };
        const auto pass_new_line = [&] {
            i += text_[i] == '\r' && i + 1 < n && text_[i + 1] == '\n' ? 2 : 1;
            ++line;
        };
        while (i < n) {
            lines_.push_back(line);
            firsts_.push_back(cells_.size());
            if (is_new_line()) {  // a row without cells
                pass_new_line();
                continue;
            }
            for (;;) {
                if (has_quotes && i < n && text_[i] == '"') {
                    const std::size_t begin = ++i;
                    bool has_doubled = false;
                    while (i < n) {
                        if (is_new_line()) {
                            pass_new_line();
                        } else if (text_[i] != '"') {
                            ++i;
                        } else if (i + 1 < n && text_[i + 1] == '"') {
                            has_doubled = true;
                            i += 2;
                        } else {
                            break;
                        }
                    }
                    if (i == n) return stop(Fault::unclosed);
                    cells_.push_back({begin, i - begin, has_doubled});
                    ++i;
                    if (!is_end()) return stop(Fault::after_quote);
                } else {
                    const std::size_t begin = i;
                    while (!is_end()) ++i;
                    cells_.push_back({begin, i - begin, false});
                }
                if (i == n || text_[i] != separator) break;
                ++i;
            }
            if (i < n) pass_new_line();
        }
        firsts_.push_back(cells_.size());
    }

    void stop(Fault fault) {
        fault_ = fault;
        firsts_.push_back(cells_.size());
    }

    std::string_view text_;
    std::vector<Cell> cells_;
    std::vector<std::uint64_t> firsts_;  // the first cell of each row, and one more
    std::vector<std::int64_t> lines_;
    Fault fault_ = Fault::none;
};

}  // namespace unisono
