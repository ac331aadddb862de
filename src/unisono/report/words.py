# SPDX-License-Identifier: MIT
"""A result in sentences: what a value means, one sentence for a methods section, whom to cite.

Every sentence exists once, with its mathematics marked; Markdown, LaTeX and HTML are three ways to write it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unisono.measures import MEASURES
from unisono.report import counted, visible
from unisono.results import Interval, MeasureValue, Result

NO_THRESHOLD = (
    "No threshold for a good value holds everywhere. Compare with values of the same kind of task, measured with the "
    "same parameters, and look at what the annotators disagree on."
)
#: Measures for which 0 is not chance level.
WITHOUT_CHANCE = frozenset({
    "percentage", "window-diff", "pk", "ghd", "boundary-similarity", "segmentation-similarity", "ser", "f1-exact",
    "f1-position", "f1-partial", "f1-type", "f1-iou",
})  # fmt: skip
#: Names of which more than the last word is the surname.
_SURNAMES = ("Tjong Kim Sang", "De Meulder", "Van Gool")
#: Categories whose values fit into a sentence.
MOST_CATEGORIES = 12
_KINDS = {
    "documents": "had other documents of the kind been annotated",
    "stretches": "had other stretches of the kind been annotated",
    "chance": "what the number of random continua leaves open",
}


def symbol(measure: str) -> str:
    """How a measure is written: γ, κ; its name where it is not ours."""
    return MEASURES[measure].symbol if measure in MEASURES else measure


def number(value: float | None, digits: int = 3) -> str:
    """A number for people, with a true minus sign; a dash where there is none.

    >>> number(-0.0421), number(None)
    ('−0.042', '–')
    """
    if value is None:
        return "–"
    text = f"{value:.{digits}f}"
    return ("−" + text[1:] if text[0] == "-" else text) if float(text) else text.lstrip("-")


def percentage(value: float) -> str:
    """A share for people: whole percents, except near the ends.

    >>> [percentage(x) for x in (0.382, 0.0042, 0.998, 1.0)]
    ['38 %', '0.4 %', '99.8 %', '100 %']
    """
    hundredth = 100 * value
    return f"{hundredth:.1f} %" if 0 < hundredth < 1 or 99 < hundredth < 100 else f"{hundredth:.0f} %"


def meaning(measure: str, value: MeasureValue) -> str:
    """What a value says, in one or two sentences without a judgement.

    >>> meaning("gamma", MeasureValue(0.618, observed=0.382, expected=1.0))
    'The annotators agree better than chance: their disorder is 38 % of what chance gives.'
    """
    name = symbol(measure)
    if value.value is None:
        if value.per_category:
            return "One value for each category: see the categories below."
        return f"{name} has no value here: {value.reason}."
    if measure in WITHOUT_CHANCE:
        return f"{percentage(value.value)} on a scale that ends at 100 %; chance is not taken into account."
    if value.value == 1:
        return "The annotators agree on everything that this measure looks at."
    what = "disorder" if measure in ("gamma", "soft-gamma", "text-gamma") else "disagreement"
    ratio = 1 - value.value
    share = f"their {what} is {percentage(ratio)} of what chance gives"
    if abs(value.value) < 0.005:
        return f"The annotators agree about as much as chance: {share}."
    if value.value > 0:
        return f"The annotators agree better than chance: {share}."
    return f"The annotators agree less than by chance: {share}."


def widest(value: MeasureValue) -> Interval | None:
    """The interval that tells most about other data: over documents, over stretches, else that of chance."""
    return next((value.intervals[kind] for kind in _KINDS if kind in value.intervals), None)


def certainty(value: MeasureValue) -> list[str]:
    """What each interval of a value is, the widest uncertainty first.

    >>> from unisono.results import Interval
    >>> certainty(MeasureValue(0.6, intervals={"chance": Interval("chance", 0.95, 0.59, 0.61)}))
    ['95 % interval 0.590 to 0.610: what the number of random continua leaves open']
    """
    found = (value.intervals.get(kind) for kind in _KINDS)
    return [
        f"{100 * each.level:g} % interval {number(each.low)} to {number(each.high)}: {_KINDS[each.kind]}"
        for each in found
        if each is not None
    ]


@dataclass(frozen=True, slots=True)
class Citation:
    """A reference taken apart: `Authors (year). Title. Where.`"""

    authors: tuple[str, ...]
    year: str
    title: str
    #: What BibTeX calls the kind of publication, and its fields.
    kind: str
    fields: Mapping[str, str]

    @property
    def key(self) -> str:
        """The name of the entry: first author, year, first telling word of the title."""
        dull = {"a", "an", "the", "on", "of"}
        words = [word for word in re.findall(r"[a-z]+", _ascii(self.title).lower()) if word not in dull]
        surname = re.sub("[^a-z]", "", _ascii(_surname(self.authors[0])).lower())
        return f"{surname}{self.year}{words[0]}"

    @property
    def short(self) -> str:
        """As in running text.

        >>> citations_of(MEASURES["gamma"].citation)[0].short
        'Mathet et al., 2015'
        """
        last = [_surname(author) for author in self.authors]
        names = last[0] if len(last) == 1 else f"{last[0]} and {last[1]}" if len(last) == 2 else f"{last[0]} et al."
        return f"{names}, {self.year}"

    @property
    def bibtex(self) -> str:
        """The entry for a bibliography.

        >>> print(citations_of(MEASURES["kappa"].citation)[0].bibtex)
        @article{cohen1960coefficient,
          author = {Cohen, Jacob},
          title = {{A coefficient of agreement for nominal scales}},
          journal = {Educational and Psychological Measurement},
          volume = {20},
          number = {1},
          pages = {37--46},
          year = {1960},
        }
        """
        names = (f"{_surname(a)}, {a.removesuffix(_surname(a)).strip()}" for a in self.authors)
        entry = {"author": " and ".join(names), "title": "{" + self.title + "}", **self.fields, "year": self.year}
        lines = [f"  {name} = {{{_bib(value)}}}," for name, value in entry.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def citations_of(text: str) -> tuple[Citation, ...]:
    """The references in a citation of the registry, one or several with `;` between them."""
    return tuple(map(_citation, re.split(r"; (?=[^;]+? \(\d{4}\)\. )", text)))


def citations(result: Result) -> tuple[Citation, ...]:
    """The papers of the measures of a result, each once."""
    found = (each for name in result.measures if name in MEASURES for each in citations_of(MEASURES[name].citation))
    return tuple({each.key: each for each in found}.values())


def bibliography(result: Result) -> str:
    """BibTeX of the measures' papers and of the program."""
    program = (
        "@software{unisono,\n  author = {{The unisono developers}},\n"
        "  title = {{unisono: agreement of annotators who mark units on a continuum}},\n"
        f"  version = {{{result.version}}},\n}}"
    )
    return "\n\n".join([*(each.bibtex for each in citations(result)), program])


@dataclass(frozen=True, slots=True)
class Methods:
    """One sentence for a methods section, as Markdown and as LaTeX."""

    markdown: str
    latex: str


def methods(result: Result) -> Methods:
    """What was measured, on what, how, with what: ready to paste, true to the last parameter that matters."""
    return Methods(_sentence(result, _MARKDOWN), _sentence(result, _LATEX))


@dataclass(frozen=True, slots=True)
class _Style:
    """How a sentence is written: what stands for a symbol, a number, a citation, a literal."""

    symbols: Mapping[str, str]
    is_latex: bool

    def symbol(self, text: str) -> str:
        if not self.is_latex:
            return text
        return f"${self.symbols[text]}$" if text in self.symbols else tex(text)

    def number(self, value: float | None) -> str:
        text = number(value)
        return f"${text.replace('−', '-')}$" if self.is_latex else text

    def cite(self, found: Sequence[Citation]) -> str:
        if self.is_latex:
            return f"\\citep{{{','.join(each.key for each in found)}}}"
        return f"({'; '.join(each.short for each in found)})"

    def code(self, text: str) -> str:
        return f"\\texttt{{{tex(text)}}}" if self.is_latex else f"`{text}`"

    def text(self, text: str) -> str:
        return tex(text) if self.is_latex else visible(text)

    def percent(self, level: float) -> str:
        return f"{100 * level:g}\\,\\%" if self.is_latex else f"{100 * level:g} %"


_TEX_SYMBOLS = {
    "γ": r"\gamma",
    "γcat": r"\gamma_{\mathrm{cat}}",
    "γk": r"\gamma_k",
    "soft-γ": r"\mathrm{soft}\text{-}\gamma",
    "tγ": r"t\gamma",
    "α": r"\alpha",
    "αU": r"\alpha_U",
    "uα (2013)": r"{}_u\alpha",
    "uα": r"{}_u\alpha",
    "|uα": r"{}_{|u}\alpha",
    "cuα": r"{}_{cu}\alpha",
    "kα": r"{}_{(k)u}\alpha",
    "π": r"\pi",
    "κ": r"\kappa",
}
_MARKDOWN = _Style({}, is_latex=False)
_LATEX = _Style(_TEX_SYMBOLS, is_latex=True)


def _sentence(result: Result, style: _Style) -> str:
    data, given = result.data, result.parameters
    values: list[str] = []
    cited: set[str] = set()
    for name, value in result.measures.items():
        found = _in_numbers(value, style)
        if found is None:
            continue
        papers = citations_of(MEASURES[name].citation) if name in MEASURES else ()
        keys = {paper.key for paper in papers}
        source = "" if keys <= cited else f" {style.cite(papers)}"
        cited |= keys
        values.append(f"{style.symbol(symbol(name))}{source} = {found}")
    whom = (
        f"{counted(data.annotators, 'annotator')} on {counted(data.documents, 'document')} "
        f"({counted(data.units, 'unit')})"
    )
    if not values:
        return f"The agreement of {whom} could not be measured."
    sentence = f"Agreement of {whom}: {_listed(values)}"
    if any(name in ("gamma", "gamma-cat", "gamma-k", "soft-gamma") for name in result.measures):
        samples = next((v.n_samples for v in result.measures.values() if v.n_samples), None)
        drawn = f" over {counted(samples, 'random continuum', 'random continua')}" if samples else ""
        sentence += (
            f"; dissimilarity {style.code(str(given.get('dissimilarity', '')))}, chance model "
            f"{style.code(str(given.get('chance', '')))}{drawn}"
        )
    link = "~" if style.is_latex else " "
    return f"{sentence}; computed with unisono{link}{result.version}, seed{link}{result.seed}."


def _in_numbers(value: MeasureValue, style: _Style) -> str | None:
    """A value with its widest interval, or those of its categories; None where there is nothing to say, or too much."""
    if value.value is None:
        found = [
            f"{style.number(each.value)} ({style.text(category or 'no category')})"
            for category, each in (value.per_category or {}).items()
            if each.value is not None
        ]
        return ", ".join(found) if 0 < len(found) <= MOST_CATEGORIES else None
    interval = widest(value)
    if interval is None:
        return style.number(value.value)
    over = "chance interval" if interval.kind == "chance" else f"interval over {interval.kind}"
    between = f"{style.number(interval.low)} to {style.number(interval.high)}"
    return f"{style.number(value.value)} ({style.percent(interval.level)} {over} {between})"


def _listed(items: list[str]) -> str:
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def tex(text: str) -> str:
    r"""Plain text for LaTeX: what it would take for a command is written out.

    >>> tex("50 % of R&D_1")
    '50 \\% of R\\&D\\_1'
    """
    special = {
        "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
        **{char: "\\" + char for char in "&%$#_{}"},
    }  # fmt: skip
    return "".join(special.get(char, char if char.isprintable() else " ") for char in text)


def _bib(text: str) -> str:
    return re.sub(r"(?<!\\)&", r"\\&", text).replace("γcat", r"$\gamma_{cat}$").replace("γ", r"$\gamma$")


def _citation(text: str) -> Citation:
    """One reference taken apart; where in it the formula stands is left out."""
    found = re.fullmatch(
        r"(?P<authors>.+?) \((?P<year>\d{4})\)\. (?P<title>.+?)(, chapter \d+)?\. (?P<rest>.+?)(, section [\d.]+)?\.?",
        text,
    )
    if found is None:
        raise ValueError(f"a reference as Authors (year). Title. Where., not {text!r}")
    title, rest = found["title"], found["rest"]
    if edition := re.fullmatch(r"(.+), (\d+\w\w) edition", title):
        title, rest = edition[1], f"{edition[2]} edition, {rest}"
    return Citation(tuple(found["authors"].split(", ")), found["year"], title, *_published(rest))


def _published(rest: str) -> tuple[str, dict[str, str]]:
    """Where a paper appeared, as BibTeX's kind of publication and its fields."""
    if found := re.fullmatch(r"(?P<journal>.+?) (?P<volume>\d+)(?:\((?P<number>[\d-]+)\))?, (?P<pages>[\d-]+)", rest):
        return "article", {name: value.replace("-", "--") for name, value in found.groupdict().items() if value}
    if found := re.fullmatch(r"(?P<edition>\d+\w\w) edition, (?P<publisher>.+)", rest):
        return "book", found.groupdict()
    if found := re.fullmatch(r"PhD thesis, (?P<school>.+)", rest):
        return "phdthesis", found.groupdict()
    if found := re.fullmatch(r"(?P<booktitle>.+?), (?P<pages>\d+-\d+)", rest):
        return "inproceedings", {"booktitle": found["booktitle"], "pages": found["pages"].replace("-", "--")}
    return "inproceedings", {"booktitle": rest}


def _surname(author: str) -> str:
    return next((name for name in _SURNAMES if author.endswith(name)), author.split()[-1])


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
